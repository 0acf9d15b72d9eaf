import type { IExecuteFunctions } from 'n8n-workflow';

import type { BatchReport, DomainOutcome } from '../../run/responses/batch-response';
import type { BatchesSpec, Run } from '../../run/run';
import type { Row } from '../../values/json';
import { previousResult, runOnce } from '../idempotency';

interface BatchedChange extends Omit<BatchesSpec, 'request' | 'creditsOf' | 'domains'> {
  /** Makes the change for one batch; returns the row of each domain in the response. */
  readonly act: (run: Run, batch: readonly string[]) => Promise<ReadonlyMap<string, Row>>;
  /** Distinguishes this change from others that the node run makes for the same domain. */
  readonly what: string;
}

/**
 * Makes a change for each company once per node run, however often n8n retries that run. Changes are
 * recorded by domain, so a retry can split its batches differently.
 *
 * @param items The input item that the change of each domain is recorded for.
 */
export async function runOnceInBatches(
  context: IExecuteFunctions,
  run: Run,
  items: ReadonlyMap<string, number>,
  { act, what, ...job }: BatchedChange,
): Promise<BatchReport> {
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
