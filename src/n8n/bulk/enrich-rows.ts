import {
  NodeOperationError,
  type IDataObject,
  type IExecuteFunctions,
  type INodeExecutionData,
} from 'n8n-workflow';

import { LIMITS } from '../../api/limits';
import { InvalidResponseError } from '../../client/errors';
import type { BatchReport, DomainOutcome } from '../../run/batches';
import { NO_FIGURES, type Figures } from '../../run/figures';
import type { AskBatches } from '../../run/run';
import type { RowOptions } from './options';
import {
  distinctDomains,
  invalidResult,
  readDomainRows,
  sampleOf,
  type DomainRow,
} from './domain-rows';
import { onErrorOf, throwFirstFailure, type OnError } from '../failures';
import { recordFigures } from '../figures';
import { rowItems, type RowResult } from './items';
import { FEWEST_KEPT, keepReads, keptReads } from '../kept-reads';
import { openRun } from '../open-run';
import { guardOf, timingOf } from '../run-options';
import { isTool } from '../n8n-versions';
import { runReport } from './run-report';
import { projected, summarize } from './summary';

/** What differs between the operations that enrich rows by their domain. */
export type Enrichment = Pick<AskBatches, 'ask' | 'endpoint'> &
  Required<Pick<AskBatches, 'creditsOf'>>;

/** Options of both. */
export interface EnrichOptions extends RowOptions {
  readonly spendRemainingCredits: boolean;
  /** How many distinct companies are asked for; 0 for all. */
  readonly onlyFirstCompanies: number;
  /** Whether a second output tells what came of the run. */
  readonly runReport: boolean;
}

/** What a run gave, or why it could not begin. */
type Report = Omit<BatchReport, 'outcomes'> & {
  readonly outcomes: ReadonlyMap<string, DomainOutcome | RunFailure>;
  readonly figures: Figures;
};

interface RunFailure {
  readonly kind: 'run-failed';
  readonly error: NodeOperationError;
}

/** Nothing was sent. */
const NOTHING: Report = {
  outcomes: new Map(),
  answers: 0,
  oddities: [],
  figures: NO_FIGURES,
};

/**
 * Enriches all input items at once: distinct domains in batches, then one output item for each input
 * item, in input order, each paired with its own. Rows without a usable domain cost nothing.
 *
 * @throws {NodeApiError | NodeOperationError} naming the first item that failed, when On Error is
 * Stop Workflow; otherwise failures are items.
 */
export async function enrichRows(
  context: IExecuteFunctions,
  options: EnrichOptions,
  enrichment: Enrichment,
): Promise<INodeExecutionData[][]> {
  const items = context.getInputData();
  const onError = onErrorOf(context);
  const rows = readDomainRows(context, items.length, options);
  if (onError === 'stop') throwFirstFailure(context, rows.map(asFailure));
  const report = await askOrFail(context, enrichment, rows, options, onError);
  const results = resultsOf(rows, report.outcomes, options);
  const { figures } = report;
  const output = rowItems(context, items, results, options, onError, figures);
  context.addExecutionHints(
    ...summarize(rows, report, figures),
    ...projected(rows, options.onlyFirstCompanies, figures),
  );
  recordFigures(context, figures, output.length);
  // Agents get one output only.
  if (!options.runReport || isTool(context)) return [output];
  const json = runReport(rows, results, figures, (row) => enrichment.creditsOf(row) > 0);
  return [output, [{ json, pairedItem: items.map((_item, item) => ({ item })) }]];
}

/** When the run cannot even begin, every row that would have been asked for has failed. */
async function askOrFail(
  context: IExecuteFunctions,
  enrichment: Enrichment,
  rows: readonly DomainRow[],
  options: EnrichOptions,
  onError: OnError,
): Promise<Report> {
  const domains = sampleOf(distinctDomains(rows), options.onlyFirstCompanies);
  try {
    return await ask(context, enrichment, domains, options);
  } catch (error) {
    if (onError === 'stop' || !(error instanceof NodeOperationError)) throw error;
    const outcomes = domains.map((domain) => [domain, { kind: 'run-failed', error }] as const);
    return { ...NOTHING, outcomes: new Map(outcomes) };
  }
}

async function ask(
  context: IExecuteFunctions,
  enrichment: Enrichment,
  domains: readonly string[],
  options: EnrichOptions,
): Promise<Report> {
  if (domains.length === 0) return NOTHING;
  const run = await openRun(context, { timing: timingOf(options), credits: guardOf(options) });
  if (domains.length >= FEWEST_KEPT) run.recall(keptReads(context));
  const report = await run.batches({
    ...enrichment,
    domains,
    batchSize: LIMITS.batchSize,
    spendRemaining: options.spendRemainingCredits,
  });
  keepReads(context, run.newReads);
  return { ...report, figures: run.figures };
}

function resultsOf(
  rows: readonly DomainRow[],
  outcomes: Report['outcomes'],
  { onlyFirstCompanies }: EnrichOptions,
): RowResult[] {
  const used = new Set<string>();
  const sampled = new Set(sampleOf(distinctDomains(rows), onlyFirstCompanies));
  return rows.map((row): RowResult => {
    if (row.kind === 'failed') return { kind: 'failure', failure: row.failure, domain: null };
    if (row.kind === 'invalid') {
      const { reason, message } = row.found;
      return { kind: 'result', result: invalidResult(null, reason, message) };
    }
    const { domain } = row.found;
    const result = sampled.has(domain)
      ? resultOf(domain, outcomes.get(domain))
      : notSampled(domain);
    if (result.kind === 'failure' || !used.has(domain)) {
      used.add(domain);
      return result;
    }
    // Rows that share a company must not share an object that a later node may change.
    return { kind: 'result', result: structuredClone(result.result) };
  });
}

function resultOf(domain: string, outcome: DomainOutcome | RunFailure | undefined): RowResult {
  switch (outcome?.kind) {
    case 'row':
      return { kind: 'result', result: outcome.row as IDataObject };
    case 'rejected':
      return {
        kind: 'result',
        result: invalidResult(
          domain,
          'rejected_by_service',
          'The service calls this domain malformed',
        ),
      };
    case 'failed':
    case 'run-failed':
      return { kind: 'failure', failure: outcome.error, domain };
    case 'missing':
    case undefined:
      return { kind: 'failure', failure: noResult(domain), domain };
  }
}

function notSampled(domain: string): RowResult {
  const message = 'Not asked for, because only the first companies are (Only First Companies)';
  return { kind: 'result', result: { domain, status: 'not_sampled', message } };
}

function noResult(domain: string): InvalidResponseError {
  return new InvalidResponseError({
    code: 'no_result',
    message: `The answer of the service has no entry for ${domain}`,
    hint: 'Run this row again; if it stays so, report the domain to the service.',
    details: { domain },
  });
}

function asFailure(row: DomainRow): Error | undefined {
  return row.kind === 'failed' ? row.failure : undefined;
}
