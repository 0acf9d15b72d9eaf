import type { ErrorText, ErrorTextsByStatus } from '../../client/error-mapping';
import { quote } from '../../input/quote';

/**
 * Returns the error texts for a list's endpoints. The service returns the same response, without a
 * code, for a list that does not exist and for one that the user may not see (API spec: Lists, rule 4).
 *
 * @param orElse the other thing that can be missing, if the path names more than the list.
 */
export function errorTextsForList(listId: string, orElse?: string): ErrorTextsByStatus {
  const list = `The list ${quote(listId)} does not exist, or this user may not see it`;
  return {
    403: {
      message: `This user has no permission for this operation on the list ${quote(listId)}`,
      hint: 'Ask the owner of the list for more access, or use the key of a user who has it. Company List: Get Many shows the access level of each list.',
    },
    404: {
      message: orElse === undefined ? list : `${list}, or ${orElse}`,
      hint: 'Check the list id, and that the key belongs to a user with access. Company List: Get Many shows the lists that this user can see. If that fails too, check the Base URL in the credential.',
    },
  };
}

const DEFINITION_REFUSED: ErrorText = {
  message: 'The service rejected the definition as invalid',
  hint: 'A definition must be well-formed and bounded. Check it against the filter fields (Definition: Get Filter Fields).',
};

/** The error texts for a refused definition (API spec: Lists, rule 2). */
export const definitionErrorTexts: ErrorTextsByStatus = {
  400: DEFINITION_REFUSED,
  422: DEFINITION_REFUSED,
};

/**
 * The error texts for a conflict of a request that reads or replaces a list's contents (API spec:
 * Lists, rule 3).
 */
export const CHANGED_MEANWHILE_HINT: ErrorTextsByStatus = {
  409: {
    message: 'Someone else changed the list at the same time',
    hint: 'Read the list again, then repeat the change.',
  },
};
