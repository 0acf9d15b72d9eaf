import {
  NodeOperationError,
  type ICredentialDataDecryptedObject,
  type IExecuteFunctions,
  type ILoadOptionsFunctions,
  type INode,
  type IPollFunctions,
} from 'n8n-workflow';
import { z } from 'zod/v4';

import { LIMITS } from '../input/limits';
import { quote, textOf } from '../input/quote';
import { normalizeBaseUrl } from '../client/settings';
import { Client } from '../client/client';
import { readRedisUrl } from '../client/limiter/shared/redis-address';
import { RATE_LIMITS, REAL_TIME, type ClientSettings, type Timing } from '../client/settings';
import { asError } from './failures';
import { hint } from './hint';
import { assertAddressAllowed } from './n8n-versions';
import { numberOf } from './parameters/values';

/** Values of the `authentication` parameter and the credential type each stands for. */
const CREDENTIAL_TYPES = {
  userKey: 'companyIntelligenceUserApi',
  organizationKey: 'companyIntelligenceOrganizationApi',
} as const;

/** The value of a node that sends no key: its address is the parameter `baseUrl`. */
export const WITHOUT_KEY = 'none';

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
  // Credentials saved before these fields were there have none; zod from 4.6 on wants to be told.
  redisUrl: z.string().catch(''),
  maxCreditsPerRun: z.unknown().optional(),
});

type Settings = ClientSettings & Pick<Connection, 'maxBatchSize' | 'maxCreditsPerRun'>;

/** Where a credential is used: in a run, in the editor, or in a poll. */
type Context = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

export interface Connection {
  readonly client: Client;
  /** Domains per request that the credential allows. */
  readonly maxBatchSize: number;
  /** Credits that a run may spend with this credential; 0 for no limit. */
  readonly maxCreditsPerRun: number;
}

/**
 * Opens the client of the credential that the node's `authentication` parameter selects, or one without
 * a key.
 *
 * @param timing limits of this run that differ from the usual.
 * @throws {NodeOperationError} when the credential is missing, malformed, or not allowed to be used
 * with its own base URL's host.
 */
export async function openClient(
  context: Context,
  timing: Partial<Timing> = {},
): Promise<Connection> {
  const { maxBatchSize, maxCreditsPerRun, ...settings } = await settingsOf(context);
  const client = await Client.open(settings, { ...REAL_TIME, ...timing }, (message) => {
    context.logger.warn(message);
    if ('addExecutionHints' in context) {
      context.addExecutionHints(hint(message, 'warning'));
    }
  });
  return { client, maxBatchSize, maxCreditsPerRun };
}

async function settingsOf(context: Context): Promise<Settings> {
  const choice = chosenKey(context);
  const node = context.getNode();
  if (choice === WITHOUT_KEY && node.parameters.baseUrl !== undefined) {
    return {
      ...readAddress(node, node.parameters.baseUrl),
      maxBatchSize: LIMITS.batchSize,
      maxCreditsPerRun: 0,
    };
  }
  const types = new Map<unknown, string>(Object.entries(CREDENTIAL_TYPES));
  const type = types.get(choice === undefined ? DEFAULT_CREDENTIAL : choice);
  if (type !== undefined) return readCredential(node, await context.getCredentials(type));
  throw new NodeOperationError(
    node,
    `"Authentication" cannot be ${quote(choice)}. Use one of: ${[...types.keys()].join(', ')}`,
    { description: 'Nothing was sent.' },
  );
}

function chosenKey(context: Context): unknown {
  if ('getCurrentNodeParameter' in context) {
    return context.getCurrentNodeParameter('authentication');
  }
  // A poll has no items, and so no index.
  if ('__emit' in context) return context.getNodeParameter('authentication', DEFAULT_CREDENTIAL);
  return context.getNodeParameter('authentication', 0, DEFAULT_CREDENTIAL);
}

/** The service at an address that is in the node itself. */
function readAddress(node: INode, address: unknown): ClientSettings {
  const baseUrl = readField(node, 'this node', 'Base URL', () => normalizeBaseUrl(textOf(address)));
  return { ...RATE_LIMITS, baseUrl, apiKey: '' };
}

/**
 * Reads what the user filled in, whether or not a client is opened with it.
 *
 * @throws {NodeOperationError} when it cannot be used; its description says what to correct.
 */
export function readCredential(node: INode, data: ICredentialDataDecryptedObject): Settings {
  const parsed = credentialData.safeParse(data);
  if (!parsed.success) {
    throw new NodeOperationError(node, 'The credential has no usable API key', {
      description: 'Open the credential and paste the key again, without spaces or line breaks.',
    });
  }
  const { redisUrl, maxCreditsPerRun: credits, ...limits } = parsed.data;
  const ofCredential = <T>(field: string, read: () => T) =>
    readField(node, 'the credential', field, read);
  const baseUrl = ofCredential('Base URL', () => normalizeBaseUrl(limits.baseUrl));
  const maxCreditsPerRun = ofCredential('Max Credits per Run', () => creditsOf(credits));
  const redis = ofCredential('Redis URL', () => readRedisUrl(redisUrl));
  assertAddressAllowed(node, data, baseUrl);
  return { ...limits, baseUrl, redis, maxCreditsPerRun };
}

/** A safety that cannot be read must not be taken for none. */
function creditsOf(value: unknown): number {
  return numberOf(value ?? 0, 'Max Credits per Run', { min: 0, whole: true });
}

function readField<T>(node: INode, where: string, field: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new NodeOperationError(node, asError(error).message, {
      description: `Open ${where} and correct its ${field}.`,
    });
  }
}
