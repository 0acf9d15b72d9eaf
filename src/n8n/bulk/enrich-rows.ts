import {
  NodeOperationError,
  type IDataObject,
  type IExecuteFunctions,
  type INodeExecutionData,
} from 'n8n-workflow';

import { LIMITS } from '../../api/limits';
import type { BatchReport, DomainOutcome } from '../../run/batches';
import type { AskBatches, Run } from '../../run/run';
import { outputFor } from '../agents';
import type { RowOptions } from './options';
import { invalidResult, noEntry, readDomainRows, type DomainRow } from './domain-rows';
import { eachOf } from './each-item';
import { asError, onErrorOf, throwFirstFailure, type OnError } from '../failures';
import type { Parameter } from '../parameters/declare';
import { outcomesHint } from './outcomes';
import type { Shape } from '../result-shape';
import { rowItems, type RowResult } from './items';
import { openRun } from '../open-run';
import { guardOf, timingOf } from '../run-options';
import { summarize } from './summary';

/** What differs between the operations that enrich rows by their domain. */
export interface Enrichment<Section extends string> extends Pick<
  AskBatches,
  'creditsOf' | 'endpoint'
> {
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
}

/** Rows that ask for the same about their companies, and so go into the same batches. */
interface Group<Section extends string> {
  readonly sections: readonly Section[];
  readonly domains: Set<string>;
}

/** What one input item asks for. */
type Plan<Section extends string> =
  | (Extract<DomainRow, { kind: 'domain' }> & { readonly group: Group<Section> })
  | Exclude<DomainRow, { kind: 'domain' }>;

/** What a run gave for each group, or why it could not begin. */
type Reports<Section extends string> = ReadonlyMap<Group<Section>, Report>;

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
  const groups = new Map<string, Group<Section>>();
  const { sections = NOTHING_TO_CHOOSE } = enrichment;
  const sectionsOf = eachOf(context, sections);
  const plans = readDomainRows(context, items.length, options).map((row, itemIndex) =>
    planOf(row, () => sectionsOf(itemIndex), groups),
  );
  if (onError === 'stop') throwFirstFailure(context, plans.map(asFailure));
  const reports = await askOrFail(context, enrichment, [...groups.values()], options, onError);
  const results = resultsOf(plans, reports).map((result) => shaped(result, enrichment.shape));
  const output = rowItems(context, items, results, options, onError);
  context.addExecutionHints(...summarize(plans, summaryOf(reports)));
  if (results.some(({ kind }) => kind === 'failure')) {
    context.addExecutionHints(outcomesHint(results));
  }
  return [output];
}

const NOTHING_TO_CHOOSE: Parameter<never[]> = { properties: [], read: () => [] };

function planOf<Section extends string>(
  row: DomainRow,
  sectionsOf: () => readonly Section[],
  groups: Map<string, Group<Section>>,
): Plan<Section> {
  if (row.kind !== 'domain') return row;
  try {
    const sections = [...new Set(sectionsOf())].sort();
    const key = sections.join();
    const group = groups.get(key) ?? { sections, domains: new Set<string>() };
    groups.set(key, group);
    group.domains.add(row.found.domain);
    return { ...row, group };
  } catch (error) {
    return { kind: 'failed', failure: asError(error) };
  }
}

/** When the run cannot even begin, every row that would have been asked for has failed. */
async function askOrFail<Section extends string>(
  context: IExecuteFunctions,
  enrichment: Enrichment<Section>,
  groups: ReadonlyArray<Group<Section>>,
  options: EnrichOptions,
  onError: OnError,
): Promise<Reports<Section>> {
  try {
    return await ask(context, enrichment, groups, options);
  } catch (error) {
    if (onError === 'stop' || !(error instanceof NodeOperationError)) throw error;
    const failure: RunFailure = { kind: 'run-failed', error };
    return new Map(
      groups.map((group) => {
        const outcomes = new Map([...group.domains].map((domain) => [domain, failure]));
        return [group, { outcomes, answers: 0, oddities: [] }];
      }),
    );
  }
}

async function ask<Section extends string>(
  context: IExecuteFunctions,
  enrichment: Enrichment<Section>,
  groups: ReadonlyArray<Group<Section>>,
  options: EnrichOptions,
): Promise<Reports<Section>> {
  const reports = new Map<Group<Section>, Report>();
  if (groups.length === 0) return reports;
  const run = await openRun(context, { timing: timingOf(options), credits: guardOf(options) });
  // What is learned of one group, such as the largest batch or a lack of credits, holds for the next.
  for (const group of groups) {
    const report = await run.batches({
      ...enrichment,
      ask: async (part, batch) => await enrichment.ask(part, batch, group.sections),
      domains: [...group.domains],
      wanted: group.sections.join(),
      batchSize: LIMITS.batchSize,
      spendRemaining: options.spendRemainingCredits,
    });
    reports.set(group, report);
  }
  return reports;
}

function resultsOf<Section extends string>(
  plans: ReadonlyArray<Plan<Section>>,
  reports: Reports<Section>,
): RowResult[] {
  const used = new Set<unknown>();
  return plans.map((plan): RowResult => {
    if (plan.kind === 'failed') return { kind: 'failure', failure: plan.failure, domain: null };
    if (plan.kind === 'invalid') {
      const { reason, message } = plan.found;
      return { kind: 'result', result: invalidResult(null, reason, message) };
    }
    const { domain } = plan.found;
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

function shaped(result: RowResult, shape: Shape): RowResult {
  if (result.kind === 'failure') return result;
  return { kind: 'result', result: shape(result.result) as IDataObject };
}

/** All groups as one. */
function summaryOf<Section extends string>(reports: Reports<Section>): Report {
  const all = [...reports.values()];
  const oddities = all.flatMap((report) => report.oddities.map((odd) => [odd.field, odd] as const));
  return {
    outcomes: new Map(all.flatMap(({ outcomes }) => [...outcomes])),
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

function asFailure(row: { kind: string; failure?: Error }): Error | undefined {
  return row.kind === 'failed' ? row.failure : undefined;
}
