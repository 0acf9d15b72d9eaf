import { createHash } from 'node:crypto';

import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { InputError } from '../input/inputs';
import { shortenMessage } from '../input/quote';
import {
  CancelledError,
  ServiceError,
  UnknownOutcomeError,
  NOT_RETRIED_NOTICE,
  createUnknownOutcomeError,
} from '../client/errors';
import { IdempotencyStore, type IdempotencyRecord, type NodeRun } from './idempotency-store';

/**
 * The only store of changes that were made. n8n's Retry On Fail runs a node again in the same execution
 * and run, even if only one item failed, and changes that succeeded must not be repeated.
 */
const store = new IdempotencyStore();

/** Returns the current size of the store: node runs, their changes, and bytes of their responses. */
export function idempotencyStoreSize(): IdempotencyStore['size'] {
  return store.size;
}

/**
 * Runs one attempt of a node run. While n8n can retry, the changes made by {@link runOnce} stay recorded
 * with their responses; otherwise most responses are dropped.
 */
export async function asAttempt(
  context: IExecuteFunctions,
  act: () => Promise<INodeExecutionData[][]>,
): Promise<INodeExecutionData[][]> {
  if (!isRetriedNode(context)) return await act();
  const run = store.beginAttempt(toRunId(context, 0), true);
  let failed = true;
  try {
    const output = await act();
    // n8n treats an output with this field as a failure.
    failed = (output[0]?.[0]?.json.error ?? undefined) !== undefined;
    return output;
  } finally {
    store.endAttempt(run, failed);
  }
}

/**
 * Makes a change once per execution, node run and item. A repeated call returns the first response, or
 * the first unknown outcome. A change that certainly had no effect can be retried.
 *
 * @param what Distinguishes several changes of one item.
 * @param how `repeatable`: the change can be made twice without harm, so it can be retried after an error
 * of the service that is not an {@link UnknownOutcomeError}.
 * @throws {UnknownOutcomeError} If the outcome is unknown, now or in an earlier attempt.
 * @throws {ServiceError} `already_done`, if it was made before and the response is no longer stored.
 */
export async function runOnce<T>(
  context: IExecuteFunctions,
  itemIndex: number,
  what: string,
  act: () => Promise<T>,
  { repeatable = false }: { readonly repeatable?: boolean } = {},
): Promise<T> {
  const run = store.beginAttempt(toRunId(context, itemIndex), isRetriedNode(context));
  const id = toOperationId(itemIndex, what);
  try {
    const known = run.records.get(id);
    if (known !== undefined) return (await replayOutcome(known)) as T;
    const outcome = runRecorded(run, id, act, repeatable);
    store.recordStart(run, id, outcome);
    return await outcome;
  } finally {
    // Treat the run as failed, because its result is not known here.
    store.endAttempt(run, true);
  }
}

/**
 * Returns what {@link runOnce} did in an earlier attempt, without doing it.
 *
 * @returns Undefined if it was not done.
 */
export async function previousResult(
  context: IExecuteFunctions,
  itemIndex: number,
  what: string,
): Promise<{ readonly value: unknown } | { readonly failure: ServiceError } | undefined> {
  const run = store.beginAttempt(toRunId(context, itemIndex), isRetriedNode(context));
  try {
    const known = run.records.get(toOperationId(itemIndex, what));
    return known && { value: await replayOutcome(known) };
  } catch (error) {
    return { failure: toUnknownOutcome(error) };
  } finally {
    store.endAttempt(run, true);
  }
}

/** Returns a hash instead of the text, which can contain a body of megabytes. */
function toOperationId(itemIndex: number, what: string): string {
  return createHash('sha256')
    .update(`${String(itemIndex)} ${what}`)
    .digest('base64');
}

async function runRecorded<T>(
  run: NodeRun,
  id: string,
  act: () => Promise<T>,
  repeatable: boolean,
): Promise<T> {
  try {
    const answer = await act();
    store.recordResult(run, id, answer);
    return answer;
  } catch (error) {
    const isOpen = error instanceof InputError || canRetry(error, repeatable);
    if (isOpen) store.removeRecord(run, id);
    throw isOpen || error instanceof CancelledError ? error : toUnknownOutcome(error);
  }
}

async function replayOutcome({ outcome }: IdempotencyRecord): Promise<unknown> {
  if (outcome === undefined) {
    throw new ServiceError({
      code: ALREADY_DONE,
      message: 'An earlier attempt already did this, but its response is no longer stored',
      hint: `${NOT_RETRIED_NOTICE} Check the result in the service.`,
    });
  }
  try {
    return await outcome;
  } catch (error) {
    // Only the attempt that was stopped gets the CancelledError.
    throw error instanceof CancelledError ? toUnknownOutcome(error) : error;
  }
}

const ALREADY_DONE = 'already_done';

function canRetry(error: unknown, repeatable: boolean): boolean {
  if (!(error instanceof ServiceError)) return false;
  const isUnclear = error instanceof UnknownOutcomeError || error instanceof CancelledError;
  return error.hadNoEffect || (repeatable && !isUnclear);
}

function toUnknownOutcome(error: unknown): ServiceError {
  if (error instanceof UnknownOutcomeError) return error;
  if (error instanceof ServiceError && error.code === ALREADY_DONE) return error;
  const message = error instanceof Error ? error.message : String(error);
  return createUnknownOutcomeError({ message: shortenMessage(message) });
}

function isRetriedNode(context: IExecuteFunctions): boolean {
  return context.getNode().retryOnFail === true;
}

/** Includes the name, because nodes of imported workflows can lack IDs. */
function toRunId(context: IExecuteFunctions, itemIndex: number): string {
  const { $runIndex: runIndex } = context.getWorkflowDataProxy(itemIndex);
  const { id, name } = context.getNode();
  return JSON.stringify([context.getExecutionId(), id, name, runIndex]);
}
