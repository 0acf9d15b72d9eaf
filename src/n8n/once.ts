import { createHash } from 'node:crypto';

import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { InputError } from '../input/inputs';
import { shortened } from '../input/quote';
import {
  CancelledError,
  ServiceError,
  UnknownOutcomeError,
  NOT_SENT_AGAIN,
  outcomeUnknown,
} from '../client/errors';
import { Deeds, type Deed, type NodeRun } from './deeds';

/**
 * The only store of changes that were made. n8n's Retry On Fail runs a node again in the same execution
 * and run, even if only one item failed, and changes that succeeded must not be repeated.
 */
const deeds = new Deeds();

/** Returns the current size of the store: node runs, their changes, and bytes of their responses. */
export function rememberedDeeds(): Deeds['size'] {
  return deeds.size;
}

/**
 * Runs one attempt of a node run. While n8n can retry, the changes made by {@link once} stay recorded
 * with their responses; otherwise most responses are dropped.
 */
export async function asOneTry(
  context: IExecuteFunctions,
  act: () => Promise<INodeExecutionData[][]>,
): Promise<INodeExecutionData[][]> {
  if (!isTriedAgain(context)) return await act();
  const run = deeds.begin(runIdOf(context, 0), true);
  let failed = true;
  try {
    const output = await act();
    // n8n treats an output with this field as a failure.
    failed = (output[0]?.[0]?.json.error ?? undefined) !== undefined;
    return output;
  } finally {
    deeds.end(run, failed);
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
export async function once<T>(
  context: IExecuteFunctions,
  itemIndex: number,
  what: string,
  act: () => Promise<T>,
  { repeatable = false }: { readonly repeatable?: boolean } = {},
): Promise<T> {
  const run = deeds.begin(runIdOf(context, itemIndex), isTriedAgain(context));
  const id = idOf(itemIndex, what);
  try {
    const known = run.deeds.get(id);
    if (known !== undefined) return (await outcomeOf(known)) as T;
    const outcome = noted(run, id, act, repeatable);
    deeds.begun(run, id, outcome);
    return await outcome;
  } finally {
    // Treat the run as failed, because its result is not known here.
    deeds.end(run, true);
  }
}

/**
 * Returns what {@link once} did in an earlier attempt, without doing it.
 *
 * @returns Undefined if it was not done.
 */
export async function doneBefore(
  context: IExecuteFunctions,
  itemIndex: number,
  what: string,
): Promise<{ readonly value: unknown } | { readonly failure: ServiceError } | undefined> {
  const run = deeds.begin(runIdOf(context, itemIndex), isTriedAgain(context));
  try {
    const known = run.deeds.get(idOf(itemIndex, what));
    return known && { value: await outcomeOf(known) };
  } catch (error) {
    return { failure: asUnknown(error) };
  } finally {
    deeds.end(run, true);
  }
}

/** Returns a hash instead of the text, which can contain a body of megabytes. */
function idOf(itemIndex: number, what: string): string {
  return createHash('sha256')
    .update(`${String(itemIndex)} ${what}`)
    .digest('base64');
}

async function noted<T>(
  run: NodeRun,
  id: string,
  act: () => Promise<T>,
  repeatable: boolean,
): Promise<T> {
  try {
    const answer = await act();
    deeds.done(run, id, answer);
    return answer;
  } catch (error) {
    const isOpen = error instanceof InputError || mayTryAgain(error, repeatable);
    if (isOpen) deeds.notDone(run, id);
    throw isOpen || error instanceof CancelledError ? error : asUnknown(error);
  }
}

async function outcomeOf({ outcome }: Deed): Promise<unknown> {
  if (outcome === undefined) {
    throw new ServiceError({
      code: ALREADY_DONE,
      message: 'An earlier attempt already did this, but its response is no longer stored',
      hint: `${NOT_SENT_AGAIN} Check the result in the service.`,
    });
  }
  try {
    return await outcome;
  } catch (error) {
    // Only the attempt that was stopped gets the CancelledError.
    throw error instanceof CancelledError ? asUnknown(error) : error;
  }
}

const ALREADY_DONE = 'already_done';

function mayTryAgain(error: unknown, repeatable: boolean): boolean {
  if (!(error instanceof ServiceError)) return false;
  const isUnclear = error instanceof UnknownOutcomeError || error instanceof CancelledError;
  return error.surelyNotDone || (repeatable && !isUnclear);
}

function asUnknown(error: unknown): ServiceError {
  if (error instanceof UnknownOutcomeError) return error;
  if (error instanceof ServiceError && error.code === ALREADY_DONE) return error;
  const message = error instanceof Error ? error.message : String(error);
  return outcomeUnknown({ message: shortened(message) });
}

function isTriedAgain(context: IExecuteFunctions): boolean {
  return context.getNode().retryOnFail === true;
}

/** Includes the name, because nodes of imported workflows can lack IDs. */
function runIdOf(context: IExecuteFunctions, itemIndex: number): string {
  const { $runIndex: runIndex } = context.getWorkflowDataProxy(itemIndex);
  const { id, name } = context.getNode();
  return JSON.stringify([context.getExecutionId(), id, name, runIndex]);
}
