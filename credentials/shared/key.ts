import type {
  IAuthenticateGeneric,
  ICredentialTestRequest,
  ICredentialType,
  INodeProperties,
} from 'n8n-workflow';

import { ADDRESS } from '../../src/client/base-url';

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

type Rules = NonNullable<ICredentialTestRequest['rules']>;
type Rule = Rules[number];

/**
 * The Base URL as the client uses it (`normalizeBaseUrl`); what it refuses becomes what nothing can be
 * sent to. Expressions have no URL parser.
 */
const BASE_URL = `={{ ${[
  'String($credentials.baseUrl).trim()',
  `replace(/^(?!${ADDRESS})[^]*$/i, "http://[not an address]")`,
  String.raw`replace(/^(?!https?:\/\/)/i, "https://")`,
  'replace(/[?#].*$/, "")',
  // Not where the host itself is called v1.
  String.raw`replace(/\/+$/, "").replace(/^(\w+:\/\/[^/].*)\/v1$/, "$1").replace(/\/+$/, "")`,
].join('.')} }}`;

/** A redirect could lead to another host; n8n would follow it there with the key. */
const REDIRECTS = [300, 301, 302, 303, 304, 305, 306, 307, 308];

/**
 * A request that shows whether the key works and costs no credits.
 *
 * @param url path below the base URL, `/v1/…`.
 */
export function freeTest(
  url: string,
  qs: Record<string, string | number>,
  forbidden: string,
): ICredentialTestRequest {
  return {
    request: {
      baseURL: BASE_URL,
      url,
      qs,
      disableFollowRedirect: true,
    },
    // n8n applies each rule by its own type; only its TypeScript type wants them all alike.
    rules: rulesFor(forbidden) as ICredentialTestRequest['rules'],
  };
}

/** What a failed test says, by what the service answered. */
function rulesFor(forbidden: string): Rule[] {
  return [
    {
      // The text of a web page in place of JSON: n8n looks at its first character.
      type: 'responseSuccessBody',
      properties: {
        key: '0',
        value: '<',
        message:
          'A web page answered, not the service. Check the Base URL: it is the address of the API, without /v1.',
      },
    },
    {
      type: 'responseCode',
      properties: {
        value: 401,
        message:
          'The service did not accept this API key. Check it for typing errors, or get a new one.',
      },
    },
    { type: 'responseCode', properties: { value: 403, message: forbidden } },
    {
      type: 'responseCode',
      properties: {
        value: 404,
        message: 'There is no such service at this Base URL. It is the address without /v1.',
      },
    },
    ...REDIRECTS.map((value): Rule => ({
      type: 'responseCode',
      properties: {
        value,
        message:
          'The service answered with a redirect, which is not followed because the API key would go to another address. Set the Base URL to the final address of the service.',
      },
    })),
    {
      type: 'responseCode',
      properties: {
        value: 429,
        message: 'The rate limit of this key is used up just now. Try again in a minute.',
      },
    },
  ];
}
