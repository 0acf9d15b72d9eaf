import type { IExecuteFunctions } from 'n8n-workflow';

import { LIMITS } from '../../input/limits';
import type { Row } from '../../run/answers/rows';
import type { BatchReport, DomainOutcome } from '../../run/batches';
import type { AskBatches, Run } from '../../run/run';
import { doneBefore, once } from '../once';
import type { OfCompany } from './domain-rows';
import type { Task } from './rows';

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
