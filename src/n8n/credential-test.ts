import {
  NodeOperationError,
  type ICredentialDataDecryptedObject,
  type ICredentialTestFunction,
  type INode,
} from 'n8n-workflow';

import { api } from '../service/endpoints';
import { askOnce } from '../client/client';
import type { Query } from '../client/call';
import { invalidResponse, ServiceError } from '../client/errors';
import { parseJson } from '../client/answer';
import { asError } from './failures';
import { readCredential } from './open-run';

/** Somebody looks at the Test button meanwhile. */
const TIMEOUT_MS = 15_000;

/** A request that shows whether a key works and costs no credits, and what a 403 to it means. */
interface Probe {
  readonly path: string;
  readonly query?: Query;
  readonly forbidden: string;
}

/** For a key of an organization. */
export const testOrganizationKey = testedWith({
  path: api.technologies.path,
  query: { q: 'a', limit: 1 },
  forbidden:
    'This key may not search technologies. Ask whoever administers the service for access.',
});

/** For a key of a user: only those may read the catalogue, so this proves the kind of the key as well. */
export const testUserKey = testedWith({
  path: api.filterFields.path,
  forbidden:
    'This is an organization key. Use the credential type "Company Intelligence Organization API" for it, or paste a user key.',
});

const REDIRECT =
  'The service answered with a redirect, which is not followed because the API key would go to another address. Set the Base URL to the final address of the service.';

/** What is more to the point of a credential than what the statuses mean for runs. */
const BY_STATUS: Readonly<Record<number, string>> = {
  401: 'The service did not accept this API key. Check it for typing errors, or get a new one.',
  404: 'There is no such service at this Base URL. It is the address without /v1.',
  429: 'The rate limit of this key is used up just now. Try again in a minute.',
};

/** Errors name a node; the Test button belongs to none. */
const NO_NODE: INode = {
  id: 'credential-test',
  name: 'Credential Test',
  type: 'n8n-nodes-company-intelligence.companyLookup',
  typeVersion: 1,
  position: [0, 0],
  parameters: {},
};

/** What the Test button of a credential does: one request, which says in words what is wrong. */
function testedWith(probe: Probe): ICredentialTestFunction {
  return async ({ data = {} }) => {
    try {
      await ask(data, probe);
      return { status: 'OK', message: 'Connection successful!' };
    } catch (error) {
      return { status: 'Error', message: inWords(asError(error), probe) };
    }
  };
}

async function ask(
  data: ICredentialDataDecryptedObject,
  { path, query = {} }: Probe,
): Promise<unknown> {
  const settings = readCredential(NO_NODE, data);
  return await askOnce(
    settings,
    {
      method: 'GET',
      path,
      query,
      repeatable: true,
      anyText: true,
      read: ({ text }) => {
        if (!text.trimStart().startsWith('<')) return parseJson(text);
        throw invalidResponse(
          'A web page answered, not the service',
          'Check the Base URL: it is the address of the API, without /v1.',
        );
      },
    },
    TIMEOUT_MS,
  );
}

function inWords(error: Error, { forbidden }: Probe): string {
  if (!(error instanceof ServiceError)) {
    const { description } =
      error instanceof NodeOperationError ? error : { description: undefined };
    return sentences(error.message, description);
  }
  const { status, message, hint } = error;
  if (status === 403) return forbidden;
  if (status !== undefined && status >= 300 && status < 400) return REDIRECT;
  if (status !== undefined && status >= 500) return sentences(message, 'Try again later.');
  return BY_STATUS[status ?? 0] ?? sentences(message, hint);
}

function sentences(message: string, advice: string | null | undefined): string {
  return [/[.!?]$/.test(message) ? message : `${message}.`, advice].filter(Boolean).join(' ');
}
