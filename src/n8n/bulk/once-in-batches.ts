import type { IExecuteFunctions } from 'n8n-workflow';

import type { Row } from '../../run/answers/rows';
import type { BatchReport, DomainOutcome } from '../../run/batches';
import type { AskBatches, Run } from '../../run/run';
import { doneBefore, once } from '../once';

/** Something with a lasting effect that is done for many domains, some at once. */
interface Deeds extends Omit<AskBatches, 'ask' | 'creditsOf'> {
  /** Does it for one batch; gives what came of each domain that the answer tells something of. */
  readonly act: (run: Run, batch: readonly string[]) => Promise<ReadonlyMap<string, Row>>;
  /** Tells what is done apart from other things that the node run does to the same domain. */
  readonly what: string;
  /** The input item that a domain comes from. */
  readonly itemIndexOf: (domain: string) => number;
}

/**
 * Does something for each domain once in a node run, however often n8n tries that run: it is
 * remembered by domain, so that a second try may cut its batches elsewhere.
 *
 * @throws {CancelledError} when the run is stopped.
 */
export async function onceInBatches(
  context: IExecuteFunctions,
  run: Run,
  { act, what, itemIndexOf, domains, ...job }: Deeds,
): Promise<BatchReport> {
  const keyOf = (domain: string) =>
    [context, itemIndexOf(domain), JSON.stringify([what, domain])] as const;
  const outcomes = new Map<string, DomainOutcome>();
  for (const domain of domains) {
    const before = await doneBefore(...keyOf(domain));
    if (before === undefined) continue;
    outcomes.set(
      domain,
      'failure' in before
        ? { kind: 'failed', error: before.failure }
        : outcomeOf(before.value as Row | undefined),
    );
  }
  const report = await run.batches({
    ...job,
    domains: domains.filter((domain) => !outcomes.has(domain)),
    ask: async (part, batch) => {
      const acting = act(part, batch);
      const results = await Promise.all(
        batch.map(async (domain) => {
          const row = await once(...keyOf(domain), async () => (await acting).get(domain));
          return [domain, row] as const;
        }),
      );
      const rows = results.flatMap(([domain, row]) =>
        row === undefined ? [] : [[domain, row] as const],
      );
      return { rows: new Map(rows), rejected: new Set(), oddities: [] };
    },
  });
  return { ...report, outcomes: new Map([...outcomes, ...report.outcomes]) };
}

function outcomeOf(row: Row | undefined): DomainOutcome {
  return row === undefined ? { kind: 'missing' } : { kind: 'row', row };
}
