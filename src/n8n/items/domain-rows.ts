import { NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';

import { InvalidResponseError } from '../../client/errors';
import { normalizeDomain, type NormalizedDomain, type NormalizeOptions } from '../../input/domains';
import { isExpressionText } from '../../input/placeholders';
import { quote } from '../../values/text';
import type { Row } from '../../values/json';
import {
  createCandidatesReader,
  getRawParameter,
  warnAboutFixedText,
  type RunLimits,
} from '../parameters/readers';
import {
  readItems,
  toSuccess,
  type KeyedRequest,
  type Outcome,
  type RowOutput,
  type Rows,
  type Task,
} from './output-items';
import type { BatchReport, DomainOutcome } from '../../run/responses/batch-response';
import type { BatchesSpec, Run } from '../../run/run';
import { previousResult, runOnce } from '../idempotency';

/** Options of operations on all rows at once. They apply to the whole run. */
export interface RowOptions extends RowOutput, NormalizeOptions, RunLimits {}

/** The usable domain of a row. */
export type FoundDomain = Extract<NormalizedDomain, { valid: true }>;

/** The company that an operation works on. */
export interface CompanyRequest {
  readonly domain: string;
}

/** Numbers of rows, distinct companies and rows that repeat an earlier company. */
export interface DomainCounts {
  readonly rows: number;
  readonly distinct_companies: number;
  readonly duplicate_rows: number;
}

/** Why a row has no usable domain, and the domain it was rejected for. */
export type UnusableRow = Pick<Extract<NormalizedDomain, { valid: false }>, 'reason' | 'about'>;

/** Rows that each name a company. */
export interface DomainRows<Request> extends Rows<Request> {
  readonly counts: DomainCounts;
  /** One entry per row without a usable domain. */
  readonly invalid: readonly UnusableRow[];
  /** Whether Domain already has several fields, such as a website and an email address. */
  readonly hasSeveralFields: boolean;
  /** Whether Domain is the text of an expression, which n8n does not evaluate as fixed text. */
  readonly isExpressionText: boolean;
}

/** A company that is identified without a domain. */
interface KnownCompany<Request> {
  readonly company: string;
  readonly request: KeyedRequest<Request> | Outcome;
}

interface DomainReading<Request> extends NormalizeOptions {
  /** Identifies the company of a row without a usable domain; undefined if that fails too. */
  readonly otherwise?: ((itemIndex: number) => KnownCompany<Request> | undefined) | undefined;
}

/**
 * Reads the `domain` parameter of every input item, and the request of each item that has a usable one.
 * The other items get their outcome here, without a request or a credit.
 *
 * @throws The errors of {@link readItems}.
 * @throws {NodeOperationError} If a field was dropped into the middle of another one.
 */
export function readDomainRows<Request>(
  context: IExecuteFunctions,
  { otherwise, ...options }: DomainReading<Request>,
  toRequest: (found: FoundDomain, itemIndex: number) => KeyedRequest<Request> | Outcome,
): DomainRows<Request> {
  const given = getRawParameter(context, 'domain');
  const hasSeveralFields = checkFields(context, given) > 1;
  const read = createCandidatesReader(context, 'domain');
  const companies = new Set<string>();
  const invalid: UnusableRow[] = [];
  const usable = { byDomain: 0, otherwise: 0 };
  const { rows, tasks } = readItems(context, (itemIndex) => {
    const found = normalizeDomain(read(itemIndex), options);
    if (found.valid) {
      const request = toRequest(found, itemIndex);
      companies.add(found.domain);
      usable.byDomain += 1;
      return request;
    }
    const { reason, about, message } = found;
    if (reason === 'ignored') {
      invalid.push({ reason, about });
      return toSuccess({ domain: about ?? null, status: 'ignored', message });
    }
    const other = otherwise?.(itemIndex);
    if (other !== undefined) {
      companies.add(other.company);
      usable.otherwise += 1;
      return other.request;
    }
    invalid.push({ reason, about });
    return toInvalidOutcome(null, reason, message);
  });
  if (usable.byDomain > 0) {
    context.addExecutionHints(
      ...warnAboutFixedText(context, { name: 'domain', displayName: 'Domain' }),
    );
  }
  const counts = {
    rows: rows.length,
    distinct_companies: companies.size,
    duplicate_rows: usable.byDomain + usable.otherwise - companies.size,
  };
  return {
    rows,
    tasks,
    counts,
    invalid,
    hasSeveralFields,
    isExpressionText:
      typeof given === 'string' && !given.startsWith('=') && isExpressionText(given),
  };
}

/** An expression in which a field begins directly after a word: `{{ $json.W$json.Email }}`. */
const FIELD_IN_FIELD = /\{\{[^{}]*(?:[\w"']\$json\b|\{\{)[^{}]*/;

/** Returns the number of expressions in Domain. */
function checkFields(context: IExecuteFunctions, given: unknown): number {
  if (typeof given !== 'string') return 0;
  const [broken] = given.startsWith('=') ? (FIELD_IN_FIELD.exec(given) ?? []) : [];
  if (broken === undefined) return given.split('{{').length - 1;
  throw new NodeOperationError(
    context.getNode(),
    `"Domain" has a field inside another field: ${quote(broken)}`,
    {
      description:
        'A field was dropped into the middle of the text. Undo that, and drop the field behind the text. Nothing was sent.',
    },
  );
}

/** Returns the outcome of a row without a usable domain, which costs no credit. */
export function toInvalidOutcome(domain: string | null, reason: string, message: string): Outcome {
  return toSuccess({ domain, status: 'invalid', reason, message });
}

/**
 * Returns the error for a row that is missing from a response.
 *
 * @param where Name of what has no entry for the domain.
 */
export function createMissingEntryError(
  domain: string,
  where = 'The response of the service',
  more: Readonly<Record<string, unknown>> = {},
): InvalidResponseError {
  return new InvalidResponseError({
    code: 'no_result',
    message: `${where} has no entry for ${domain}`,
    hint: 'Run this row again. If it fails again, report the domain to the service.',
    details: { domain, ...more },
  });
}

// --- Companies that are looked up together -------------------------------------------------------

/** Tasks that can share batches. */
export interface TaskGroup<Request> {
  /** Request of the first task; all tasks request the same sections. */
  readonly request: Request;
  readonly tasks: Array<Task<Request>>;
}

/**
 * Groups tasks by what they request about their companies, in order of first occurrence.
 *
 * @param wantedOf Returns equal text for equal requests.
 */
export function groupTasks<Request>(
  tasks: ReadonlyArray<Task<Request>>,
  wantedOf: (request: Request) => string,
): Array<TaskGroup<Request>> {
  const groups = new Map<string, TaskGroup<Request>>();
  for (const task of tasks) {
    const wanted = wantedOf(task.request);
    const group = groups.get(wanted);
    if (group === undefined) groups.set(wanted, { request: task.request, tasks: [task] });
    else group.tasks.push(task);
  }
  return [...groups.values()];
}

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
