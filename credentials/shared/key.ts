import type { IAuthenticateGeneric, ICredentialType, INodeProperties } from 'n8n-workflow';

/*
 * Neither type has its own `test`: n8n would prefer it to the test that a node offers, and would report
 * connection problems only as a code (ECONNREFUSED). Company Lookup tests both types (`testedBy`).
 */

/** Icons of both credential types. */
export const icon: NonNullable<ICredentialType['icon']> = {
  light: 'file:companyIntelligence.svg',
  dark: 'file:companyIntelligence.dark.svg',
};

/** The key is sent only in this header (API spec: Authentication, rule 1). */
export const authenticate: IAuthenticateGeneric = {
  type: 'generic',
  properties: { headers: { 'X-API-Key': '={{ $credentials.apiKey }}' } },
};

/** Returns the fields of both credential types. */
export function keyFields(apiKeyDescription: string): INodeProperties[] {
  return [
    {
      displayName: 'Base URL',
      name: 'baseUrl',
      type: 'string',
      required: true,
      default: '',
      placeholder: 'https://api.example.com',
      description: 'URL of the service, without /v1',
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      required: true,
      default: '',
      description: apiKeyDescription,
    },
    {
      displayName: 'Requests per Minute',
      name: 'requestsPerMinute',
      type: 'number',
      typeOptions: { minValue: 1 },
      default: 600,
      description: 'Rate limit of the key. Lower it if other programs use the same key.',
    },
    {
      displayName: 'Max Credits per Run',
      name: 'maxCreditsPerRun',
      type: 'number',
      typeOptions: { minValue: 0 },
      default: 0,
      description:
        'Maximum credits that one run of a node may spend, also as a tool of an agent; 0 means no limit. Max Credits in a node can only lower this limit.',
    },
    {
      displayName: 'Redis URL',
      name: 'redisUrl',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      placeholder: 'redis://:password@redis:6379/1',
      description:
        'Only in queue mode: the workers share the rate limit of the key through this Redis, which can be the one of the queue',
    },
  ];
}
