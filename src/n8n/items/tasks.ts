import type { IExecuteFunctions } from 'n8n-workflow';

import type { BatchReport, DomainOutcome } from '../../run/responses/batch-response';
import type { BatchesSpec, Run } from '../../run/run';
import type { Row } from '../../values/json';
import { throwFirstFailure, toError } from '../failures';
import { previousResult, runOnce } from '../idempotency';
import { toFailure, type Result } from './row-result';

/*
 * The way of a row: input items become tasks, of which equal ones are one (read); sending gives each task an
 * outcome; outcomes become output items (write).
 */

/** One distinct request. Items with equal requests share a task. */
export interface Task<Request> {
  readonly request: Request;
  /** The first item with this request. */
  readonly itemIndex: number;
  /** Undefined until the request was sent. */
  outcome?: Result;
}

/** The tasks of items, or outcomes of items that need no request. */
export interface Rows<Request> {
  /** In the order of the items. */
  readonly rows: ReadonlyArray<Task<Request> | Result>;
  /** Distinct tasks, in the order of the items. */
  readonly tasks: ReadonlyArray<Task<Request>>;
}

/**
 * Reads the request of each input item. If that throws, only this item fails.
 *
 * @param keyOf Returns equal texts for equal requests.
 * @throws {NodeApiError | NodeOperationError} For the first failed item, if On Error is Stop Workflow.
 */
export function readItems<Request>(
  context: IExecuteFunctions,
  read: (itemIndex: number) => Request | Result,
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

function isOutcome(given: unknown): given is Result {
  return typeof given === 'object' && given !== null && 'outputs' in given;
}

/** Names a company by its domain. */
export interface CompanyRequest {
  readonly domain: string;
}

/**
 * Groups tasks that are sent together, in order of first occurrence.
 *
 * @param keyOf Returns equal texts for requests of one group.
 */
export function groupTasks<Request>(
  tasks: ReadonlyArray<Task<Request>>,
  keyOf: (request: Request) => string,
): Array<[Task<Request>, ...Array<Task<Request>>]> {
  const groups = new Map<string, [Task<Request>, ...Array<Task<Request>>]>();
  for (const task of tasks) {
    const key = keyOf(task.request);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [task]);
    else group.push(task);
  }
  return [...groups.values()];
}

// --- Changes -------------------------------------------------------------------------------------

/** A change that is made for the companies of tasks, in batches. */
interface BatchedChange extends Omit<BatchesSpec, 'request' | 'creditsOf' | 'domains'> {
  /** Makes the change for one batch; returns the row of each domain in the response. */
  readonly act: (run: Run, batch: readonly string[]) => Promise<ReadonlyMap<string, Row>>;
  /** Distinguishes this change from others that the node run makes for the same domain. */
  readonly what: string;
  /** Input item that the change is recorded for; the first with the domain if omitted. */
  readonly itemIndex?: number;
}

/**
 * Makes a change for each company once per node run, however often n8n retries that run. Changes are
 * recorded by domain, so a retry can split its batches differently.
 *
 * @throws {CancelledError} If the run is stopped.
 */
export async function runOnceInBatches(
  context: IExecuteFunctions,
  run: Run,
  tasks: ReadonlyArray<Task<CompanyRequest>>,
  { act, what, itemIndex, ...job }: BatchedChange,
): Promise<BatchReport> {
  const items = new Map(tasks.map((task) => [task.request.domain, itemIndex ?? task.itemIndex]));
  const toRecordKey = (domain: string) =>
    [context, items.get(domain) ?? 0, JSON.stringify([what, domain])] as const;
  const before = new Map<string, DomainOutcome>();
  for (const domain of items.keys()) {
    const done = await previousResult(...toRecordKey(domain));
    if (done !== undefined) before.set(domain, toDomainOutcome(done));
  }
  const report = await run.requestBatches({
    ...job,
    domains: [...items.keys()].filter((domain) => !before.has(domain)),
    request: async (part, batch) => {
      const acting = act(part, batch);
      const rows = await Promise.all(
        batch.map(async (domain) => {
          const row = await runOnce(...toRecordKey(domain), async () => (await acting).get(domain));
          return row === undefined ? [] : [[domain, row] as const];
        }),
      );
      return { rows: new Map(rows.flat()), rejected: new Set() };
    },
  });
  return { ...report, outcomes: new Map([...before, ...report.outcomes]) };
}

function toDomainOutcome(
  done: NonNullable<Awaited<ReturnType<typeof previousResult>>>,
): DomainOutcome {
  if ('failure' in done) return { kind: 'failed', error: done.failure };
  const row = done.value as Row | undefined;
  return row === undefined ? { kind: 'missing' } : { kind: 'row', row };
}
