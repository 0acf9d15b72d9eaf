import {
  NodeOperationError,
  type IDataObject,
  type IExecuteFunctions,
  type INodeExecutionData,
} from 'n8n-workflow';

import { LIMITS } from '../../input/limits';
import type { Oddity } from '../../run/answers/batch-answer';
import type { Row } from '../../run/answers/rows';
import type { BatchReport, DomainOutcome } from '../../run/batches';
import { NO_FIGURES, type Figures } from '../../run/figures';
import type { AskBatches, Run } from '../../run/run';
import { advisedInBulk, recordFigures } from '../figures';
import { onErrorOf } from '../failures';
import { openRun } from '../open-run';
import type { Parameter } from '../parameters/declare';
import { flatCompany, type Shape } from '../../service/flat-company';
import { lookUpNames, type NamesReport } from './by-name';
import { invalidRow, noEntry, type OfCompany, type RowOptions } from './domain-rows';
import { outcomesHint, projected, summarize, type Answered } from './hints';
import { isOfEnrichment, NAME_COLUMNS } from './own-columns';
import { failed, itemsOf, outcomesOf, succeeded, type Outcome, type Task } from './rows';
import { runReport } from './run-report';
import {
  asksForPartners,
  partsOf,
  readWanted,
  type Part,
  type Wanted,
  type WantedByName,
  type WantedRows,
} from './wanted';

/** What differs between the operations that enrich rows by domain. */
export interface Enrichment<Section extends string>
  extends Pick<AskBatches, 'endpoint'>, Required<Pick<AskBatches, 'creditsOf'>> {
  /** Sections that an item requests; undefined if the operation offers none. */
  readonly sections?: Parameter<Section[]>;
  /** Output shape of a result with these sections. */
  readonly shapeFor: (sections: readonly Section[]) => Shape;
  /** Columns of flat results with these sections; undefined for raw results. */
  readonly columnsFor: (sections: readonly Section[]) => readonly string[] | undefined;
  readonly ask: (
    run: Run,
    batch: readonly string[],
    sections: readonly Section[],
  ) => ReturnType<AskBatches['ask']>;
}

/** Options shared by both operations. */
export interface EnrichOptions extends RowOptions {
  readonly spendRemainingCredits: boolean;
  /** Maximum number of distinct companies to look up; 0 means all. */
  readonly onlyFirstCompanies: number;
  /** Maximum number of companies to read per name. */
  readonly candidatesPerName: number;
  /** Whether a second output summarizes the run. */
  readonly runReport: boolean;
}

/**
 * Enriches all input items at once: looks up distinct domains in batches, then returns one output item
 * per input item, in input order, each paired with its input item. Rows without a usable domain cost
 * nothing. Each item can request other sections.
 *
 * @throws {NodeApiError | NodeOperationError} For the first failed item, if On Error is
 * Stop Workflow; otherwise failures become items.
 */
export async function enrichRows<Section extends string>(
  context: IExecuteFunctions,
  options: EnrichOptions,
  enrichment: Enrichment<Section>,
): Promise<INodeExecutionData[][]> {
  const read = readWanted(context, options, enrichment.sections);
  const asking = new Asking(context, enrichment, options, read);
  const figures = await asking.orFail();
  const shape = enrichment.shapeFor([]);
  const rows = read.rows.map((row) => ('ask' in row ? row : shaped(row, shape)));
  const outcomes = outcomesOf({ rows });
  const columns = enrichment.columnsFor(read.sections);
  const ofNames = read.usesNames ? NAME_COLUMNS : [];
  const output = itemsOf(context, outcomes, {
    ...options,
    before: figures,
    columns: columns === undefined ? undefined : [...columns, ...ofNames],
    owns: isOfEnrichment,
  });
  context.addExecutionHints(
    ...summarize(read, asking.told(), figures),
    ...projected(read.counts, options.onlyFirstCompanies, figures),
  );
  if (outcomes.some(({ failure }) => failure !== undefined)) {
    context.addExecutionHints(outcomesHint(outcomes));
  }
  recordFigures(context, figures, output.length);
  if (!options.runReport) return [output];
  const report = runReport(read.counts, outcomes, figures, [...asking.found.values()]);
  const json = { ...report, workflow: context.getWorkflow().name };
  return [output, [{ json, pairedItem: rows.map((_row, item) => ({ item })) }]];
}

/** The lookups of one run, and their figures. */
class Asking<Section extends string> {
  /** Flat rows of tracked companies for the report, by their domain. */
  readonly found = new Map<unknown, Row>();
  /** The same by the domain that was requested. */
  private readonly came = new Map<string, Row>();
  private readonly oddities = new Map<string, Oddity>();
  private answers = 0;
  private names: NamesReport<WantedByName<Section>> | undefined;

  constructor(
    private readonly context: IExecuteFunctions,
    private readonly enrichment: Enrichment<Section>,
    private readonly options: EnrichOptions,
    private readonly rows: WantedRows<Section>,
  ) {}

  /** Returns the figures for the hints. */
  told(): Answered {
    const { answers, names } = this;
    const domains = new Set(this.rows.tasks.map(({ ask }) => ask.domain)).size;
    return { domains, answers, oddities: [...this.oddities.values()], names };
  }

  /** Looks up all tasks. If the run cannot start, every task fails. */
  async orFail(): Promise<Figures> {
    const { tasks, named } = this.rows;
    if (tasks.length + named.length === 0) return NO_FIGURES;
    try {
      return await this.all();
    } catch (failure) {
      if (onErrorOf(this.context) === 'stop' || !(failure instanceof NodeOperationError)) {
        throw failure;
      }
      for (const task of tasks) task.outcome = failed(failure, task.ask.domain);
      for (const task of named) task.outcome = failed(failure);
      return NO_FIGURES;
    }
  }

  private async all(): Promise<Figures> {
    const { tasks, named } = this.rows;
    const run = await openRun(this.context, this.options);
    const earlier: Array<BatchReport['outcomes']> = [];
    const isRead = (domain: string) => earlier.some((one) => one.get(domain)?.kind === 'row');
    await this.enrich(run, tasks, isRead, earlier);
    if (named.length > 0) await this.byName(run, named);
    return this.withNames(run.figures);
  }

  /** Looks up tasks by domain, grouped by the sections they request. */
  private async enrich(
    run: Run,
    tasks: ReadonlyArray<Task<Wanted<Section>>>,
    isRead: (domain: string) => boolean,
    earlier: Array<BatchReport['outcomes']> = [],
  ): Promise<void> {
    // One after the other: the maximum batch size or a lack of credits also applies to the next part.
    for (const part of partsOf(tasks, isRead)) {
      const shape = this.enrichment.shapeFor(part.sections);
      const { outcomes, answers, oddities } = await this.batches(run, part, shape);
      this.answers += answers;
      for (const oddity of oddities) this.oddities.set(oddity.field, oddity);
      earlier.push(outcomes);
      this.settle(part.tasks, outcomes, shape);
    }
  }

  /**
   * Looks up companies by name, then by their domain, which is free (API spec: Credits, rule 2). This
   * comes last, so scarce credits go to rows whose company is certain.
   */
  private async byName(run: Run, named: ReadonlyArray<Task<WantedByName<Section>>>): Promise<void> {
    this.names = await lookUpNames(run, named, this.options);
    const shape = this.enrichment.shapeFor([]);
    for (const task of named)
      if (task.outcome !== undefined) task.outcome = shaped(task.outcome, shape);
    const keyOf = ({ domain, wanted }: Wanted<Section>) => `${domain} ${wanted}`;
    const known = new Map(
      this.rows.tasks
        .filter(({ outcome }) => outcome !== undefined && outcome.failure === undefined)
        .map((task) => [keyOf(task.ask), task]),
    );
    const toAsk: Array<Task<Wanted<Section>>> = [];
    const found = [...this.names.domains].map(([task, domain]) => {
      const ask = { domain, sections: task.ask.sections, wanted: task.ask.wanted };
      const before = known.get(keyOf(ask));
      const asked = before ?? { ask, itemIndex: task.itemIndex };
      if (before === undefined) {
        known.set(keyOf(ask), asked);
        toAsk.push(asked);
      }
      return [task, asked] as const;
    });
    await this.enrich(run, toAsk, () => true);
    for (const [task, { outcome }] of found) {
      if (outcome !== undefined) task.outcome = foundBy('name', outcome);
    }
  }

  /** Adds name lookups to the figures of domain lookups. */
  private withNames(figures: Figures): Figures {
    if (this.names === undefined) return figures;
    const { matched, ambiguous, unknown } = this.names;
    const asked = figures.asked + matched + ambiguous + unknown;
    return { ...figures, asked, found: figures.found + matched };
  }

  private async batches(
    run: Run,
    { tasks, sections, isFree }: Part<Section>,
    shape: Shape,
  ): Promise<BatchReport> {
    const { enrichment, options } = this;
    return await run.batches({
      endpoint: enrichment.endpoint,
      creditsOf: isFree ? undefined : enrichment.creditsOf,
      ask: async (part, batch) => await enrichment.ask(part, batch, sections),
      domains: tasks.map(({ ask }) => ask.domain),
      wanted: sections.join(),
      costsOpen: asksForPartners(sections),
      batchSize: LIMITS.batchSize,
      spendRemaining: options.spendRemainingCredits,
      keep: (row, domain) => {
        if (options.runReport && enrichment.creditsOf(row) > 0) {
          this.came.set(domain, flatCompany(row, { sections }));
        }
        // Shape each row immediately, so raw responses do not accumulate in memory.
        return shape(row);
      },
    });
  }

  private settle(
    tasks: ReadonlyArray<Task<OfCompany>>,
    outcomes: ReadonlyMap<string, DomainOutcome>,
    shape: Shape,
  ): void {
    for (const task of tasks) {
      const { domain } = task.ask;
      task.outcome = this.outcomeOf(domain, outcomes.get(domain), shape);
      const row = this.came.get(domain);
      if (row !== undefined) this.found.set(row.domain, row);
    }
  }

  private outcomeOf(domain: string, outcome: DomainOutcome | undefined, shape: Shape): Outcome {
    switch (outcome?.kind) {
      case 'row': {
        const row = succeeded(outcome.row as IDataObject);
        return this.rows.usesNames ? foundBy('domain', row) : row;
      }
      case 'rejected':
        return shaped(invalidRow(domain, 'rejected_by_service', REJECTED), shape);
      case 'failed':
        return failed(advisedInBulk(outcome.error, this.options), domain);
      case 'missing':
      case undefined:
        return failed(noEntry(domain), domain);
    }
  }
}

/** Returns a copy that says how the company was found. */
function foundBy(matched_by: 'domain' | 'name', { outputs, ...rest }: Outcome): Outcome {
  return {
    ...rest,
    outputs: outputs.map(({ json }) => {
      const { domain, status, ...others } = structuredClone(json);
      return { json: { domain, status, ...others, matched_by } };
    }),
  };
}

const REJECTED = 'The service rejected this domain as malformed';

function shaped({ outputs, ...rest }: Outcome, shape: Shape): Outcome {
  return { ...rest, outputs: outputs.map(({ json }) => ({ json: shape(json) as IDataObject })) };
}
