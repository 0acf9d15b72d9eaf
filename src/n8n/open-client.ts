import {
  NodeOperationError,
  type ICredentialDataDecryptedObject,
  type IExecuteFunctions,
  type ILoadOptionsFunctions,
  type INode,
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
import { asError } from './failures';
import { assertAddressAllowed } from './n8n-versions';
import { numberOf } from './parameters/values';

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
  // Credentials saved before these fields were there have none.
  redisUrl: z.string().catch(''),
  maxCreditsPerRun: z.unknown(),
});

export interface Connection {
  readonly client: Client;
  /** Domains per request that the credential allows. */
  readonly maxBatchSize: number;
  /** Credits that a run may spend with this credential; 0 for no limit. */
  readonly maxCreditsPerRun: number;
}

/**
 * Opens the client of the credential that the node's `authentication` parameter selects.
 *
 * @param timing limits of this run that differ from the usual.
 * @throws {NodeOperationError} when the credential is missing, malformed, or not allowed to be used
 * with its own base URL's host.
 */
export async function openClient(
  context: IExecuteFunctions | ILoadOptionsFunctions,
  timing: Partial<Timing> = {},
): Promise<Connection> {
  const data = await context.getCredentials(credentialTypeOf(context));
  const { maxBatchSize, maxCreditsPerRun, ...settings } = readCredential(context.getNode(), data);
  const client = await Client.open(settings, { ...REAL_TIME, ...timing }, (message) => {
    context.logger.warn(message);
    if ('addExecutionHints' in context) {
      context.addExecutionHints({ type: 'warning', location: 'outputPane', message });
    }
  });
  return { client, maxBatchSize, maxCreditsPerRun };
}

function credentialTypeOf(context: IExecuteFunctions | ILoadOptionsFunctions): string {
  const choice: unknown =
    'getCurrentNodeParameter' in context
      ? context.getCurrentNodeParameter('authentication')
      : context.getNodeParameter('authentication', 0, DEFAULT_CREDENTIAL);
  const types = new Map<unknown, string>(Object.entries(CREDENTIAL_TYPES));
  const type = types.get(choice ?? DEFAULT_CREDENTIAL);
  if (type !== undefined) return type;
  throw new NodeOperationError(context.getNode(), `"Authentication" cannot be ${quote(choice)}`, {
    description: `Use one of: ${[...types.keys()].join(', ')}.`,
  });
}

function readCredential(
  node: INode,
  data: ICredentialDataDecryptedObject,
): ClientSettings & Pick<Connection, 'maxBatchSize' | 'maxCreditsPerRun'> {
  const parsed = credentialData.safeParse(data);
  if (!parsed.success) {
    throw new NodeOperationError(node, 'The credential has no usable API key', {
      description: 'Open the credential and paste the key again, without spaces or line breaks.',
    });
  }
  const { redisUrl, maxCreditsPerRun: credits, ...limits } = parsed.data;
  const baseUrl = readField(node, 'Base URL', () => normalizeBaseUrl(limits.baseUrl));
  const maxCreditsPerRun = readField(node, 'Max Credits per Run', () => creditsOf(credits));
  const redis = readField(node, 'Redis URL', () => readRedisUrl(redisUrl));
  assertAddressAllowed(node, data, baseUrl);
  return { ...limits, baseUrl, redis, maxCreditsPerRun };
}

/** A safety that cannot be read must not be taken for none. */
function creditsOf(value: unknown): number {
  return numberOf(value ?? 0, 'Max Credits per Run', { min: 0, whole: true });
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
