import type { INodeProperties } from 'n8n-workflow';

/** For requests of which the interface does not show the body, so that nobody depends on our names. */
export const additionalFieldsProperty: INodeProperties = {
  displayName: 'Additional Fields (JSON)',
  name: 'additionalFields',
  type: 'json',
  default: '',
  placeholder: 'e.g. { "note": "From the CRM" }',
  description:
    'A JSON object whose fields are added to the request; of the same name, these count. Empty for none.',
};
