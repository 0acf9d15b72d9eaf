import { setMaxListeners } from 'node:events';

import {
  NodeOperationError,
  type ICredentialDataDecryptedObject,
  type IExecuteFunctions,
  type ILoadOptionsFunctions,
  type INode,
  type IPollFunctions,
} from 'n8n-workflow';

import { LIMITS } from '../input/limits';
import { quote, textOf } from '../input/quote';
import { Client } from '../client/client';
import {
  normalizeBaseUrl,
  RATE_LIMITS,
  readRedisUrl,
  REAL_TIME,
  type ClientSettings,
} from '../client/settings';
import { Brake } from '../run/brake';
import { CreditGuard } from '../run/credit-guard';
import { Run } from '../run/run';
import { asError, onErrorOf } from './failures';
import { hint } from './figures';
import { assertAddressAllowed } from './n8n-versions';
import type { RunLimits } from './parameters/read';
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

/** Bounds of the runs that use a credential. */
interface Bounds {
  /** Domains per request. */
  readonly maxBatchSize: number;
  /** Credits that a run may spend; 0 for no limit. */
  readonly maxCreditsPerRun: number;
}

type Settings = ClientSettings & Bounds;

/** Where a credential is used: in a run, in the editor, or in a poll. */
type Context = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/**
 * Begins the run of one node execution: Stop and timeouts end it, Max Credits bounds it, and with On
 * Error: Stop its first failure does. The credential's Max Credits per Run bounds it too; a node can
 * only lower it.
 *
 * @param credits if other than Max Credits bounds it.
 * @throws {NodeOperationError} when the credential that the node's `authentication` parameter selects is
 * missing, malformed, or not allowed to be used with its own base URL's host.
 */
export async function openRun(
  context: IExecuteFunctions,
  limits: RunLimits,
  credits = guardOf(limits),
): Promise<Run> {
  const told: string[] = [];
  const tell = (message: string) => {
    told.push(message);
    context.addExecutionHints(hint(message, 'warning'));
  };
  const { client, maxBatchSize, maxCreditsPerRun } = await openClient(context, limits, tell);
  const run = new Run(client, maxBatchSize, {
    signal: cancelSignalOf(context),
    brake: new Brake(onErrorOf(context) === 'stop'),
    tell,
    // The node's own limit, or the credential's where that is lower.
    credits: credits.lowered(maxCreditsPerRun),
  });
  opened.set(context, [...runsOf(context), { run, told }]);
  return run;
}

/** A run, and what it has told its user so far. */
interface OpenedRun {
  readonly run: Run;
  readonly told: readonly string[];
}

const opened = new WeakMap<IExecuteFunctions, readonly OpenedRun[]>();

/** The runs of a node execution so far. */
export function runsOf(context: IExecuteFunctions): readonly OpenedRun[] {
  return opened.get(context) ?? [];
}

/** The credential's Max Credits per Run; 0 for no limit, and where the credential cannot be used. */
export async function maxCreditsPerRunOf(context: IExecuteFunctions): Promise<number> {
  try {
    return (await settingsOf(context)).maxCreditsPerRun;
  } catch {
    return 0;
  }
}

/** The same for what the editor asks while a node is set up. */
export async function openRunForEditor(context: ILoadOptionsFunctions): Promise<Run> {
  const { client, maxBatchSize } = await openClient(context, {});
  return new Run(client, maxBatchSize);
}

/**
 * The same for one poll of a trigger: what the user should know goes to the log, the only place where
 * a poll can say it.
 *
 * @returns the run, and what stands for its key; see `KeyState`.
 */
export async function openRunForPoll(
  context: IPollFunctions,
  limits: RunLimits,
): Promise<{ readonly run: Run; readonly keyId: string }> {
  const { client, maxBatchSize, maxCreditsPerRun } = await openClient(context, limits);
  const run = new Run(client, maxBatchSize, {
    tell: (message) => {
      context.logger.warn(message);
    },
    credits: guardOf(limits).lowered(maxCreditsPerRun),
  });
  return { run, keyId: client.keyId };
}

/** The run's credit guard; 0 means no limit. */
function guardOf({ maxCredits = 0 }: RunLimits): CreditGuard {
  return new CreditGuard(maxCredits === 0 ? undefined : maxCredits);
}

/** The signal of Stop and of the execution's timeout. */
function cancelSignalOf(context: IExecuteFunctions): AbortSignal | undefined {
  const signal = context.getExecutionCancelSignal();
  // Every request under way listens to it; Node would take more than ten for a leak.
  if (signal !== undefined) setMaxListeners(0, signal);
  return signal;
}

/** @param limits how long requests may take and wait; as usual where the user chose nothing. */
async function openClient(
  context: Context,
  { maxRateLimitWaitMinutes: waitMinutes, requestTimeoutSeconds: timeoutSeconds }: RunLimits,
  tell?: (message: string) => void,
): Promise<{ readonly client: Client } & Bounds> {
  const { maxBatchSize, maxCreditsPerRun, ...settings } = await settingsOf(context);
  const timing = {
    ...REAL_TIME,
    ...(waitMinutes === undefined ? {} : { maxRateLimitWaitMs: waitMinutes * 60_000 }),
    ...(timeoutSeconds === undefined ? {} : { requestTimeoutMs: timeoutSeconds * 1000 }),
  };
  const client = Client.open(settings, timing, (message) => {
    context.logger.warn(message);
    tell?.(message);
  });
  return { client, maxBatchSize, maxCreditsPerRun };
}

async function settingsOf(context: Context): Promise<Settings> {
  const choice = chosenKey(context);
  const node = context.getNode();
  if (choice === WITHOUT_KEY && node.parameters.baseUrl !== undefined) {
    return readAddress(node, node.parameters.baseUrl);
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
function readAddress(node: INode, address: unknown): Settings {
  const baseUrl = readField(node, 'this node', 'Base URL', () => normalizeBaseUrl(textOf(address)));
  const { batchSize: maxBatchSize } = LIMITS;
  return { ...RATE_LIMITS, baseUrl, apiKey: '', maxBatchSize, maxCreditsPerRun: 0 };
}

/**
 * Reads what the user filled in, whether or not a client is opened with it.
 *
 * @throws {NodeOperationError} when it cannot be used; its description says what to correct.
 */
export function readCredential(node: INode, data: ICredentialDataDecryptedObject): Settings {
  const { baseUrl: address, redisUrl, maxCreditsPerRun: credits } = data;
  const apiKey = typeof data.apiKey === 'string' ? data.apiKey.trim() : '';
  if (typeof address !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new NodeOperationError(node, 'The credential has no usable API key', {
      description: 'Open the credential and paste the key again, without spaces or line breaks.',
    });
  }
  const ofCredential = <T>(field: string, read: () => T) =>
    readField(node, 'the credential', field, read);
  const baseUrl = ofCredential('Base URL', () => normalizeBaseUrl(address));
  const maxCreditsPerRun = ofCredential('Max Credits per Run', () => creditsOf(credits));
  // Credentials saved before the field was there have none.
  const redis = ofCredential('Redis URL', () =>
    readRedisUrl(typeof redisUrl === 'string' ? redisUrl : ''),
  );
  assertAddressAllowed(node, data, baseUrl);
  return {
    apiKey,
    baseUrl,
    redis,
    requestsPerMinute: positive(data.requestsPerMinute, RATE_LIMITS.requestsPerMinute),
    requestsPerDay: positive(data.requestsPerDay, RATE_LIMITS.requestsPerDay),
    maxBatchSize: positive(data.maxBatchSize, LIMITS.batchSize),
    maxCreditsPerRun,
  };
}

function positive(value: unknown, fallback: number): number {
  const count = Number(value);
  return Number.isSafeInteger(count) && count > 0 ? count : fallback;
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
