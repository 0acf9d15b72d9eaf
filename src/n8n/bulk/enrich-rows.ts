import {
  NodeOperationError,
  type IDataObject,
  type IExecuteFunctions,
  type INodeExecutionData,
} from 'n8n-workflow';

import { LIMITS } from '../../input/limits';
import { eachItsOwn, type Row } from '../../run/answers/rows';
import type { BatchReport } from '../../run/batches';
import { NO_FIGURES, type Figures } from '../../run/figures';
import type { AskBatches, Run } from '../../run/run';
import { outputFor } from '../agents';
import {
  invalidResult,
  noEntry,
  resultsOf,
  type DomainRow,
  type RowOptions,
  type WithDomain,
} from './domain-rows';
import { partsOf, readSections, type Group } from './groups';
import { advisedRow } from '../credit-advice';
import { onErrorOf } from '../failures';
import { recordFigures } from '../figures';
import type { Parameter } from '../parameters/declare';
import { outcomesHint } from './outcomes';
import type { Shape } from '../result-shape';
import { rowItems, type RowResult } from './items';
import { FEWEST_KEPT, keepReads, keptReads, READS } from '../kept-reads';
import { openRun } from '../open-run';
import { keepTogether } from '../workflow-data';
import { isTool } from '../n8n-versions';
import { runReport } from './run-report';
import { projected, reportOf, summarize } from './summary';

/** What differs between the operations that enrich rows by their domain. */
export interface Enrichment<Section extends string>
  extends Pick<AskBatches, 'endpoint'>, Required<Pick<AskBatches, 'creditsOf'>> {
  /** What an item asks for about its company; nothing to choose if left out. */
  readonly sections?: Parameter<Section[]>;
  /** What comes out of a result for which these sections were asked. */
  readonly shapeFor: (sections: readonly Section[]) => Shape;
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
  const { rows, groups } = readSections(context, options, enrichment.sections);
  const { figures, failure } = await askOrFail(context, enrichment, groups, options);
  const own = eachItsOwn();
  const results = resultsOf(rows, (row) => advisedRow(resultOf(row, own, failure), options));
  const shaped = results.map((result, item) =>
    shapedBy(enrichment.shapeFor(sectionsOf(rows[item])), result),
  );
  const output = rowItems(context, shaped, { ...options, before: figures });
  context.addExecutionHints(
    ...summarize(rows, reportOf(groups), figures),
    ...projected(rows, options.onlyFirstCompanies, figures),
  );
  if (results.some(({ kind }) => kind === 'failure')) {
    context.addExecutionHints(outcomesHint(results));
  }
  recordFigures(context, figures, output.length);
  // Agents get one output only.
  if (!options.runReport || isTool(context)) return [output];
  const report = runReport(rows, results, figures, (row) => enrichment.creditsOf(row) > 0);
  const json = { ...report, workflow: context.getWorkflow().name };
  return [output, [{ json, pairedItem: rows.map((_row, item) => ({ item })) }]];
}

/** When the run cannot even begin, every row that would have been asked for has failed. */
async function askOrFail<Section extends string>(
  context: IExecuteFunctions,
  enrichment: Enrichment<Section>,
  groups: ReadonlyArray<Group<readonly Section[]>>,
  options: EnrichOptions,
): Promise<{ readonly figures: Figures; readonly failure?: NodeOperationError }> {
  try {
    if (groups.length === 0) return { figures: NO_FIGURES };
    return { figures: await ask(context, enrichment, groups, options) };
  } catch (failure) {
    if (onErrorOf(context) === 'stop' || !(failure instanceof NodeOperationError)) throw failure;
    return { figures: NO_FIGURES, failure };
  }
}

async function ask<Section extends string>(
  context: IExecuteFunctions,
  enrichment: Enrichment<Section>,
  groups: ReadonlyArray<Group<readonly Section[]>>,
  options: EnrichOptions,
): Promise<Figures> {
  const run = await openRun(context, options);
  // Fewer companies are not kept either.
  if (groups.some(({ domains }) => domains.size >= FEWEST_KEPT)) run.recall(keptReads(context));
  // What is learned of one group, such as the largest batch or a lack of credits, holds for the next.
  const read = new Set<string>();
  for (const group of groups) {
    const { what: sections } = group;
    const parts: BatchReport[] = [];
    for (const { domains, isFree } of partsOf(group, read)) {
      const report = await run.batches({
        ...enrichment,
        creditsOf: isFree ? undefined : enrichment.creditsOf,
        ask: async (part, batch) => await enrichment.ask(part, batch, sections),
        domains,
        wanted: sections.join(),
        // Each partner that comes is charged as well.
        costsOpen: sections.some((section) => section === 'partnerships'),
        batchSize: LIMITS.batchSize,
        spendRemaining: options.spendRemainingCredits,
      });
      for (const [domain, { kind }] of report.outcomes) if (kind === 'row') read.add(domain);
      parts.push(report);
    }
    group.report = together(parts);
  }
  keepReads(context, run.newReads);
  keepTogether(context, READS);
  return run.figures;
}

function together(reports: readonly BatchReport[]): BatchReport {
  return {
    outcomes: new Map(reports.flatMap(({ outcomes }) => [...outcomes])),
    answers: reports.reduce((sum, { answers }) => sum + answers, 0),
    oddities: reports.flatMap(({ oddities }) => oddities),
  };
}

function sectionsOf<Section>(
  row: DomainRow<Group<readonly Section[]> | undefined> | undefined,
): readonly Section[] {
  return (row?.kind === 'domain' ? row.more?.what : undefined) ?? [];
}

function shapedBy(shape: Shape, result: RowResult): RowResult {
  if (result.kind === 'failure') return result;
  return { kind: 'result', result: shape(result.result) as IDataObject };
}

function resultOf(
  { found: { domain }, more: group }: WithDomain<Group<unknown> | undefined>,
  own: (row: Row) => Row,
  notBegun?: Error,
): RowResult {
  if (group === undefined) return notSampled(domain);
  if (notBegun !== undefined) return { kind: 'failure', failure: notBegun, domain };
  const outcome = group.report.outcomes.get(domain);
  switch (outcome?.kind) {
    case 'row':
      return { kind: 'result', result: own(outcome.row) as IDataObject };
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
