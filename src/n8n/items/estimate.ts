import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { includesPartners } from '../../service/companies';
import { openRun } from '../open-run';
import type { Enrichment, LookupOptions } from './enrich';
import { countOccurrences, warnAboutDomains } from '../run-hints';
import { readCompanies } from './read';
import { formatCount } from '../../values/text';

/** Estimates the cost of enriching all input items without sending a request; returns one item. */
export async function estimateRows(
  context: IExecuteFunctions,
  options: LookupOptions,
  { sections: include }: Enrichment,
): Promise<INodeExecutionData[][]> {
  const read = readCompanies(context, options, include);
  const { rows, requests, domains, names, counts, invalid, sections } = read;
  const { candidatesPerName } = options;
  const { limit = Infinity } = (await openRun(context, options)).credits;
  const searches = new Set(names.map(({ name }) => name.keys[0])).size;
  const most = domains.length + searches * candidatesPerName;
  // Only the bulk lookup charges partners; Enrich Partnerships does not.
  const chargesPartners = requests.size > 0 && includesPartners(sections);
  context.addExecutionHints(...warnAboutDomains(read));
  const errors = rows.flatMap((row) => ('failure' in row ? ['error'] : []));
  const reasons = [...invalid.map(({ reason }) => reason), ...errors];
  const notes = [
    'Untracked companies are free, and so are companies that your organization read in the last 30 days.',
    searches > 0 &&
      `Each name costs up to ${formatCount(candidatesPerName, 'credit')}, 1 per company that its search returns (Candidates per Name). The matching company is then free.`,
    chargesPartners &&
      'Each partner returned with a company can cost 1 credit too, so the maximum is unknown.',
    !chargesPartners &&
      limit < most &&
      `Max Credits, in the node or the credential, stops the run at ${formatCount(limit, 'credit')}.`,
  ];
  const json = {
    ...counts,
    rows_without_domain: reasons.length,
    reasons: Object.fromEntries(countOccurrences(reasons)),
    // As Max Credits counts: as if nothing were free.
    ...(chargesPartners ? {} : { credits_at_most: Math.min(most, limit) }),
    note: notes.filter((note) => note !== false).join(' '),
  };
  return [[{ json, pairedItem: rows.map((_row, item) => ({ item })) }]];
}
