import type { Words, WordsByStatus } from '../../client/meaning';
import { quote } from '../../input/quote';

/**
 * What the refusals of a list's endpoint mean. The service answers a list that does not exist and one
 * the caller may not see identically, without a code (interface: Lists, rule 4).
 *
 * @param orElse what else may be missing, where the path names more than the list.
 */
export function wordsOfList(listId: string, orElse?: string): WordsByStatus {
  const list = `The list ${quote(listId)} does not exist, or this user may not see it`;
  return {
    403: {
      message: `This user may not do this with the list ${quote(listId)}`,
      hint: 'Ask whoever owns the list for more access, or use the key of a user who has it. Get Many of Company List shows the access level of each list.',
    },
    404: {
      message: orElse === undefined ? list : `${list}, or ${orElse}`,
      hint: 'Check the list id, and that the key belongs to a user who has access: the service does not tell the two apart. Get Many of Company List shows what this user can see. If that fails too, check the Base URL in the credential.',
    },
  };
}

const DEFINITION_REFUSED: Words = {
  message: 'The service could not make sense of the definition',
  hint: 'A list definition must be well-formed and bounded; check it against the filter fields.',
};

/** What the refusal of a definition means (interface: Lists, rule 2). */
export const wordsOfDefinition: WordsByStatus = {
  400: DEFINITION_REFUSED,
  422: DEFINITION_REFUSED,
};

/** A conflict of a call that reads or replaces what a list holds (interface: Lists, rule 3). */
export const CHANGED_MEANWHILE: WordsByStatus = {
  409: {
    message: 'Somebody else changed the list in the meantime',
    hint: 'Read the list again and repeat the change.',
  },
};
