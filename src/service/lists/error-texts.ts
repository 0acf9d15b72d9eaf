import type { ErrorText, ErrorTextsByStatus } from '../../client/error-mapping';
import { quote } from '../../values/text';

export type PathParts = Readonly<Record<'list_id' | 'permission_id' | 'domain', string>>;

/**
 * The service returns the same response, without a code, for a list that does not exist and for one that the
 * user may not see (API spec: Lists, rule 4). `other` is what else can be missing, which the user entered.
 */
function toListTexts(
  listId: string,
  other?: { readonly reason: string; readonly advice: string },
): ErrorTextsByStatus {
  const list = `The list ${quote(listId)} does not exist, or this user may not see it`;
  return {
    403: {
      message: `This user's access level does not allow this operation on the list ${quote(listId)}`,
      hint: 'Ask the owner of the list for a higher access level, or use the key of a user who has it. Company List: Get Many shows the access level of each list.',
    },
    404: {
      message: other === undefined ? list : `${list}, or ${other.reason}`,
      hint: `${other?.advice ?? 'Check the list ID.'} Company List: Get Many shows the lists that this user can see. If that fails too, check the Base URL in the credential.`,
    },
  };
}

export const ofList = ({ list_id }: PathParts) => toListTexts(list_id);

export const ofListUser = ({ list_id }: PathParts): ErrorTextsByStatus => {
  const advice = "Check the user's ID or email address.";
  const refused = { message: 'The service rejected the request for this user', hint: advice };
  return {
    ...toListTexts(list_id, { reason: 'the user does not exist', advice }),
    400: refused,
    422: refused,
  };
};

export const ofPermission = ({ list_id, permission_id }: PathParts) =>
  toListTexts(list_id, {
    reason: `it has no permission ${quote(permission_id)}`,
    advice: 'Choose the permission in the dropdown.',
  });

export const ofDomain = ({ list_id, domain }: PathParts) =>
  toListTexts(list_id, {
    reason: `${quote(domain)} is not in it`,
    advice: 'Check the domain, which may be removed already.',
  });

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
  hint: `${DEFINITION_ADVICE} Nothing was changed.`,
};

export const DEFINITION_REFUSED: ErrorTextsByStatus = {
  400: REFUSED,
  409: {
    message: 'Someone else changed the definition of this list at the same time',
    hint: 'Nothing was replaced. Read it again with Definition: Get, then repeat your change.',
  },
  422: REFUSED,
};
