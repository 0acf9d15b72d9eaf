import type { IBinaryKeyData, IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { SkippedError } from '../../run/run-guards';
import { toError, throwFirstFailure } from '../failures';

/*
 * The way of a row: input items become tasks, of which equal ones are one (read); sending them gives each an
 * outcome (send); outcomes become output items (write).
 */

/** An output item, before pairing. */
export interface Output {
  readonly json: IDataObject;
  readonly binary?: IBinaryKeyData;
  /** Columns that a flat row of this kind always has; undefined for other rows. */
  readonly columns?: readonly string[] | undefined;
}

/** What becomes of an input item. */
export interface Outcome {
  readonly outputs: readonly Output[];
  /** Why there is no output, or no further output. */
  readonly failure?: Error;
  /** An incomplete file, which is attached to the error item. */
  readonly binary?: IBinaryKeyData | undefined;
  /** The requested domain, which a failed row includes. */
  readonly domain?: string | null;
  /** Whether the row names no company, so values of another company in a sheet are cleared. */
  readonly namesNone?: boolean;
}

/** One distinct request. Items with equal requests share a task. */
export interface Task<Request> {
  readonly request: Request;
  /** The first item with this request. */
  readonly itemIndex: number;
  /** Undefined until the request was sent. */
  outcome?: Outcome;
}

/** The tasks of items, or outcomes of items that need no request. */
export interface Rows<Request> {
  /** In the order of the items. */
  readonly rows: ReadonlyArray<Task<Request> | Outcome>;
  /** Distinct tasks, in the order of the items. */
  readonly tasks: ReadonlyArray<Task<Request>>;
}

export function toSuccess(json: IDataObject): Outcome {
  return { outputs: [{ json }] };
}

/** Returns the outcome of an item that failed, or that Max Credits does not cover. */
export function toFailure(failure: Error, domain: string | null = null): Outcome {
  return failure instanceof SkippedError
    ? toSkipped(failure, { domain })
    : { outputs: [], failure, domain };
}

/** @param fields Fields that identify the item. */
export function toSkipped({ code: reason, message }: SkippedError, fields: IDataObject): Outcome {
  return toSuccess({ ...fields, status: 'skipped', reason, message });
}

/**
 * Reads the request of each input item. If that throws, only this item fails.
 *
 * @param keyOf Returns equal texts for equal requests.
 * @throws {NodeApiError | NodeOperationError} For the first failed item, if On Error is Stop Workflow.
 */
export function readItems<Request>(
  context: IExecuteFunctions,
  read: (itemIndex: number) => Request | Outcome,
  keyOf: (request: Request, itemIndex: number) => string = (request) => JSON.stringify(request),
): Rows<Request> {
  const tasks = new Map<string, Task<Request>>();
  const rows = context.getInputData().map((_item, itemIndex) => {
    try {
      const request = read(itemIndex);
      if (isOutcome(request)) return request;
      const key = keyOf(request, itemIndex);
      const task = tasks.get(key) ?? { request, itemIndex };
      tasks.set(key, task);
      return task;
    } catch (error) {
      return toFailure(toError(error));
    }
  });
  throwFirstFailure(context, rows);
  return { rows, tasks: [...tasks.values()] };
}

function isOutcome(given: unknown): given is Outcome {
  return typeof given === 'object' && given !== null && 'outputs' in given;
}
