import {
  NodeApiError,
  NodeOperationError,
  type IBinaryKeyData,
  type IDataObject,
  type IExecuteFunctions,
  type INode,
  type INodeExecutionData,
} from 'n8n-workflow';

import { InputError, createTooDeepError } from '../input/inputs';
import { truncateText, formatCount } from '../values/text';
import { CancelledError, NotAttemptedError, ServiceError } from '../client/errors';
import type { RunStats } from '../run/run-stats';
import { asAttempt } from './idempotency';
import { formatCredits } from './run-hints';

export type OnError = 'stop' | 'continueRegularOutput' | 'continueErrorOutput';

export function getOnError(context: IExecuteFunctions): OnError {
  if (!context.continueOnFail()) return 'stop';
  return context.getNode().onError === 'continueErrorOutput'
    ? 'continueErrorOutput'
    : 'continueRegularOutput';
}

/** A failure as plain JSON, which a durable wait can store. */
export interface FailureJson extends IDataObject {
  error: string;
  message: string;
  details: IDataObject;
}

export function toFailureJson(thrown: Error): FailureJson {
  const failure = explainBug(thrown);
  // n8n treats an error item without a message as a success.
  const message = failure.message || 'Failed for an unknown reason';
  if (!(failure instanceof ServiceError)) {
    return {
      error: 'invalid_input',
      message,
      details: { hint: getHint(failure) ?? "Check this node's parameters." },
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

/** Returns a failure that says what to do about an error that nobody foresaw; other errors unchanged. */
function explainBug(failure: Error): Error {
  // All errors of n8n have a level, among them those of expressions.
  const isForeseen =
    failure instanceof ServiceError || failure instanceof InputError || 'level' in failure;
  if (isForeseen) return failure;
  return new ServiceError({
    code: 'own_fault',
    message: `This node failed unexpectedly (${truncateText(String(failure), 300)})`,
    hint: 'If the cause is not in n8n itself, report this message to the maintainers of this package.',
  });
}

export function fromFailureJson({ error: code, message, details }: FailureJson): ServiceError {
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
 * Returns the item that n8n routes to the error output. n8n recognizes it by its keys: `error` and
 * `message`, both non-empty, and no others. `details` is allowed only since n8n-core 2.35.2; before, it
 * made the item a success. So all further fields are inside `error`.
 *
 * @returns `{ error: { code, hint, status…, and the service's own fields }, message }`
 */
export function toErrorItem(
  failure: Error,
  itemIndex: number,
  binary?: IBinaryKeyData,
): INodeExecutionData {
  const { error: code, message, details } = toFailureJson(failure);
  return {
    json: { error: Object.assign({ code }, details, { code }), message },
    ...(binary === undefined ? {} : { binary }),
    pairedItem: { item: itemIndex },
  };
}

/**
 * Runs a node. If the whole run fails (an unusable credential, an invalid option) and On Error is a
 * Continue setting, every item fails: if the error were thrown, n8n would pass the unchanged input on as
 * a success.
 */
export async function runWithOnError(
  context: IExecuteFunctions,
  run: () => INodeExecutionData[][] | Promise<INodeExecutionData[][]>,
): Promise<INodeExecutionData[][]> {
  try {
    const { retryOnFail } = context.getNode();
    return retryOnFail === true ? await asAttempt(context, async () => await run()) : await run();
  } catch (error) {
    if (error instanceof CancelledError) throw error;
    if (getOnError(context) === 'stop') {
      throw error instanceof InputError ? toNodeError(context.getNode(), error, 0) : error;
    }
    const failure = toError(error);
    return [context.getInputData().map((_item, itemIndex) => toErrorItem(failure, itemIndex))];
  }
}

/** Says that reading the same rows again is free (API spec: Credits, rule 2), unless the hint says it already. */
export function withFreeRereadHint(hint: string): string {
  if (hint.includes('30 days')) return hint;
  return `${hint} Reading the same rows again is free for 30 days for each company that was charged.`;
}

export function toNodeError(
  node: INode,
  thrown: Error,
  itemIndex: number,
): NodeApiError | NodeOperationError {
  const failure = explainBug(thrown);
  if (!(failure instanceof ServiceError)) {
    return failure instanceof NodeOperationError
      ? failure
      : new NodeOperationError(node, failure.message, { itemIndex, description: getHint(failure) });
  }
  const { code, message, hint: description, status } = failure;
  const { details } = toFailureJson(failure);
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
  // n8n's editor shows the response of the service from here.
  error.context.data = { error: code, ...details };
  return error;
}

/**
 * If On Error is Stop Workflow, throws the error of the first failed item; does nothing if none failed.
 * The cause of a failed run takes precedence over items that were skipped because of it.
 *
 * @param items One per input item.
 */
export function throwFirstFailure(
  context: IExecuteFunctions,
  items: ReadonlyArray<{ readonly failure?: Error } | { readonly request: unknown }>,
  {
    onError = getOnError(context),
    before,
  }: { readonly onError?: OnError; readonly before?: RunStats | undefined } = {},
): void {
  if (onError !== 'stop') return;
  const failures = items.map((item) => ('failure' in item ? item.failure : undefined));
  const cause = failures.findIndex(
    (failure) => failure !== undefined && !(failure instanceof NotAttemptedError),
  );
  const itemIndex = cause === -1 ? failures.findIndex((failure) => failure !== undefined) : cause;
  const failure = failures[itemIndex];
  if (failure === undefined) return;
  const error = toNodeError(context.getNode(), failure, itemIndex);
  if (before !== undefined && before.creditsAtMost > 0) {
    // Nothing is output, but companies that were charged are free when the workflow runs again.
    const spent = `Spent before this error: ${formatCredits(before)} in ${formatCount(before.requests, 'request')}.`;
    error.description = withFreeRereadHint(`${error.description ?? ''} ${spent}`);
  }
  throw error;
}

function getHint(failure: Error): string | undefined {
  if (failure instanceof InputError) return failure.hint;
  return failure instanceof NodeOperationError ? (failure.description ?? undefined) : undefined;
}

export function isStackOverflow(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.message.includes('call stack');
}

export function toError(thrown: unknown): Error {
  if (isStackOverflow(thrown)) return createTooDeepError('A parameter or a response');
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
