import {
  NodeApiError,
  NodeOperationError,
  type IDataObject,
  type IExecuteFunctions,
  type INode,
  type INodeExecutionData,
  type JsonObject,
} from 'n8n-workflow';

import { ServiceError } from '../client/errors';

/** What the user wants when a row fails: n8n's On Error setting. */
export type OnError = 'stop' | 'continueRegularOutput' | 'continueErrorOutput';

export function onErrorOf(context: IExecuteFunctions): OnError {
  if (!context.continueOnFail()) return 'stop';
  return context.getNode().onError === 'continueErrorOutput'
    ? 'continueErrorOutput'
    : 'continueRegularOutput';
}

/** A failure as fields of an item. */
export interface FailureJson extends IDataObject {
  /** The interface's error code, or this package's own. */
  error: string;
  message: string;
  details: IDataObject;
}

/** Describes any failure as JSON that may be stored. */
export function failureJson(failure: Error): FailureJson {
  if (!(failure instanceof ServiceError)) {
    const description = failure instanceof NodeOperationError ? failure.description : undefined;
    return {
      error: 'invalid_input',
      message: failure.message,
      details: { hint: description ?? 'Check the parameters of this node.' },
    };
  }
  const { status, hint, details } = failure;
  return {
    error: failure.code,
    message: failure.message,
    details: {
      ...(details as IDataObject),
      ...(status === undefined ? {} : { status }),
      hint,
    },
  };
}

/**
 * The item that n8n routes to the error output. n8n recognizes it by its keys: exactly `error`,
 * `message` and `details`; with any other key beside them it counts as a success.
 */
export function errorItem(failure: Error, itemIndex: number): INodeExecutionData {
  return { json: failureJson(failure), pairedItem: { item: itemIndex } };
}

/** The error that stops the workflow and names the item. */
export function nodeError(
  node: INode,
  failure: Error,
  itemIndex: number,
): NodeApiError | NodeOperationError {
  if (!(failure instanceof ServiceError)) {
    return failure instanceof NodeOperationError
      ? failure
      : new NodeOperationError(node, failure.message, { itemIndex });
  }
  const { code, message, hint: description, status } = failure;
  const { details } = failureJson(failure);
  return new NodeApiError(node, { code, message, details } as JsonObject, {
    message,
    description,
    itemIndex,
    ...(status === undefined ? {} : { httpCode: String(status) }),
  });
}
