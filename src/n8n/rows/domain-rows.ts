import type { IExecuteFunctions } from 'n8n-workflow';

import { InvalidResponseError } from '../../client/errors';
import { normalizeDomain, type NormalizedDomain, type NormalizeOptions } from '../../input/domains';
import { InputError } from '../../input/inputs';
import { candidatesOf, warnOfFixed, type RunLimits } from '../parameters/read';
import {
  readRows,
  succeeded,
  type Asked,
  type Outcome,
  type RowOutput,
  type Rows,
  type Task,
} from './rows';
import { LIMITS } from '../../input/limits';
import type { Row } from '../../run/answers/rows';
import type { BatchReport, DomainOutcome } from '../../run/batches';
import type { AskBatches, Run } from '../../run/run';
import { doneBefore, once } from '../once';

/** Options of operations on all rows at once. They hold for the whole run. */
export interface RowOptions extends RowOutput, NormalizeOptions, RunLimits {}

/** What was found in a row with a usable domain. */
export type FoundDomain = Extract<NormalizedDomain, { valid: true }>;

/** What an operation asks about a company. */
export interface OfCompany {
  readonly domain: string;
}

/** How many companies rows hold, and how many of the rows are about one that came before. */
export interface DomainCounts {
  readonly rows: number;
  readonly distinct_companies: number;
  readonly duplicate_rows: number;
}

/** Why a row holds no usable domain, and the domain that this is about. */
export type Unusable = Pick<Extract<NormalizedDomain, { valid: false }>, 'reason' | 'about'>;

/** Rows of which each names a company. */
export interface DomainRows<Ask> extends Rows<Ask> {
  readonly counts: DomainCounts;
  /** Why rows hold no usable domain, one for each of them. */
  readonly invalid: readonly Unusable[];
}

/** Another way to know the company of a row, and what tells it from others. */
interface KnownOtherwise<Ask> {
  readonly company: string;
  readonly asked: Asked<Ask> | Outcome;
}

interface Reading<Ask> extends NormalizeOptions {
  /** For a row without a usable domain; undefined where there is no other way either. */
  readonly otherwise?: ((itemIndex: number) => KnownOtherwise<Ask> | undefined) | undefined;
  /** There is no item in which a row without a usable domain could be said to be invalid. */
  readonly invalidFails?: boolean;
}

/**
 * Reads the `domain` parameter of every input item, and what those that have one ask for. The others
 * are results already: no request and no credit is spent on them.
 *
 * @throws what {@link readRows} throws.
 */
export function readDomainRows<Ask>(
  context: IExecuteFunctions,
  { invalidFails = false, otherwise, ...options }: Reading<Ask>,
  askedOf: (found: FoundDomain, itemIndex: number) => Asked<Ask> | Outcome,
): DomainRows<Ask> {
  const read = candidatesOf(context, 'domain');
  const companies = new Set<string>();
  const invalid: Unusable[] = [];
  const usable = { byDomain: 0, otherwise: 0 };
  const { rows, tasks } = readRows(context, (itemIndex) => {
    const found = normalizeDomain(read(itemIndex), options);
    if (found.valid) {
      const asked = askedOf(found, itemIndex);
      companies.add(found.domain);
      usable.byDomain += 1;
      return asked;
    }
    const { reason, about, message } = found;
    if (reason === 'ignored') {
      invalid.push({ reason, about });
      return succeeded({ domain: about ?? null, status: 'ignored', message });
    }
    const other = otherwise?.(itemIndex);
    if (other !== undefined) {
      companies.add(other.company);
      usable.otherwise += 1;
      return other.asked;
    }
    if (invalidFails) {
      const advice = 'Give a domain, a URL or an email address, or leave this row out.';
      throw new InputError(message, advice);
    }
    invalid.push({ reason, about });
    return invalidRow(null, reason, message);
  });
  if (usable.byDomain > 0) {
    context.addExecutionHints(...warnOfFixed(context, { name: 'domain', displayName: 'Domain' }));
  }
  const counts = {
    rows: rows.length,
    distinct_companies: companies.size,
    duplicate_rows: usable.byDomain + usable.otherwise - companies.size,
  };
  return { rows, tasks, counts, invalid };
}

/** A row without a domain that the service could know: no credit was spent on it. */
export function invalidRow(domain: string | null, reason: string, message: string): Outcome {
  return succeeded({ domain, status: 'invalid', reason, message });
}

/**
 * The failure of a row of which nobody knows what became.
 *
 * @param where nothing is said of its domain.
 */
export function noEntry(
  domain: string,
  where = 'The answer of the service',
  more: Readonly<Record<string, unknown>> = {},
): InvalidResponseError {
  return new InvalidResponseError({
    code: 'no_result',
    message: `${where} has no entry for ${domain}`,
    hint: 'Run this row again; if that does not help, report the domain to the service.',
    details: { domain, ...more },
  });
}

// --- Companies that are asked for together -------------------------------------------------------

/** Tasks that go into the same batches. */
export interface Alike<Ask> {
  /** What the first of them asks, and all want of their companies. */
  readonly ask: Ask;
  readonly tasks: Array<Task<Ask>>;
}

/**
 * Tells tasks apart by what they want of their companies, in the order in which they first come.
 *
 * @param wantedOf the same text for the same.
 */
export function alike<Ask>(
  tasks: ReadonlyArray<Task<Ask>>,
  wantedOf: (ask: Ask) => string,
): Array<Alike<Ask>> {
  const groups = new Map<string, Alike<Ask>>();
  for (const task of tasks) {
    const wanted = wantedOf(task.ask);
    const group = groups.get(wanted);
    if (group === undefined) groups.set(wanted, { ask: task.ask, tasks: [task] });
    else group.tasks.push(task);
  }
  return [...groups.values()];
}

/** Something with a lasting effect that is done for the companies of tasks, some at once. */
interface Deeds extends Omit<AskBatches, 'ask' | 'creditsOf' | 'domains' | 'batchSize'> {
  /** Does it for one batch; gives what came of each domain that the answer tells something of. */
  readonly act: (run: Run, batch: readonly string[]) => Promise<ReadonlyMap<string, Row>>;
  /** Tells what is done apart from other things that the node run does to the same domain. */
  readonly what: string;
  /** The input item that it is remembered for, where that is not the first with the domain. */
  readonly itemIndex?: number;
}

/**
 * Does something for each company once in a node run, however often n8n tries that run: it is
 * remembered by domain, so that a second try may cut its batches elsewhere.
 *
 * @throws {CancelledError} when the run is stopped.
 */
export async function onceInBatches(
  context: IExecuteFunctions,
  run: Run,
  tasks: ReadonlyArray<Task<OfCompany>>,
  { act, what, itemIndex, ...job }: Deeds,
): Promise<BatchReport> {
  const items = new Map(tasks.map((task) => [task.ask.domain, itemIndex ?? task.itemIndex]));
  const keyOf = (domain: string) =>
    [context, items.get(domain) ?? 0, JSON.stringify([what, domain])] as const;
  const before = new Map<string, DomainOutcome>();
  for (const domain of items.keys()) {
    const done = await doneBefore(...keyOf(domain));
    if (done !== undefined) before.set(domain, outcomeOf(done));
  }
  const report = await run.batches({
    ...job,
    batchSize: LIMITS.batchSize,
    domains: [...items.keys()].filter((domain) => !before.has(domain)),
    ask: async (part, batch) => {
      const acting = act(part, batch);
      const rows = await Promise.all(
        batch.map(async (domain) => {
          const row = await once(...keyOf(domain), async () => (await acting).get(domain));
          return row === undefined ? [] : [[domain, row] as const];
        }),
      );
      return { rows: new Map(rows.flat()), rejected: new Set(), oddities: [] };
    },
  });
  return { ...report, outcomes: new Map([...before, ...report.outcomes]) };
}

function outcomeOf(done: NonNullable<Awaited<ReturnType<typeof doneBefore>>>): DomainOutcome {
  if ('failure' in done) return { kind: 'failed', error: done.failure };
  const row = done.value as Row | undefined;
  return row === undefined ? { kind: 'missing' } : { kind: 'row', row };
}
