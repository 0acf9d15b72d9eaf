import {
  NodeOperationError,
  type IDataObject,
  type IExecuteFunctions,
  type INodeExecutionData,
} from 'n8n-workflow';

import { LIMITS } from '../../input/limits';
import type { BatchReport, DomainOutcome } from '../../run/batches';
import { NO_FIGURES, type Figures } from '../../run/figures';
import type { AskBatches, Run } from '../../run/run';
import { outputFor } from '../agents';
import type { RowOptions } from './options';
import { invalidResult, noEntry, readDomainRows } from './domain-rows';
import { groupRows, NOTHING_TO_CHOOSE, partsOf, type Group, type Plan } from './groups';
import { advisedRow } from '../credit-advice';
import { failureOf, onErrorOf, throwFirstFailure, type OnError } from '../failures';
import { recordFigures } from '../figures';
import type { Parameter } from '../parameters/declare';
import { outcomesHint } from './outcomes';
import type { Shape } from '../result-shape';
import { rowItems, type RowResult } from './items';
import { FEWEST_KEPT, keepReads, keptReads } from '../kept-reads';
import { openRun } from '../open-run';
import { guardOf, timingOf } from '../run-options';
import { isTool } from '../n8n-versions';
import { runReport } from './run-report';
import { projected, summarize, type Summarized } from './summary';

/** What differs between the operations that enrich rows by their domain. */
export interface Enrichment<Section extends string>
  extends Pick<AskBatches, 'endpoint'>, Required<Pick<AskBatches, 'creditsOf'>> {
  /** What an item asks for about its company; nothing to choose if left out. */
  readonly sections?: Parameter<Section[]>;
  /** What comes out of a result. */
  readonly shape: Shape;
  readonly ask: (
    run: Run,
    batch: readonly string[],
    sections: readonly Section[],
  ) => ReturnType<AskBatches['ask']>;
}

/** Options of both. */
export interface EnrichOptions extends RowOptions {
  readonly spendRemainingCredits: boolean;
  /** How many distinct companies are asked for; 0 for all. */
  readonly onlyFirstCompanies: number;
  /** Whether a second output tells what came of the run. */
  readonly runReport: boolean;
}

/** What a run gave, or why it could not begin. */
interface Asked<Section extends string> {
  readonly reports: ReadonlyMap<Group<Section>, Report>;
  readonly figures: Figures;
}

type Report = Omit<BatchReport, 'outcomes'> & {
  readonly outcomes: ReadonlyMap<string, DomainOutcome | RunFailure>;
};

interface RunFailure {
  readonly kind: 'run-failed';
  readonly error: NodeOperationError;
}

/**
 * Enriches all input items at once: distinct domains in batches, then one output item for each input
 * item, in input order, each paired with its own. Rows without a usable domain cost nothing. What is
 * wanted of a company is each item's own to say.
 *
 * @throws {NodeApiError | NodeOperationError} naming the first item that failed, when On Error is
 * Stop Workflow; otherwise failures are items.
 */
export async function enrichRows<Section extends string>(
  context: IExecuteFunctions,
  given: EnrichOptions,
  enrichment: Enrichment<Section>,
): Promise<INodeExecutionData[][]> {
  const options = outputFor(context, given);
  const items = context.getInputData();
  const onError = onErrorOf(context);
  const { onlyFirstCompanies } = options;
  const { sections = NOTHING_TO_CHOOSE } = enrichment;
  const rows = readDomainRows(context, items.length, options);
  const { plans, groups } = groupRows(context, rows, onlyFirstCompanies, sections);
  if (onError === 'stop') throwFirstFailure(context, plans.map(failureOf));
  const { reports, figures } = await askOrFail(context, enrichment, groups, options, onError);
  const results = resultsOf(plans, reports).map((row) => advisedRow(row, options));
  const shaped = results.map((result) => shapedBy(enrichment.shape, result));
  const output = rowItems(context, items, shaped, options, onError, figures);
  context.addExecutionHints(
    ...summarize(plans, allAsOne(reports), figures),
    ...projected(plans, onlyFirstCompanies, figures),
  );
  if (results.some(({ kind }) => kind === 'failure')) {
    context.addExecutionHints(outcomesHint(results));
  }
  recordFigures(context, figures, output.length);
  // Agents get one output only.
  if (!options.runReport || isTool(context)) return [output];
  const json = runReport(plans, results, figures, (row) => enrichment.creditsOf(row) > 0);
  return [output, [{ json, pairedItem: items.map((_item, item) => ({ item })) }]];
}

/** When the run cannot even begin, every row that would have been asked for has failed. */
async function askOrFail<Section extends string>(
  context: IExecuteFunctions,
  enrichment: Enrichment<Section>,
  groups: ReadonlyArray<Group<Section>>,
  options: EnrichOptions,
  onError: OnError,
): Promise<Asked<Section>> {
  try {
    return await ask(context, enrichment, groups, options);
  } catch (error) {
    if (onError === 'stop' || !(error instanceof NodeOperationError)) throw error;
    const failure: RunFailure = { kind: 'run-failed', error };
    const reports = groups.map((group) => {
      const outcomes = new Map([...group.domains].map((domain) => [domain, failure]));
      return [group, { outcomes, answers: 0, oddities: [] }] as const;
    });
    return { reports: new Map(reports), figures: NO_FIGURES };
  }
}

async function ask<Section extends string>(
  context: IExecuteFunctions,
  enrichment: Enrichment<Section>,
  groups: ReadonlyArray<Group<Section>>,
  options: EnrichOptions,
): Promise<Asked<Section>> {
  const reports = new Map<Group<Section>, Report>();
  if (groups.length === 0) return { reports, figures: NO_FIGURES };
  const run = await openRun(context, { timing: timingOf(options), credits: guardOf(options) });
  // Fewer companies are not kept either.
  if (groups.some(({ domains }) => domains.size >= FEWEST_KEPT)) run.recall(keptReads(context));
  // What is learned of one group, such as the largest batch or a lack of credits, holds for the next.
  const read = new Set<string>();
  for (const group of groups) {
    const parts: Report[] = [];
    for (const { domains, isFree } of partsOf(group, read)) {
      const report = await run.batches({
        ...enrichment,
        creditsOf: isFree ? undefined : enrichment.creditsOf,
        ask: async (part, batch) => await enrichment.ask(part, batch, group.sections),
        domains,
        wanted: group.sections.join(),
        // Each partner that comes is charged as well.
        costsOpen: group.sections.some((section) => section === 'partnerships'),
        batchSize: LIMITS.batchSize,
        spendRemaining: options.spendRemainingCredits,
      });
      for (const [domain, { kind }] of report.outcomes) if (kind === 'row') read.add(domain);
      parts.push(report);
    }
    reports.set(group, together(parts));
  }
  keepReads(context, run.newReads);
  return { reports, figures: run.figures };
}

function together(reports: readonly Report[]): Report {
  return {
    outcomes: new Map(reports.flatMap(({ outcomes }) => [...outcomes])),
    answers: reports.reduce((sum, { answers }) => sum + answers, 0),
    oddities: reports.flatMap(({ oddities }) => oddities),
  };
}

function resultsOf<Section extends string>(
  plans: ReadonlyArray<Plan<Section>>,
  reports: Asked<Section>['reports'],
): RowResult[] {
  const used = new Set<unknown>();
  return plans.map((plan): RowResult => {
    if (plan.kind === 'failed') return { kind: 'failure', failure: plan.failure, domain: null };
    if (plan.kind === 'invalid') {
      const { reason, message } = plan.found;
      return { kind: 'result', result: invalidResult(null, reason, message) };
    }
    const { domain } = plan.found;
    if (plan.group === undefined) return notSampled(domain);
    const outcome = reports.get(plan.group)?.outcomes.get(domain);
    const result = resultOf(domain, outcome);
    if (result.kind === 'failure' || !used.has(outcome)) {
      used.add(outcome);
      return result;
    }
    // Rows that share a company must not share an object that a later node may change.
    return { kind: 'result', result: structuredClone(result.result) };
  });
}

function shapedBy(shape: Shape, result: RowResult): RowResult {
  if (result.kind === 'failure') return result;
  return { kind: 'result', result: shape(result.result) as IDataObject };
}

function allAsOne<Section extends string>(reports: Asked<Section>['reports']): Summarized {
  const all = [...reports.values()];
  const oddities = all.flatMap((report) => report.oddities.map((odd) => [odd.field, odd] as const));
  return {
    domains: new Set(all.flatMap(({ outcomes }) => [...outcomes.keys()])).size,
    answers: all.reduce((sum, { answers }) => sum + answers, 0),
    oddities: [...new Map(oddities).values()],
  };
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
      return { kind: 'failure', failure: noEntry('The answer of the service', domain), domain };
  }
}

function notSampled(domain: string): RowResult {
  const message = 'Not asked for, because only the first companies are (Only First Companies)';
  return { kind: 'result', result: { domain, status: 'not_sampled', message } };
}
