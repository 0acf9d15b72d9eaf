import { NodeOperationError, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import { CancelledError } from '../../client/errors';
import { mapInParallel } from '../../concurrency';
import type { Run } from '../../run/run';
import type { RunStats } from '../../run/run-stats';
import { getOnError, throwFirstFailure, toError } from '../failures';
import { openRun } from '../open-run';
import type { RunLimits } from '../parameters/readers';
import { toFailure, type Result } from './row-result';

/*
 * The way of a row: an input item has a request or already a result (readRows), the requests get their results
 * (sendRows), each item takes the result of its request (joinResults), and results become output items (toItems).
 */

/** Rows in the order of the items. Items with equal requests share one. */
export interface Rows<Request> {
  readonly rows: ReadonlyArray<{ readonly request: Request } | Result>;
  /** Each distinct request with the index of its first item, for changes that are made once per item. */
  readonly requests: ReadonlyMap<Request, number>;
}

/**
 * Reads the request of each input item. If that throws, only this item fails.
 *
 * @param read Returns a result for an item that needs no request.
 * @param keyOf Returns equal texts for equal requests.
 * @throws {NodeApiError | NodeOperationError} For the first failed item, if On Error is Stop Workflow.
 */
export function readRows<Request>(
  context: IExecuteFunctions,
  read: (itemIndex: number) => Request | Result,
  keyOf: (request: Request, itemIndex: number) => string = (request) => JSON.stringify(request),
): Rows<Request> {
  const distinct = new Map<string, { readonly request: Request }>();
  const requests = new Map<Request, number>();
  const rows = context.getInputData().map((_item, itemIndex) => {
    try {
      const request = read(itemIndex);
      if (typeof request === 'object' && request !== null && 'outputs' in request) return request;
      const key = keyOf(request, itemIndex);
      const known = distinct.get(key);
      if (known !== undefined) return known;
      const row = { request };
      distinct.set(key, row);
      requests.set(request, itemIndex);
      return row;
    } catch (error) {
      return toFailure(toError(error));
    }
  });
  throwFirstFailure(context, rows);
  return { rows, requests };
}

interface Sending<Request> {
  readonly limits: RunLimits;
  readonly send: (
    requests: ReadonlyMap<Request, number>,
    run: Run,
  ) => Promise<ReadonlyMap<Request, Result>>;
  /** Fields that identify the rows of a request. */
  readonly fieldsOf?: (request: Request) => IDataObject;
}

export interface Sent<Request> {
  readonly results: ReadonlyMap<Request, Result>;
  /** Statistics of the run; undefined if nothing could be sent. */
  readonly stats?: RunStats;
}

/**
 * Sends the requests of rows in one run. Without requests no run is opened. If the run cannot start and On Error
 * is a Continue setting, the rows that need it fail.
 */
export async function sendRows<Request>(
  context: IExecuteFunctions,
  { requests }: Rows<Request>,
  { limits, send, fieldsOf }: Sending<Request>,
): Promise<Sent<Request>> {
  if (requests.size === 0) return { results: new Map() };
  try {
    const run = await openRun(context, limits);
    const results = await send(requests, run);
    return { results, stats: run.stats };
  } catch (error) {
    if (getOnError(context) === 'stop' || !(error instanceof NodeOperationError)) throw error;
    const failed = Array.from(
      requests.keys(),
      (one) => [one, toFailure(error, fieldsOf?.(one))] as const,
    );
    return { results: new Map(failed) };
  }
}

/**
 * Sends requests one by one, in parallel under the limiter.
 *
 * @param toFailed Returns what stands for the answer of a request that failed.
 * @throws {CancelledError} If the run is stopped.
 */
export async function sendEach<Request, Answer>(
  run: Run,
  requests: Iterable<Request>,
  send: (request: Request) => Promise<Answer>,
  toFailed: (failure: Error, request: Request) => Answer,
): Promise<Map<Request, Answer>> {
  const answers = await mapInParallel([...requests], async (request) => {
    try {
      run.breaker.assertClosed();
      return [request, await send(request)] as const;
    } catch (error) {
      if (error instanceof CancelledError || run.signal?.aborted === true) throw error;
      run.breaker.recordItemFailure(error);
      return [request, toFailed(toError(error), request)] as const;
    }
  });
  return new Map(answers);
}

/** Groups requests that are sent together, in order of first occurrence. */
export function groupRequests<Request>(
  requests: Iterable<Request>,
  keyOf: (request: Request) => string,
): ReadonlyArray<readonly [Request, ...Request[]]> {
  const groups = new Map<string, [Request, ...Request[]]>();
  for (const request of requests) {
    const group = groups.get(keyOf(request));
    if (group === undefined) groups.set(keyOf(request), [request]);
    else group.push(request);
  }
  return [...groups.values()];
}

/**
 * Returns the result of each item. Items that share a request get copies, except the first, so that a change to
 * one does not affect another.
 */
export function joinResults<Request>(
  { rows, requests }: Rows<Request>,
  results: ReadonlyMap<Request, Result> = new Map(),
): Result[] {
  return rows.map((row, itemIndex) => {
    if (!('request' in row)) return row;
    const result = results.get(row.request) ?? { outputs: [] };
    return requests.get(row.request) === itemIndex ? result : copyResult(result);
  });
}

function copyResult({ outputs, binary, ...rest }: Result): Result {
  const copies = outputs.map(({ columns, ...output }) => ({ ...structuredClone(output), columns }));
  return { ...rest, outputs: copies, binary: structuredClone(binary) };
}
