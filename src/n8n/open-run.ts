import { setMaxListeners } from 'node:events';
import { env } from 'node:process';
import { isDeepStrictEqual } from 'node:util';

import {
  NodeOperationError,
  type ICredentialDataDecryptedObject,
  type IExecuteFunctions,
  type ILoadOptionsFunctions,
  type INode,
  type IPollFunctions,
} from 'n8n-workflow';

import { toText, quote } from '../values/text';
import { Client } from '../client/client';
import { loadRedis } from '../client/limiter/key-limiter';
import {
  normalizeBaseUrl,
  REQUESTS_PER_MINUTE,
  REAL_TIME,
  type ClientSettings,
} from '../client/settings';
import { CircuitBreaker, CreditBudget } from '../run/run-guards';
import { Run } from '../run/run';
import { toError, getOnError } from './failures';
import { createHint } from './run-hints';
import { assertAddressAllowed } from './n8n-versions';
import type { RunLimits } from './parameters/readers';
import { adviseChoices, parseNumber } from './parameters/parsers';

const CREDENTIAL_TYPES = {
  userKey: 'companyIntelligenceUserApi',
  organizationKey: 'companyIntelligenceOrganizationApi',
} as const;

/** As the editor shows them. */
export const KEY_CHOICES = [
  { name: 'User Key', value: 'userKey' },
  { name: 'Organization Key', value: 'organizationKey' },
] as const;

export const WITHOUT_KEY = 'none';

/** Nodes without the parameter, which are those for lists, need a user key (API spec: Lists). */
const DEFAULT_CREDENTIAL = 'userKey';

type Settings = ClientSettings & { readonly maxCreditsPerRun: number };

type Context = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** Stop, timeouts, Max Credits and, with On Error set to Stop Workflow, the first failure end the run. */
export async function openRun(context: IExecuteFunctions, limits: RunLimits): Promise<Run> {
  const warnings: string[] = [];
  const warn = (message: string) => {
    warnings.push(message);
    context.addExecutionHints(createHint(message, 'warning'));
  };
  const { client, maxCreditsPerRun } = await openClient(context, warn);
  const signal = context.getExecutionCancelSignal();
  // Every request in flight listens to it; Node.js would warn of a leak at more than ten listeners.
  if (signal !== undefined) setMaxListeners(0, signal);
  const run = new Run(client, {
    signal,
    breaker: new CircuitBreaker(getOnError(context) === 'stop'),
    warn,
    credits: createCreditBudget(limits, maxCreditsPerRun),
  });
  opened.set(context, [...getOpenedRuns(context), { run, warnings }]);
  return run;
}

interface OpenedRun {
  readonly run: Run;
  readonly warnings: readonly string[];
}

const opened = new WeakMap<IExecuteFunctions, readonly OpenedRun[]>();

export function getOpenedRuns(context: IExecuteFunctions): readonly OpenedRun[] {
  return opened.get(context) ?? [];
}

export async function openRunForEditor(context: ILoadOptionsFunctions): Promise<Run> {
  const { client } = await openClient(context);
  return new Run(client);
}

/** Warnings go to the log, because a poll cannot show hints. */
export async function openRunForPoll(
  context: IPollFunctions,
  limits: RunLimits,
): Promise<{ readonly run: Run; readonly baseUrl: string }> {
  const { client, maxCreditsPerRun } = await openClient(context);
  const run = new Run(client, {
    warn: (message) => {
      context.logger.warn(message);
    },
    credits: createCreditBudget(limits, maxCreditsPerRun),
  });
  return { run, baseUrl: client.baseUrl };
}

/** With the lower limit of node and credential; 0 means no limit. */
function createCreditBudget({ maxCredits = 0 }: RunLimits, perRun: number): CreditBudget {
  const isLower = perRun > 0 && (maxCredits === 0 || perRun < maxCredits);
  return isLower
    ? new CreditBudget(perRun, 'credential')
    : new CreditBudget(maxCredits || undefined);
}

const OWN_LIMIT_OF_WORKERS =
  'The service rate limited this key. Each n8n worker has its own limit: workers share the limit only with a Redis URL in the credential.';

async function openClient(
  context: Context,
  warn?: (message: string) => void,
): Promise<{ readonly client: Client; readonly maxCreditsPerRun: number }> {
  const { maxCreditsPerRun, ...settings } = await readSettings(context);
  const timing = { ...REAL_TIME, timeZone: context.getTimezone() };
  const sharesLimit = env.EXECUTIONS_MODE !== 'queue' || settings.redis !== undefined;
  const throttledWarning = sharesLimit ? undefined : OWN_LIMIT_OF_WORKERS;
  const client = Client.open({ ...settings, throttledWarning }, timing, (message) => {
    context.logger.warn(message);
    warn?.(message);
  });
  return { client, maxCreditsPerRun };
}

async function readSettings(context: Context): Promise<Settings> {
  const choice = readChosenKey(context);
  const node = context.getNode();
  if (choice === WITHOUT_KEY && node.parameters.baseUrl !== undefined) {
    return readAddress(node, node.parameters.baseUrl);
  }
  const types = new Map<unknown, string>(Object.entries(CREDENTIAL_TYPES));
  const type = types.get(choice === undefined ? DEFAULT_CREDENTIAL : choice);
  if (type !== undefined) {
    const credential = await context.getCredentials(type);
    if ('getInputData' in context) await assertSameForItems(context, type, credential);
    return readCredential(node, credential);
  }
  throw new NodeOperationError(node, `"Authentication" has the invalid value ${quote(choice)}`, {
    description: adviseChoices(KEY_CHOICES),
  });
}

/** Number of items whose credential is compared, the first and the last one included. */
const COMPARED_ITEMS = 12;

/** @throws {NodeOperationError} If values of the credential are expressions that differ between items. */
async function assertSameForItems(
  context: IExecuteFunctions,
  type: string,
  first: ICredentialDataDecryptedObject,
): Promise<void> {
  const last = context.getInputData().length - 1;
  const steps = Math.min(last, COMPARED_ITEMS - 1);
  for (let step = 1; step <= steps; step += 1) {
    const other = await context.getCredentials(type, Math.round((step * last) / steps));
    if (isDeepStrictEqual(other, first)) continue;
    throw new NodeOperationError(context.getNode(), 'The credential differs between the items', {
      description:
        'Use one credential per node, or a Loop Over Items node with one item per batch. Nothing was sent.',
    });
  }
}

function readChosenKey(context: Context): unknown {
  if ('getCurrentNodeParameter' in context) {
    return context.getCurrentNodeParameter('authentication');
  }
  // A poll has no items, so no item index.
  if ('__emit' in context) return context.getNodeParameter('authentication', DEFAULT_CREDENTIAL);
  return context.getNodeParameter('authentication', 0, DEFAULT_CREDENTIAL);
}

function readAddress(node: INode, address: unknown): Settings {
  const baseUrl = readField(node, 'this node', 'Base URL', () => normalizeBaseUrl(toText(address)));
  return { requestsPerMinute: REQUESTS_PER_MINUTE, baseUrl, apiKey: '', maxCreditsPerRun: 0 };
}

export function readCredential(node: INode, data: ICredentialDataDecryptedObject): Settings {
  // Credentials that were saved before a field existed do not have it.
  const { requestsPerMinute = REQUESTS_PER_MINUTE, maxCreditsPerRun = 0 } = data;
  const { baseUrl: address, redisUrl } = data;
  const apiKey = typeof data.apiKey === 'string' ? data.apiKey.trim() : '';
  if (typeof address !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new NodeOperationError(node, 'The credential has no usable API key', {
      description: 'Open the credential and paste the key again, without spaces or line breaks.',
    });
  }
  const readCredentialField = <T>(field: string, read: () => T) =>
    readField(node, 'the credential', field, read);
  // An unreadable limit must not count as no limit, or as another.
  const readCount = (field: string, value: unknown, min: number) =>
    readCredentialField(field, () => parseNumber(value, field, { min, whole: true }));
  const baseUrl = readCredentialField('Base URL', () => normalizeBaseUrl(address));
  const redis = readCredentialField('Redis URL', () =>
    typeof redisUrl === 'string' && redisUrl !== ''
      ? loadRedis().parseRedisUrl(redisUrl)
      : undefined,
  );
  assertAddressAllowed(node, data, baseUrl);
  return {
    apiKey,
    baseUrl,
    redis,
    requestsPerMinute: readCount('Requests per Minute', requestsPerMinute, 1),
    maxCreditsPerRun: readCount('Max Credits per Run', maxCreditsPerRun, 0),
  };
}

function readField<T>(node: INode, where: string, field: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new NodeOperationError(node, toError(error).message, {
      description: `Open ${where} and correct its ${field}.`,
    });
  }
}
