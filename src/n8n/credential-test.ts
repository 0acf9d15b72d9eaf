import { NodeOperationError, type ICredentialTestFunction, type INode } from 'n8n-workflow';

import { api } from '../service/endpoints';
import { sendWithoutLimiter } from '../client/client';
import type { Query } from '../client/call';
import { ServiceError } from '../client/errors';
import { loadRedis } from '../client/limiter/key-limiter';
import type { ClientSettings } from '../client/settings';
import { findObject } from '../run/responses/rows';
import { isJsonObject } from '../values/json';
import { toError } from './failures';
import { readCredential } from './open-run';

/** Short, because the user waits for the test. */
const TIMEOUT_MS = 15_000;
const REDIS_MS = 3_000;

interface Probe {
  readonly path: string;
  readonly query?: Query;
  /** Whether a response is the documented one, and not that of another API. */
  readonly isExpected: (json: unknown) => boolean;
  readonly forbidden: string;
}

export const testOrganizationKey = createCredentialTest({
  path: api.technologies.path,
  query: { q: 'a', limit: 1 },
  isExpected: (json) => isJsonObject(json) && Array.isArray(json[api.technologies.rows]),
  forbidden:
    'This key has no permission to search technologies. Ask your service administrator for access.',
});

/** Only user keys can read the catalog, so this also verifies the kind of key. */
export const testUserKey = createCredentialTest({
  path: api.filterFields.path,
  isExpected: (json) =>
    isJsonObject(json) && findObject(json, ['registry_version']).registry_version !== undefined,
  forbidden:
    'This is an organization key. Use the credential type "Company Intelligence Organization API", or enter a user key.',
});

const NOT_FOUND =
  'The service was not found at this Base URL. Enter the address of its API, which often differs from its website.';
const ANOTHER_API =
  'Another API responds at this Base URL: its response is not the documented one. Enter the address of the service.';

/** Errors name a node, and a credential test has none. */
const PLACEHOLDER_NODE: INode = {
  id: 'credential-test',
  name: 'Credential Test',
  type: 'n8n-nodes-company-intelligence.companyLookup',
  typeVersion: 1,
  position: [0, 0],
  parameters: {},
};

/** One free request and, with a Redis URL, a command to Redis. */
function createCredentialTest(probe: Probe): ICredentialTestFunction {
  return async ({ data = {} }) => {
    try {
      const settings = readCredential(PLACEHOLDER_NODE, data);
      const json = await sendProbe(settings, probe);
      if (!probe.isExpected(json)) return { status: 'Error', message: ANOTHER_API };
      const fault = settings.redis && (await loadRedis().findRedisFault(settings.redis, REDIS_MS));
      return fault === undefined
        ? { status: 'OK', message: 'Connection successful!' }
        : { status: 'Error', message: `The key works, but its Redis can't be used: ${fault}.` };
    } catch (error) {
      return { status: 'Error', message: explainFailure(toError(error), probe) };
    }
  };
}

async function sendProbe(settings: ClientSettings, { path, query = {} }: Probe): Promise<unknown> {
  return await sendWithoutLimiter(
    settings,
    { method: 'GET', path, query, repeatable: true, read: ({ json }) => json },
    TIMEOUT_MS,
  );
}

function explainFailure(error: Error, { forbidden }: Probe): string {
  if (!(error instanceof ServiceError)) {
    const { description } =
      error instanceof NodeOperationError ? error : { description: undefined };
    return joinSentences(error.message, description);
  }
  const { status, message, hint } = error;
  if (status === 403) return forbidden;
  if (status === 404) return NOT_FOUND;
  // The hints for runs name retries and runs, and a credential test has neither.
  const isTemporary = status === 429 || (status ?? 0) >= 500;
  return joinSentences(message, isTemporary ? 'Try again later.' : hint);
}

function joinSentences(message: string, advice: string | null | undefined): string {
  return [/[.!?]$/.test(message) ? message : `${message}.`, advice].filter(Boolean).join(' ');
}
