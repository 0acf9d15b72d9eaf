import {
  NodeApiError,
  NodeOperationError,
  type IBinaryKeyData,
  type IDataObject,
  type IExecuteFunctions,
  type INode,
  type INodeExecutionData,
} from 'n8n-workflow';

import { InputError, tooDeep } from '../input/inputs';
import { CancelledError, NotAttemptedError, ServiceError } from '../client/errors';
import type { Figures } from '../run/figures';
import { count } from './figures';
import { asOneTry } from './once';

/** What the user wants when a row fails: n8n's On Error setting. */
export type OnError = 'stop' | 'continueRegularOutput' | 'continueErrorOutput';

/** The setting of the node that runs. */
export function onErrorOf(context: IExecuteFunctions): OnError {
  if (!context.continueOnFail()) return 'stop';
  return context.getNode().onError === 'continueErrorOutput'
    ? 'continueErrorOutput'
    : 'continueRegularOutput';
}

/** A failure as plain JSON: a durable wait parks it with the other rows. */
export interface FailureJson extends IDataObject {
  /** The interface's error code, or this package's own. */
  error: string;
  message: string;
  details: IDataObject;
}

/** Describes any failure as JSON that may be stored. */
export function failureJson(failure: Error): FailureJson {
  // n8n takes an error item without a message for a success.
  const message = failure.message || 'It failed, and nothing says why';
  if (!(failure instanceof ServiceError)) {
    return {
      error: 'invalid_input',
      message,
      details: { hint: hintOf(failure) ?? 'Check the parameters of this node.' },
    };
  }
  const { status, hint, details } = failure;
  return {
    error: failure.code,
    message,
    details: {
      ...(details as IDataObject),
      ...(status === undefined ? {} : { status }),
      hint,
    },
  };
}

/** The failure that {@link failureJson} described, as far as JSON can tell. */
export function serviceErrorOf({ error: code, message, details }: FailureJson): ServiceError {
  const { hint, status } = details;
  return new ServiceError({
    code,
    message,
    hint: typeof hint === 'string' ? hint : '',
    details,
    ...(typeof status === 'number' ? { status } : {}),
  });
}

/**
 * The item that n8n routes to the error output. n8n recognizes it by its keys: `error` and `message`,
 * both with something in them, and no other. Since n8n-core 2.35.2 it may have `details` too, which
 * would make it a success before; so whatever else there is to say is inside `error`.
 *
 * @returns `{ error: { code, hint, status…, and the service's own fields }, message }`
 */
export function errorItem(
  failure: Error,
  itemIndex: number,
  binary?: IBinaryKeyData,
): INodeExecutionData {
  const { error: code, message, details } = failureJson(failure);
  return {
    json: { error: Object.assign({ code }, details, { code }), message },
    ...(binary === undefined ? {} : { binary }),
    pairedItem: { item: itemIndex },
  };
}

/**
 * Runs a node. What fails as a whole (a credential that cannot be used, an option that is wrong) is a
 * failure of every item when the user wants to continue: if it were thrown, n8n would send the
 * untouched input on as a success.
 */
export async function continuing(
  context: IExecuteFunctions,
  run: () => INodeExecutionData[][] | Promise<INodeExecutionData[][]>,
): Promise<INodeExecutionData[][]> {
  try {
    return await asOneTry(context, async () => await run());
  } catch (error) {
    if (error instanceof CancelledError) throw error;
    if (onErrorOf(context) === 'stop') {
      throw error instanceof InputError ? nodeError(context.getNode(), error, 0) : error;
    }
    const failure = asError(error);
    return [context.getInputData().map((_item, itemIndex) => errorItem(failure, itemIndex))];
  }
}

/** What reading the same again costs (interface: Credits, 2). */
export const READ_AGAIN =
  'Reading the same rows again is free for 30 days for every company that was charged.';

/** The error that stops the workflow and names the item. */
export function nodeError(
  node: INode,
  failure: Error,
  itemIndex: number,
): NodeApiError | NodeOperationError {
  if (!(failure instanceof ServiceError)) {
    return failure instanceof NodeOperationError
      ? failure
      : new NodeOperationError(node, failure.message, { itemIndex, description: hintOf(failure) });
  }
  const { code, message, hint: description, status } = failure;
  const { details } = failureJson(failure);
  const error = new NodeApiError(
    node,
    { code, message },
    {
      message,
      description,
      itemIndex,
      ...(status === undefined ? {} : { httpCode: String(status) }),
    },
  );
  // Where n8n's editor looks for what the service said.
  error.context.data = { error: code, ...details };
  return error;
}

/** What an error that stops the workflow depends on. */
interface Stopping {
  /** The node's own setting if left out. */
  readonly onError?: OnError;
  /** What the run has come to, when it has sent anything. */
  readonly before?: Figures | undefined;
}

/**
 * With On Error: Stop Workflow, stops it for the first item that failed; does nothing when none has.
 * The cause of a failed run comes before what was not attempted because of it.
 *
 * @param ones one for each input item; see {@link failureOf}.
 * @throws {NodeApiError | NodeOperationError}
 */
export function throwFirstFailure(
  context: IExecuteFunctions,
  ones: readonly object[],
  { onError = onErrorOf(context), before }: Stopping = {},
): void {
  if (onError !== 'stop') return;
  const failures = ones.map(failureOf);
  const cause = failures.findIndex(
    (failure) => failure !== undefined && !(failure instanceof NotAttemptedError),
  );
  const itemIndex = cause === -1 ? failures.findIndex((failure) => failure !== undefined) : cause;
  const failure = failures[itemIndex];
  if (failure === undefined) return;
  const error = nodeError(context.getNode(), failure, itemIndex);
  if (before !== undefined && before.creditsAtMost > 0) {
    // Nothing of it comes out, but what was paid for is free when the workflow runs again.
    error.description = `${error.description ?? ''} Spent before this error: at most ${count(before.creditsAtMost, 'credit')}, in ${count(before.requests, 'request')}. ${READ_AGAIN}`;
  }
  throw error;
}

/** Why one of several has failed; undefined for one that has not. */
export function failureOf(one: object): Error | undefined {
  return 'failure' in one && one.failure instanceof Error ? one.failure : undefined;
}

function hintOf(failure: Error): string | undefined {
  if (failure instanceof InputError) return failure.hint;
  return failure instanceof NodeOperationError ? (failure.description ?? undefined) : undefined;
}

/** Whether a value was too deep for a function that calls itself. */
export function isStackOverflow(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.message.includes('call stack');
}

/** Whatever was thrown, as an error that says something to the user. */
export function asError(thrown: unknown): Error {
  if (isStackOverflow(thrown)) return tooDeep('A parameter or an answer');
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
