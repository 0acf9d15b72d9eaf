import type { Words } from '../../client/meaning';
import { quote } from '../quote';

/**
 * What a 404 of a list's endpoint means. The service answers a list that does not exist and one the
 * caller may not see identically, without a code (interface: Lists, rule 4).
 *
 * @param orElse what else may be missing, where the path names more than the list.
 */
export function listNotFound(listId: string, orElse?: string): Words {
  const list = `The list ${quote(listId)} does not exist, or this user may not see it`;
  return {
    message: orElse === undefined ? list : `${list}, or ${orElse}`,
    hint: 'Check the list id, and that the key belongs to a user who has access: the service does not tell the two apart. Get Many of Company List shows what this user can see. If that fails too, check the Base URL in the credential.',
  };
}
