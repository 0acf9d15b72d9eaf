/**
 * Compares input with output: the rows and items of n8n, and the requests and charges of the
 * service.
 */
import type { RequestEntry } from '../sandbox';
import type { Accident } from './accidents';
import type { Followed, OutputItem } from './executions';
import { UNKNOWN_PREFIX, type Row, type Workload } from './workloads';

/** A run that a webhook started. */
export interface Started {
  readonly run: string;
  readonly workload: Workload;
  readonly rows: readonly Row[];
  readonly accepted: boolean;
}

/** The fate of a row. */
export type Fate =
  /** The node output its result. */
  | 'result'
  /** The node output it as an error item, or with an error in its result. */
  | 'error item'
  /** Its execution ended with an error, because On Error is set to stop. */
  | 'stopped'
  /** Its execution died with a worker, and n8n reports that. */
  | 'killed';

export interface RowFate {
  readonly row: Row;
  readonly workload: Workload;
  readonly fate: Fate;
  readonly items: readonly OutputItem[];
}

/** One line of the balance. */
export interface Line {
  readonly what: string;
  readonly figure: string;
  /** Reasons why the line does not balance; empty if it balances. */
  readonly complaints: readonly string[];
}

/** Errors that n8n shows for an execution whose worker died. */
const DIED = /failed to be processed too many times|crashed|job stalled/i;

/** Time until other processes on the same busy machine notice a kill. */
const TOLERANCE_MS = 5_000;

/** Start of the item's error if n8n finds after a restart that it died while the node ran. */
const RECOVERED = 'Workflow did not finish';

const died = ({ status, error, items }: Followed): boolean =>
  status === 'crashed' ||
  (status === 'error' && DIED.test(error ?? '')) ||
  items.some(
    ({ json }) => typeof json['error'] === 'string' && json['error'].startsWith(RECOVERED),
  );

/** Checks that each run has the right execution. */
export function executionsLine(
  started: readonly Started[],
  followed: readonly Followed[],
  scheduledId: string,
  accidents: readonly Accident[],
): Line {
  const complaints: string[] = [];
  const executionsOf = new Map<string, number>();
  for (const { run } of followed) {
    if (run !== undefined) executionsOf.set(run, (executionsOf.get(run) ?? 0) + 1);
  }
  for (const { run, workload, accepted } of started) {
    const count = executionsOf.get(run) ?? 0;
    if (accepted && count !== 1) {
      complaints.push(`${workload.name} ${run}: ${String(count)} executions`);
    }
  }
  const own = followed.filter(
    ({ mode, workflowId }) => mode === 'webhook' || workflowId === scheduledId,
  );
  for (const one of own.filter(({ status }) => !['success', 'error', 'crashed'].includes(status))) {
    complaints.push(`Execution ${one.id} is ${one.status} for ever`);
  }
  const kills = accidents.filter(({ what }) => what === 'worker killed');
  for (const one of own.filter(died)) {
    const alive = ({ at }: Accident): boolean =>
      one.createdAt <= at + TOLERANCE_MS && at <= one.endSeenAt;
    if (!kills.some(alive))
      complaints.push(`Execution ${one.id} died without a kill: ${one.error ?? one.status}`);
  }
  const count = (test: (one: Followed) => boolean): string => String(own.filter(test).length);
  const parts = [
    `${count(({ mode }) => mode === 'webhook')} by webhook`,
    `${count(({ workflowId }) => workflowId === scheduledId)} by schedule`,
    `${count(({ status }) => status === 'success')} ended well`,
    `${count((one) => one.status === 'error' && !died(one))} with an error`,
    `${count(died)} died with a worker`,
  ];
  const refused = started.filter(({ accepted }) => !accepted).length;
  if (refused > 0) parts.push(`${String(refused)} not taken by n8n`);
  return { what: 'Executions', figure: parts.join(', '), complaints };
}

/** Returns the fate of every input row. */
export function fatesOf(
  started: readonly Started[],
  followed: readonly Followed[],
): { readonly fates: RowFate[]; readonly line: Line } {
  const byRun = new Map(followed.map((one) => [one.run, one]));
  const complaints: string[] = [];
  const fates = started.flatMap(({ run, workload, rows, accepted }) => {
    const execution = byRun.get(run);
    if (!accepted || execution === undefined) return [];
    if (died(execution)) {
      return rows.map((row): RowFate => ({ row, workload, fate: 'killed', items: [] }));
    }
    if (execution.status === 'error') {
      if ((execution.error ?? '') === '') complaints.push(`${workload.name} ${run}: no message`);
      return rows.map((row): RowFate => ({ row, workload, fate: 'stopped', items: [] }));
    }
    const name = `${workload.name} ${run} (execution ${execution.id})`;
    const of = new Map(rows.map(({ n }) => [n, [] as OutputItem[]]));
    for (const item of execution.items) {
      if (item.rows.length === 0) complaints.push(`${name}: an item of no row`);
      for (const n of item.rows) of.get(n)?.push(item);
    }
    return rows.map((row): RowFate => {
      const items = of.get(row.n) ?? [];
      const failed = items.some(({ json }) => isFailure(json));
      if (items.length === 0) complaints.push(`${name}: row ${String(row.n)} is lost`);
      if (items.length > 1 && (failed || workload.gives === 'one')) {
        complaints.push(`${name}: row ${String(row.n)} came out ${String(items.length)} times`);
      }
      if (!failed) {
        const other = items.find(
          ({ json }) =>
            !workload.fits(json, row) && !isSpoilt(json) && !isBelieved(workload.node, json),
        );
        if (other !== undefined) {
          const text = JSON.stringify(other.json).slice(0, 200);
          complaints.push(`${name}: row ${String(row.n)} has the result of another: ${text}`);
        }
      }
      return { row, workload, fate: failed ? 'error item' : 'result', items };
    });
  });
  const count = (fate: Fate): string => String(fates.filter((one) => one.fate === fate).length);
  const parts = [
    `${String(fates.length)} in`,
    `${count('result')} with a result`,
    `${count('error item')} as error items`,
    `${count('stopped')} in executions that stopped`,
    `${count('killed')} in executions that died`,
  ];
  return { fates, line: { what: 'Rows', figure: parts.join(', '), complaints } };
}

/**
 * Returns whether API Request must accept a success without data, because unknown endpoints can
 * return one.
 */
export function isBelieved({ type }: Workload['node'], json: OutputItem['json']): boolean {
  return type === 'apiRequest' && (json['success'] === true || json['data'] === null);
}

/** Returns whether an item is an error item, or a row with its own fields and an error. */
function isFailure({ error, message, enrichment, refresh }: OutputItem['json']): boolean {
  const isErrorItem = typeof error === 'object' && typeof message === 'string';
  return isErrorItem || isDeath({ error }) || [enrichment, refresh].some(isFailedResult);
}

/**
 * Returns whether an item is n8n's own item for a durable wait whose small workflow died with a
 * worker.
 */
function isDeath({ error }: OutputItem['json']): boolean {
  return typeof error === 'string' && DIED.test(error);
}

function isFailedResult(result: unknown): boolean {
  return (
    typeof result === 'object' && result !== null && 'status' in result && result.status === 'error'
  );
}

/** Returns whether a fault replaced names with numbers. The nodes cannot detect such damage. */
function isSpoilt({ name, company_name, enrichment = {} }: OutputItem['json']): boolean {
  const names = [name, company_name, (enrichment as OutputItem['json'])['company_name']];
  return names.some((one) => typeof one === 'number');
}

/** Failures after which the service may still have processed the request. */
const UNKNOWN_OUTCOME = /unknown_outcome|outcome of this request is unknown/;

/** Checks the side effects at the service, by the mark of the row that requested each. */
export function effectsLine(
  what: string,
  effect: Workload['effect'],
  fates: readonly RowFate[],
  done: ReadonlyMap<string, number>,
): Line {
  const complaints: string[] = [];
  const asked = fates.filter(({ workload }) => workload.effect === effect);
  const tally = { surely: 0, unknown: 0, unknownDone: 0, openDone: 0, none: 0 };
  for (const { row, workload, fate, items } of asked) {
    const times = done.get(row.mark) ?? 0;
    const name = `${workload.name}: ${row.mark}`;
    if (times > 1) complaints.push(`${name} was done ${String(times)} times`);
    if (fate === 'result') {
      tally.surely += 1;
      const believed = items.some(({ json }) => isBelieved(workload.node, json));
      if (believed) tally.surely -= 1 - times;
      else if (times !== 1) complaints.push(`${name} is said to be done and is not`);
    } else if (fate === 'error item') {
      if (UNKNOWN_OUTCOME.test(JSON.stringify(items))) {
        tally.unknown += 1;
        tally.unknownDone += times;
      } else {
        tally.none += 1;
        if (times > 0) {
          const text = JSON.stringify(items[0]?.json).slice(0, 300);
          complaints.push(`${name} is said to have failed and was done: ${text}`);
        }
      }
    } else {
      tally.openDone += times;
    }
  }
  const marks = new Set(asked.map(({ row }) => row.mark));
  for (const mark of done.keys()) {
    if (!marks.has(mark)) complaints.push(`${mark} was asked for by nobody`);
  }
  const total = [...done.values()].reduce((sum, times) => sum + times, 0);
  const expected = tally.surely + tally.unknownDone + tally.openDone;
  if (complaints.length === 0 && total !== expected) {
    complaints.push(`${String(total)} were done, ${String(expected)} are accounted for`);
  }
  return {
    what,
    figure: `${String(total)} done: ${String(tally.surely)} reported, ${String(tally.unknownDone)} of ${String(tally.unknown)} with an unknown outcome, ${String(tally.openDone)} in executions that stopped or died; ${String(tally.none)} failed and not done`,
    complaints,
  };
}

/** Checks the jobs at the service. An execution with up to 100 domains starts one job. */
export function jobsLine(
  started: readonly Started[],
  fates: readonly RowFate[],
  created: number,
): Line {
  const runs = started.filter(({ workload, accepted }) => workload.effect === 'job' && accepted);
  const fatesOfMark = new Map(fates.map((one) => [one.row.mark, one]));
  let [reported, open] = [0, 0];
  for (const { rows } of runs) {
    const own = rows.flatMap(({ mark }) => fatesOfMark.get(mark) ?? []);
    const text = JSON.stringify(own.map(({ items }) => items));
    const died = own.some(
      ({ fate, items }) => fate === 'killed' || items.some(({ json }) => isDeath(json)),
    );
    if (text.includes('"job_id":"')) reported += 1;
    else if (died || UNKNOWN_OUTCOME.test(text)) open += 1;
  }
  const balanced = created >= reported && created <= reported + open;
  return {
    what: 'Refresh jobs',
    figure: `${String(created)} started: ${String(reported)} reported, at most ${String(open)} with an unknown outcome or in executions that died`,
    complaints: balanced ? [] : [`${String(created)} jobs`],
  };
}

/**
 * Checks the charges: every requested company is charged once, and no other company.
 *
 * @param companies numbers of distinct companies. `expected`: must be charged. `refused`: requested
 *   by runs that n8n refused but may have started anyway. `reported`: in the nodes' output.
 */
export function chargesLine(
  beforeSettling: number,
  charged: number,
  companies: Record<'expected' | 'refused' | 'reported', number>,
): Line {
  const { expected, refused, reported } = companies;
  const complaints: string[] = [];
  if (charged < expected || charged > expected + refused) {
    complaints.push(`${String(charged)} charged for ${String(expected)} companies`);
  }
  if (reported > beforeSettling) {
    complaints.push(`${String(reported)} companies came out, ${String(beforeSettling)} were paid`);
  }
  return {
    what: 'Charges',
    figure: `${String(beforeSettling)} credits, ${String(reported)} companies came out, the others in answers that got lost; ${String(charged)} after asking once more for all ${String(expected)}`,
    complaints,
  };
}

/**
 * Checks that each request succeeded, was hit by a fault, named an unknown company, or was cut off
 * by a kill.
 */
export function requestsLine(
  requests: readonly RequestEntry[],
  total: number,
  accidents: readonly Accident[],
  violations: readonly string[],
): Line {
  const complaints = violations.map((violation) => `The service's own rules: ${violation}`);
  const kills = accidents.filter(({ what }) => what === 'worker killed').map(({ at }) => at);
  const tally = { well: 0, fault: 0, unknown: 0, cut: 0 };
  for (const { status, fault, path, at, method } of requests) {
    if (fault !== null) tally.fault += 1;
    else if (status !== null && status < 300) tally.well += 1;
    else if (status === 404 && path.includes(UNKNOWN_PREFIX)) tally.unknown += 1;
    else if (status === null && kills.some((kill) => at <= kill && kill <= at + 30_000)) {
      tally.cut += 1;
    } else complaints.push(`${method} ${path}: ${String(status)} for no reason`);
  }
  if (requests.length !== total) {
    complaints.push(`${String(requests.length)} requests in detail, ${String(total)} in all`);
  }
  return {
    what: 'Requests',
    figure: `${String(total)}: ${String(tally.well)} answered well, ${String(tally.fault)} hit by faults, ${String(tally.unknown)} for companies nobody knows, ${String(tally.cut)} cut off by kills`,
    complaints,
  };
}
