import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { includesPartners } from '../../service/companies';
import { openRun } from '../open-run';
import type { Enrichment, LookupOptions } from './enrich';
import { countOccurrences, warnAboutDomains } from '../run-hints';
import { readCompanies } from './read';
import { formatCount } from '../../values/text';

/**
 * Estimates the cost of enriching all input items without sending a request; returns one item for the
 * whole run.
 *
 * @throws {NodeOperationError} If the credential is unusable, or for the first item whose expression
 * fails, if On Error is Stop Workflow.
 */
export async function estimateRows(
  context: IExecuteFunctions,
  options: LookupOptions,
  { sections }: Enrichment,
): Promise<INodeExecutionData[][]> {
  const read = readCompanies(context, options, sections);
  const { rows, requests, domains, names, counts, invalid } = read;
  const run = await openRun(context, options);
  const searches = new Set(names.map(({ name }) => name.keys[0])).size;
  // Only the bulk lookup charges partners; Enrich Partnerships does not.
  const chargesPartners = requests.size > 0 && includesPartners(read.sections);
  context.addExecutionHints(...warnAboutDomains(read));
  const errors = rows.flatMap((row) => ('failure' in row ? ['error'] : []));
  const reasons = [...invalid.map(({ reason }) => reason), ...errors];
  const json = {
    ...counts,
    rows_without_domain: reasons.length,
    reasons: Object.fromEntries(countOccurrences(reasons)),
    ...toCost({
      companies: domains.length,
      searches,
      candidatesPerName: options.candidatesPerName,
      limit: run.credits.limit ?? Infinity,
      chargesPartners,
    }),
  };
  return [[{ json, pairedItem: rows.map((_row, item) => ({ item })) }]];
}

interface CostFactors {
  readonly companies: number;
  readonly searches: number;
  readonly candidatesPerName: number;
  readonly limit: number;
  readonly chargesPartners: boolean;
}

/** Returns the maximum, which counts as Max Credits does: as if nothing were free. */
function toCost(of: CostFactors): IDataObject {
  const { companies, searches, candidatesPerName, limit, chargesPartners } = of;
  const most = companies + searches * candidatesPerName;
  const notes = [
    'Untracked companies are free, and so are companies that your organization read in the last 30 days.',
  ];
  if (searches > 0) {
    notes.push(
      `Each name costs up to ${formatCount(candidatesPerName, 'credit')}, 1 per company that its search returns (Candidates per Name). The matching company is then free.`,
    );
  }
  if (chargesPartners) {
    notes.push(
      'Each partner returned with a company can cost 1 credit too, so the maximum is unknown.',
    );
  } else if (limit < most) {
    notes.push(
      `Max Credits, in the node or the credential, stops the run at ${formatCount(limit, 'credit')}.`,
    );
  }
  return {
    ...(chargesPartners ? {} : { credits_at_most: Math.min(most, limit) }),
    note: notes.join(' '),
  };
}
