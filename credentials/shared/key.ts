import type { IAuthenticateGeneric, ICredentialType, INodeProperties } from 'n8n-workflow';

/*
 * Neither type has a `test` of its own: n8n would take that one, whatever a node offers, and tells what
 * goes wrong on the way by a bare code (ECONNREFUSED). Company Lookup tests both (`testedBy`).
 */

/** Icons of both credential types. */
export const icon: NonNullable<ICredentialType['icon']> = {
  light: 'file:companyIntelligence.svg',
  dark: 'file:companyIntelligence.dark.svg',
};

/** The key travels in this header and nowhere else (interface: Authentication, rule 1). */
export const authenticate: IAuthenticateGeneric = {
  type: 'generic',
  properties: { headers: { 'X-API-Key': '={{ $credentials.apiKey }}' } },
};

/** The fields of both credential types. */
export function keyFields(apiKeyDescription: string): INodeProperties[] {
  return [
    {
      displayName: 'Base URL',
      name: 'baseUrl',
      type: 'string',
      required: true,
      default: '',
      placeholder: 'https://api.example.com',
      description: 'Address of the service, without /v1',
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
      description: 'The rate limit of the key. Lower it when other programs use the same key.',
    },
    {
      displayName: 'Requests per Day',
      name: 'requestsPerDay',
      type: 'number',
      typeOptions: { minValue: 1 },
      default: 100000,
      description: 'The daily limit of the key. Lower it when other programs use the same key.',
    },
    {
      displayName: 'Max Batch Size',
      name: 'maxBatchSize',
      type: 'number',
      typeOptions: { minValue: 1, maxValue: 100 },
      default: 100,
      description:
        'The most domains to send in one request. A lower ceiling of the key is found out by itself.',
    },
    {
      displayName: 'Max Credits per Run',
      name: 'maxCreditsPerRun',
      type: 'number',
      typeOptions: { minValue: 0 },
      default: 0,
      description:
        'The most credits that one run of a node may spend, also as a tool of an agent; 0 for no limit. Max Credits in a node can only lower it.',
    },
    {
      displayName: 'Redis URL',
      name: 'redisUrl',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      placeholder: 'redis://:password@redis:6379/1',
      description:
        'Only for several n8n processes with the same key, as in queue mode: they share its rate limit through this Redis. It can be the one of the queue. Leave empty otherwise.',
    },
  ];
}
