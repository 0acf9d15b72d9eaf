import { createHash } from 'node:crypto';

import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type * as LruCache from 'lru-cache';

import { InputError } from '../input/inputs';
import { shortenMessage } from '../values/text';
import {
  CancelledError,
  ServiceError,
  UnknownOutcomeError,
  createUnknownOutcomeError,
} from '../client/errors';

/** Not an error, which would keep the memory of its stack's frames. */
type Unknown = Pick<UnknownOutcomeError, 'code' | 'message' | 'hint' | 'status' | 'details'>;

type Changes = Map<string, Promise<unknown> | Unknown>;

/**
 * By node run, for an hour after its last attempt. n8n's Retry On Fail runs a node again in the same execution
 * and run, even if only one item failed, and changes that succeeded must not be repeated.
 */
let kept: LruCache.LRUCache<string, Changes> | undefined;

function changesByRun(): LruCache.LRUCache<string, Changes> {
  const { LRUCache } = require('lru-cache') as typeof LruCache;
  const memoMethod = (): Changes => new Map();
  kept ??= new LRUCache({ max: 10_000, ttl: 60 * 60_000, updateAgeOnGet: true, memoMethod });
  return kept;
}

/** Maximum length of a recorded response, in characters of JSON. */
const MAX_KEPT_LENGTH = 32 * 1024;

/** Changes of a node with Retry On Fail stay recorded however long the attempt takes. */
export async function asAttempt(
  context: IExecuteFunctions,
  act: () => Promise<INodeExecutionData[][]>,
): Promise<INodeExecutionData[][]> {
  const id = toRunId(context, 0);
  const changes = changesByRun().memo(id);
  try {
    return await act();
  } finally {
    if (changes.size > 0) changesByRun().set(id, changes);
    else changesByRun().delete(id);
  }
}

/**
 * Makes a change once per execution, node run and item: with Retry On Fail, a repeated call returns the first
 * response; it always throws the first {@link UnknownOutcomeError}. A change that certainly had no effect can
 * be retried.
 *
 * @param what Distinguishes several changes of one item.
 * @param how `repeatable`: making the change twice does no harm, so an error of the service is retried.
 */
export async function runOnce<T>(
  context: IExecuteFunctions,
  itemIndex: number,
  what: string,
  act: () => Promise<T>,
  { repeatable = false }: { readonly repeatable?: boolean } = {},
): Promise<T> {
  const changes = changesByRun().memo(toRunId(context, itemIndex));
  const id = toChangeId(itemIndex, what);
  const known = changes.get(id);
  if (known instanceof Promise) return (await known) as T;
  if (known !== undefined) throw new UnknownOutcomeError(known);
  const outcome = act();
  changes.set(id, outcome);
  try {
    const result = await outcome;
    if (context.getNode().retryOnFail !== true) {
      // Only another attempt asks for the response. An unclear failure stays, because batches are split.
      changes.delete(id);
    } else if (JSON.stringify(result ?? null).length > MAX_KEPT_LENGTH) {
      changes.set(id, toUnknown('its response was too long to keep'));
    }
    return result;
  } catch (error) {
    if (canRetry(error, repeatable)) {
      changes.delete(id);
      throw error;
    }
    const unknown = toUnknown(error);
    changes.set(id, unknown);
    // Only the attempt that was stopped gets the CancelledError.
    throw error instanceof CancelledError ? error : new UnknownOutcomeError(unknown);
  }
}

/** Returns what {@link runOnce} did in an earlier attempt. */
export async function previousResult(
  context: IExecuteFunctions,
  itemIndex: number,
  what: string,
): Promise<{ readonly value: unknown } | { readonly failure: ServiceError } | undefined> {
  const known = changesByRun().get(toRunId(context, itemIndex))?.get(toChangeId(itemIndex, what));
  if (known === undefined) return undefined;
  return known instanceof Promise
    ? { value: await known }
    : { failure: new UnknownOutcomeError(known) };
}

/** Includes the name, because nodes of imported workflows can lack IDs. */
function toRunId(context: IExecuteFunctions, itemIndex: number): string {
  const { $runIndex: runIndex } = context.getWorkflowDataProxy(itemIndex);
  const { id, name } = context.getNode();
  return JSON.stringify([context.getExecutionId(), id, name, runIndex]);
}

/** A hash, because the text can contain a body of megabytes. */
function toChangeId(itemIndex: number, what: string): string {
  const text = `${String(itemIndex)} ${what}`;
  return createHash('sha256').update(text).digest('base64');
}

function canRetry(error: unknown, repeatable: boolean): boolean {
  if (!(error instanceof ServiceError)) return error instanceof InputError;
  const isUnclear = error instanceof UnknownOutcomeError || error instanceof CancelledError;
  return error.hadNoEffect || (repeatable && !isUnclear);
}

function toUnknown(error: unknown): Unknown {
  const shown = error instanceof Error ? error.message : String(error);
  const { code, message, hint, status, details } =
    error instanceof UnknownOutcomeError
      ? error
      : createUnknownOutcomeError({ message: shortenMessage(shown) });
  return { code, message, hint, status, details };
}
