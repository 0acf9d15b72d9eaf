import type { INodeProperties } from 'n8n-workflow';

/** @param who whom to give, in words. */
export function userProperty(who: string): INodeProperties {
  return {
    displayName: 'User',
    name: 'user',
    type: 'string',
    required: true,
    default: '',
    placeholder: 'e.g. nathan@example.com',
    description: `${who}: the ID or the e-mail address of a user of the organization`,
  };
}
