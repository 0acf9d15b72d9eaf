import { jsonObject } from '../../src/n8n/parameters/declare';

/** For requests of which the interface does not show the body, so that nobody depends on our names. */
export const additionalFields = jsonObject({
  displayName: 'Additional Fields (JSON)',
  name: 'additionalFields',
  type: 'json',
  default: '{}',
  placeholder: 'e.g. { "note": "From the CRM" }',
  description:
    'A JSON object whose fields are added to the request; where both have a field, this one counts. Empty for none.',
});
