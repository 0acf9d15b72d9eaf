import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { lookUpAll } from '../../api/companies';
import { domainStates } from '../../api/jobs';
import type { Run } from '../../run/run';
import { failureJson, serviceErrorOf } from '../failures';
import { figuresHint, recordFigures } from '../figures';
import type { WaitPlan } from './plan';
import { resultItems } from './results';
import type { WaitState } from './wait-state';

/**
 * Makes one output item for each input item when waiting is over, with what the service now knows of
 * the companies that were crawled, if that is wanted.
 *
 * @param run or why it could not begin.
 * @param items the input items, in the order of the plan's rows.
 * @throws what {@link resultItems} throws.
 */
export async function finish(
  context: IExecuteFunctions,
  run: Run | Error,
  items: readonly INodeExecutionData[],
  plan: WaitPlan,
  state: WaitState,
): Promise<INodeExecutionData[]> {
  const { enrichAfterwards = [] } = plan;
  const domains = enrichAfterwards.length === 0 ? [] : crawledOf(plan, state);
  // Such as a credential that was deleted meanwhile. Thrown, n8n would make one item of all rows.
  if (run instanceof Error) {
    const failed = { kind: 'failed', error: serviceErrorOf(failureJson(run)) } as const;
    const enriched = new Map(domains.map((domain) => [domain, failed]));
    return resultItems(context, items, plan, state, { enriched });
  }
  // What has ended the waiting need not end this. At most 1 credit for each company, and for each
  // partner that comes with it.
  const enriched = await lookUpAll(run.anew(), domains, enrichAfterwards);
  tellCost(context, run, items.length);
  return resultItems(context, items, plan, state, { enriched, before: run.figures });
}

/** Tells what a run has cost that has read companies. */
export function tellCost(context: IExecuteFunctions, { figures }: Run, rows: number): void {
  if (figures.asked === 0 && figures.creditsAtMost === 0) return;
  context.addExecutionHints(figuresHint(figures, false));
  recordFigures(context, figures, rows);
}

/** The companies of a plan that were crawled without an error. */
function crawledOf({ rows }: WaitPlan, { jobs }: WaitState): string[] {
  const crawled = new Set(
    jobs.flatMap(({ job, finished }) =>
      Array.from(domainStates(job ?? {}, finished))
        .filter(([, one]) => one.finished && one.error === null && one.status !== 'failed')
        .map(([domain]) => domain),
    ),
  );
  const wanted = rows.flatMap((row) => (row.kind === 'domain' ? [row.domain] : []));
  return [...new Set(wanted)].filter((domain) => crawled.has(domain));
}
