import { InputError } from '../../input/inputs';

/**
 * A user in a body: `email` for an e-mail address, `user_id` for anything else. The interface does not
 * show how users are named.
 *
 * @throws {InputError} when there is none.
 */
export function userFieldsOf(value: unknown): Record<string, string> {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  if (text === '') {
    throw new InputError('No user is given', 'Give the id or the e-mail address of a user.');
  }
  return text.includes('@') ? { email: text } : { user_id: text };
}
