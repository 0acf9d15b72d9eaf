import { userFieldsOf } from '../../src/input/inputs';
import { parameter } from '../../src/n8n/parameters/declare';

/** @param who whom to give, in words. */
export function user(who: string) {
  return parameter(
    {
      displayName: 'User',
      name: 'user',
      type: 'string',
      required: true,
      default: '',
      placeholder: 'e.g. nathan@example.com',
      description: `${who}: the ID or the e-mail address of a user of the organization`,
    },
    userFieldsOf,
  );
}
