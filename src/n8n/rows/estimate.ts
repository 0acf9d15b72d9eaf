import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { CompanySection } from '../../service/companies';
import { LIMITS } from '../../input/limits';
import type { Forecast } from '../../run/figures';
import { count, numberText, tally } from '../figures';
import { openRun } from '../open-run';
import type { Parameter } from '../parameters/declare';
import type { EnrichOptions } from './enrich';
import { asksForPartners, partsOf, readWanted, type Wanted } from './wanted';
import { warnOfNoDomain } from './hints';
import type { Task } from './rows';

/** The operation that is estimated. */
export interface Estimated {
  readonly endpoint: string;
  /** What an item asks for about its company; nothing to choose if left out. */
  readonly sections?: Parameter<CompanySection[]>;
}

/**
 * Tells what enriching all input items would cost, without asking for any of them: one item for the
 * whole run.
 *
 * @throws {NodeOperationError} when the credential cannot be used, and for the first item whose
 * expression fails, when On Error is Stop Workflow.
 */
export async function estimateRows(
  context: IExecuteFunctions,
  options: EnrichOptions,
  { endpoint, sections }: Estimated,
): Promise<INodeExecutionData[][]> {
  const { rows, tasks, named, counts, invalid } = readWanted(context, options, sections);
  const run = await openRun(context, options);
  const forecast = run.forecast({
    batches: batchesOf(tasks),
    endpoint,
    batchSize: LIMITS.batchSize,
    searches: new Set(named.map(({ ask }) => ask.name.keys[0])).size,
  });
  // Of the bulk lookup alone; the partners of an enrichment are none of its companies.
  const chargesPartners = [...tasks, ...named].some(({ ask }) => asksForPartners(ask.sections));
  context.addExecutionHints(...warnOfNoDomain(counts, invalid));
  const errors = rows.flatMap((row) => ('failure' in row ? ['error'] : []));
  const json = {
    ...counts,
    rows_without_domain: invalid.length + errors.length,
    reasons: Object.fromEntries(tally([...invalid.map(({ reason }) => reason), ...errors])),
    ...costOf(forecast, chargesPartners, options.candidatesPerName),
  };
  return [[{ json, pairedItem: rows.map((_row, item) => ({ item })) }]];
}

function batchesOf(tasks: ReadonlyArray<Task<Wanted<CompanySection>>>): string[][] {
  const read = new Set<string>();
  const batches: string[][] = [];
  for (const part of partsOf(tasks, (domain) => read.has(domain))) {
    const domains = part.tasks.map(({ ask }) => ask.domain);
    for (const domain of domains) read.add(domain);
    batches.push(domains);
  }
  return batches;
}

/**
 * That nothing may be charged is always possible: what the service does not track is free, and so is
 * what others of the organization have read. At most counts as Max Credits does, as if nothing were
 * free: that this n8n has read a company does not say when it was charged.
 */
function costOf(
  forecast: Forecast,
  chargesPartners: boolean,
  candidatesPerName: number,
): IDataObject {
  const { companies, searches, requests, seconds, readBefore, knownSince } = forecast;
  const { limit = Infinity } = forecast;
  const ofNames = searches * candidatesPerName;
  const most = companies + ofNames;
  const since = new Date(knownSince).toISOString();
  const notes = [
    'At least 0, because companies that the service does not track are free, and those that anybody in the organization has read in the last 30 days.',
    `${numberText(readBefore)} of them are known to have been read by this n8n, which remembers them since ${since}.`,
  ];
  if (searches > 0) {
    notes.push(
      `Each name costs up to ${count(candidatesPerName, 'credit')}, 1 for each company that its search returns (Candidates per Name); the company it means is free then.`,
    );
  }
  if (chargesPartners) {
    notes.push(
      'Each partner that comes with a company may cost a credit too, so that nobody can say how much it is at most: Only First Companies shows it for a few.',
    );
  } else if (limit < most) {
    notes.push(`Max Credits ends the run after ${count(limit, 'credit')}.`);
  }
  return {
    companies_asked_for: companies,
    ...(searches > 0 ? { names_asked_for: searches } : {}),
    requests,
    seconds_at_least: seconds,
    read_before: readBefore,
    read_before_known_since: since,
    credits_at_least: 0,
    credits_if_all_found: most - readBefore,
    ...(chargesPartners ? {} : { credits_at_most: Math.min(most, limit) }),
    note: notes.join(' '),
  };
}
