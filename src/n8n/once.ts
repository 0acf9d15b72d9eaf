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
 * The only owner of what has been done. n8n's Retry On Fail runs a node again with the same
 * execution, node and run, also when only one item failed; what succeeded must not be done again.
 */
const deeds = new Deeds();

/** How much is remembered just now: node runs, deeds in them, and bytes of their answers. */
export function rememberedDeeds(): Deeds['size'] {
  return deeds.size;
}

/**
 * One try of a node run. While n8n may try again, what {@link once} did stays known with its answers;
 * when it may not, most of that is forgotten.
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
    // By this n8n takes an output for a failure.
    failed = (output[0]?.[0]?.json.error ?? undefined) !== undefined;
    return output;
  } finally {
    deeds.end(run, failed);
  }
}

/**
 * Does something with a lasting effect once for each execution, node run and item. Asked again, it
 * gives the answer of the first time; where the outcome is unknown, it stays unknown. What surely was
 * not done may be tried again.
 *
 * @param what tells different things that one item does apart.
 * @param how `repeatable`: a failure that the service names and that is no
 * {@link UnknownOutcomeError} came from a read, or from a change that can be made twice without harm;
 * so it may be tried again.
 * @throws {UnknownOutcomeError} when it may or may not have been done, this time or before.
 * @throws {ServiceError} `already_done`, when it was done before and the answer is no longer kept.
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
    // A run of which this is all is tried again as if it had failed.
    deeds.end(run, true);
  }
}

/**
 * What {@link once} did in an earlier try, without doing it.
 *
 * @returns undefined when it was not done.
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

/** Not the text itself, which may hold a body of megabytes. */
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
      message: 'This was done already by an earlier try, but its answer is no longer kept',
      hint: `${NOT_SENT_AGAIN} Look in the service for what came of it.`,
    });
  }
  try {
    return await outcome;
  } catch (error) {
    // Only the try that was stopped is told so.
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

/** Names too, because imported workflows may have nodes without ids. */
function runIdOf(context: IExecuteFunctions, itemIndex: number): string {
  const { $runIndex: runIndex } = context.getWorkflowDataProxy(itemIndex);
  const { id, name } = context.getNode();
  return JSON.stringify([context.getExecutionId(), id, name, runIndex]);
}
