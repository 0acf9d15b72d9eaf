import type { ErrorText, ErrorTextsByStatus } from '../../client/error-mapping';
import { quote } from '../../values/text';

export type PathParts = Readonly<Record<'list_id' | 'permission_id' | 'domain', string>>;

/**
 * The service returns the same response, without a code, for a list that does not exist and for one that the
 * user may not see (API spec: Lists, rule 4). `orElse` is the other thing that can be missing.
 */
function toListTexts(listId: string, orElse?: string): ErrorTextsByStatus {
  const list = `The list ${quote(listId)} does not exist, or this user may not see it`;
  return {
    403: {
      message: `This user's access level does not allow this operation on the list ${quote(listId)}`,
      hint: 'Ask the owner of the list for a higher access level, or use the key of a user who has it. Company List: Get Many shows the access level of each list.',
    },
    404: {
      message: orElse === undefined ? list : `${list}, or ${orElse}`,
      hint: `Check ${orElse === undefined ? 'the list ID' : 'both'}, and that the key belongs to a user with access. Company List: Get Many shows the lists that this user can see. If that fails too, check the Base URL in the credential.`,
    },
  };
}

export const ofList = ({ list_id }: PathParts) => toListTexts(list_id);

export const ofListUser = ({ list_id }: PathParts) =>
  toListTexts(list_id, 'the user does not exist');

export const ofPermission = ({ list_id, permission_id }: PathParts) =>
  toListTexts(list_id, `it has no permission ${quote(permission_id)}`);

export const ofDomain = ({ list_id, domain }: PathParts) =>
  toListTexts(list_id, `${quote(domain)} is not in it`);

/** The list can change while its members are read (API spec: Lists, rule 3). */
export const ofMembers = ({ list_id }: PathParts): ErrorTextsByStatus => ({
  ...toListTexts(list_id),
  409: {
    message: 'Someone else changed the list at the same time',
    hint: 'Read the list again, then repeat the change.',
  },
});

export const ofDefinition = ({ list_id }: PathParts): ErrorTextsByStatus => ({
  ...toListTexts(list_id),
  ...DEFINITION_REFUSED,
});

/** The API spec does not show the structure, so a copy is safer than one written by hand. */
export const DEFINITION_ADVICE =
  'Easiest: read an existing list with Definition: Get, and change a copy.';

const REFUSED: ErrorText = {
  message: 'The definition is invalid, or would match every company',
  hint: `${DEFINITION_ADVICE} Nothing was saved.`,
};

export const DEFINITION_REFUSED: ErrorTextsByStatus = {
  400: REFUSED,
  409: {
    message: 'Someone else changed the definition of this list at the same time',
    hint: 'Nothing was replaced. Read it again with Definition: Get, then repeat your change.',
  },
  422: REFUSED,
};
