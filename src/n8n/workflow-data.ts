import type { IDataObject, IExecuteFunctions, IPollFunctions } from 'n8n-workflow';

import { FREE_MS, HASH_LENGTH, type Read } from '../client/keys';
import { isRow } from '../run/answers/rows';

/*
 * n8n keeps some data with each workflow. It saves all of it at once: an execution what it loaded when
 * it began, and a poll what there was when the workflow was published, each with its own changes. So
 * whoever writes puts in what others have written meanwhile.
 */

/** What this process has written, by workflow. */
const written = new Map<string, IDataObject>();

/** The data of a workflow, whatever its nodes are called. */
export function workflowData(context: IExecuteFunctions | IPollFunctions): IDataObject {
  return context.getWorkflowStaticData('global');
}

/** Brings what was just written under a name together with what others have written under theirs. */
export function keepTogether(context: IExecuteFunctions | IPollFunctions, name: string): void {
  const { id } = context.getWorkflow();
  const data = workflowData(context);
  if (id === undefined || data[name] === undefined) return;
  const all = { ...written.get(id), [name]: data[name] };
  written.set(id, all);
  Object.assign(data, all);
}

/** Under what the companies are kept that runs have read, so that a restart of n8n does not forget them. */
const READS = 'companyIntelligenceReads';
const DAY_MS = 24 * 60 * 60_000;

/** n8n writes all of it to its database each time, which a few companies are not worth. */
export const FEWEST_KEPT = 50;
/** About 220 kB. */
const MOST_KEPT = 20_000;

/** Keeps what a run has read with the workflow, by day, for 30 days; the oldest go first. */
export function keepReads(context: IExecuteFunctions, reads: readonly Read[]): void {
  if (reads.length < FEWEST_KEPT) return;
  const oldest = Date.now() - FREE_MS;
  const all = [...keptReads(context), ...reads].filter(([, at]) => at > oldest).slice(-MOST_KEPT);
  const days: Record<string, string> = {};
  for (const [hash, at] of all) {
    const day = String(Math.floor(at / DAY_MS));
    days[day] = (days[day] ?? '') + hash;
  }
  workflowData(context)[READS] = days;
  keepTogether(context, READS);
}

/** What earlier runs of the workflow have read, as far as n8n has kept it; the oldest first. */
export function keptReads(context: IExecuteFunctions): Read[] {
  const days: unknown = workflowData(context)[READS];
  if (!isRow(days)) return [];
  return Object.entries(days)
    .map(([day, hashes]) => [Number(day), hashes] as const)
    .filter(([day]) => Number.isInteger(day))
    .sort(([one], [other]) => one - other)
    .flatMap(([day, hashes]) => (typeof hashes === 'string' ? readsOf(hashes, day * DAY_MS) : []));
}

function readsOf(hashes: string, at: number): Read[] {
  return Array.from({ length: Math.floor(hashes.length / HASH_LENGTH) }, (_one, index) => [
    hashes.slice(index * HASH_LENGTH, (index + 1) * HASH_LENGTH),
    at,
  ]);
}
