import {
  NodeOperationError,
  type ICredentialDataDecryptedObject,
  type IExecuteFunctions,
  type ILoadOptionsFunctions,
  type INode,
  type IPollFunctions,
} from 'n8n-workflow';
import { z } from 'zod/v4';

import { LIMITS } from '../api/limits';
import { quote } from '../api/quote';
import { Client } from '../client/client';
import { readRedisUrl } from '../client/limiter/shared/redis-address';
import {
  normalizeBaseUrl,
  RATE_LIMITS,
  REAL_TIME,
  type ClientSettings,
  type Timing,
} from '../client/settings';
import { fingerprint } from '../watch/fingerprint';
import { asError } from './failures';
import { assertAddressAllowed } from './n8n-versions';

/** Values of the `authentication` parameter and the credential type each stands for. */
const CREDENTIAL_TYPES = {
  userKey: 'companyIntelligenceUserApi',
  organizationKey: 'companyIntelligenceOrganizationApi',
} as const;

/** Nodes without the parameter, those of lists, take user keys only (interface: Lists). */
const DEFAULT_CREDENTIAL = 'userKey';

const positive = (fallback: number) =>
  z.coerce
    .number()
    .int()
    .min(1)
    .catch(() => fallback);

const credentialData = z.object({
  baseUrl: z.string(),
  apiKey: z
    .string()
    .trim()
    .regex(/^[\x21-\x7e]+$/),
  requestsPerMinute: positive(RATE_LIMITS.requestsPerMinute),
  requestsPerDay: positive(RATE_LIMITS.requestsPerDay),
  maxBatchSize: positive(LIMITS.batchSize),
  // Credentials saved before the field was there have none.
  redisUrl: z.string().catch(''),
});

/** Where a credential is used: in a run, in the editor, or in a poll. */
type Context = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

export interface Connection {
  readonly client: Client;
  /** Stands for the service and the key, and shows neither. */
  readonly keyId: string;
  /** Domains per request that the credential allows. */
  readonly maxBatchSize: number;
}

/**
 * Opens the client of the credential that the node's `authentication` parameter selects.
 *
 * @param timing limits of this run that differ from the usual.
 * @throws {NodeOperationError} when the credential is missing, malformed, or not allowed to be used
 * with its own base URL's host.
 */
export async function openClient(
  context: Context,
  timing: Partial<Timing> = {},
): Promise<Connection> {
  const data = await context.getCredentials(credentialTypeOf(context));
  const { maxBatchSize, ...settings } = readCredential(context.getNode(), data);
  const client = await Client.open(settings, { ...REAL_TIME, ...timing }, (message) => {
    context.logger.warn(message);
    if ('addExecutionHints' in context) {
      context.addExecutionHints({ type: 'warning', location: 'outputPane', message });
    }
  });
  return { client, maxBatchSize, keyId: fingerprint([settings.baseUrl, settings.apiKey]) };
}

function credentialTypeOf(context: Context): string {
  const choice = chosenKey(context);
  const types = new Map<unknown, string>(Object.entries(CREDENTIAL_TYPES));
  const type = types.get(choice ?? DEFAULT_CREDENTIAL);
  if (type !== undefined) return type;
  throw new NodeOperationError(context.getNode(), `"Authentication" cannot be ${quote(choice)}`, {
    description: `Use one of: ${[...types.keys()].join(', ')}.`,
  });
}

function chosenKey(context: Context): unknown {
  if ('getCurrentNodeParameter' in context) {
    return context.getCurrentNodeParameter('authentication');
  }
  // A poll has no items, and so no index.
  if ('__emit' in context) return context.getNodeParameter('authentication', DEFAULT_CREDENTIAL);
  return context.getNodeParameter('authentication', 0, DEFAULT_CREDENTIAL);
}

function readCredential(
  node: INode,
  data: ICredentialDataDecryptedObject,
): ClientSettings & { maxBatchSize: number } {
  const parsed = credentialData.safeParse(data);
  if (!parsed.success) {
    throw new NodeOperationError(node, 'The credential has no usable API key', {
      description: 'Open the credential and paste the key again, without spaces or line breaks.',
    });
  }
  const { redisUrl, ...limits } = parsed.data;
  const baseUrl = readField(node, 'Base URL', () => normalizeBaseUrl(limits.baseUrl));
  const redis = readField(node, 'Redis URL', () => readRedisUrl(redisUrl));
  assertAddressAllowed(node, data, baseUrl);
  return { ...limits, baseUrl, redis };
}

function readField<T>(node: INode, field: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new NodeOperationError(node, asError(error).message, {
      description: `Open the credential and correct its ${field}.`,
    });
  }
}
