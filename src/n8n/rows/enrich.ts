import {
  NodeOperationError,
  type IDataObject,
  type IExecuteFunctions,
  type INodeExecutionData,
} from 'n8n-workflow';

import { LIMITS } from '../../input/limits';
import type { NormalizeOptions } from '../../input/domains';
import type { Oddity } from '../../run/answers/batch-answer';
import type { Row } from '../../run/answers/rows';
import type { BatchReport, DomainOutcome } from '../../run/batches';
import { NO_FIGURES, type Figures } from '../../run/figures';
import type { AskBatches, Run } from '../../run/run';
import { advisedInBulk, recordFigures } from '../figures';
import { onErrorOf } from '../failures';
import { openRun } from '../open-run';
import type { Parameter } from '../parameters/declare';
import { flatCompany, type Shape } from '../../api/flat-company';
import {
  alike,
  invalidRow,
  noEntry,
  readDomainRows,
  type DomainRows,
  type OfCompany,
  type RowOptions,
} from './domain-rows';
import { eachOf } from '../parameters/read';
import { outcomesHint, projected, summarize, type Answered } from './hints';
import { failed, itemsOf, outcomesOf, succeeded, type Outcome, type Task } from './rows';
import { runReport } from './run-report';

/** What differs between the operations that enrich rows by their domain. */
export interface Enrichment<Section extends string>
  extends Pick<AskBatches, 'endpoint'>, Required<Pick<AskBatches, 'creditsOf'>> {
  /** What an item asks for about its company; nothing to choose if left out. */
  readonly sections?: Parameter<Section[]>;
  /** What comes out of a result for which these sections were asked. */
  readonly shapeFor: (sections: readonly Section[]) => Shape;
  /** Columns of flat results for which these sections were asked; undefined for raw ones. */
  readonly columnsFor: (sections: readonly Section[]) => readonly string[] | undefined;
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

/** What an item asks for about its company. */
export interface Wanted<Section> extends OfCompany {
  readonly sections: readonly Section[];
  /** The same in words. */
  readonly wanted: string;
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
  options: EnrichOptions,
  enrichment: Enrichment<Section>,
): Promise<INodeExecutionData[][]> {
  const { tasks, ...read } = readWanted(context, options, enrichment.sections);
  const asking = new Asking(context, enrichment, options);
  const figures = await asking.orFail(tasks);
  const shape = enrichment.shapeFor([]);
  const rows = read.rows.map((row) => ('ask' in row ? row : shaped(row, shape)));
  const outcomes = outcomesOf({ rows });
  const columns = enrichment.columnsFor(tasks.flatMap(({ ask }) => ask.sections));
  const output = itemsOf(context, outcomes, { ...options, before: figures, columns });
  context.addExecutionHints(
    ...summarize(read, asking.told(tasks), figures),
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

/** Where there is nothing to choose. */
const NOTHING_TO_CHOOSE: Parameter<never[]> = { properties: [], read: () => [] };

/**
 * Reads which companies the input items name, and what they want of them.
 *
 * @param sections what an item asks for; nothing to choose if left out.
 * @throws what {@link readDomainRows} throws.
 */
export function readWanted<Section extends string>(
  context: IExecuteFunctions,
  options: NormalizeOptions & { readonly onlyFirstCompanies: number },
  sections: Parameter<Section[]> = NOTHING_TO_CHOOSE,
): DomainRows<Wanted<Section>> {
  const { onlyFirstCompanies: onlyFirst } = options;
  const asked = new Set<string>();
  const read = eachOf(context, {
    ...sections,
    read: (place) => {
      const chosen = [...new Set(sections.read(place))].sort();
      return { sections: chosen, wanted: chosen.join() };
    },
  });
  return readDomainRows(context, options, ({ domain }, itemIndex) => {
    if (asked.size < onlyFirst) asked.add(domain);
    if (onlyFirst > 0 && !asked.has(domain)) return notSampled(domain);
    const wanted = read(itemIndex);
    return { key: `${domain} ${wanted.wanted}`, ask: { domain, ...wanted } };
  });
}

function notSampled(domain: string): Outcome {
  const message = 'Not asked for, because only the first companies are (Only First Companies)';
  return succeeded({ domain, status: 'not_sampled', message });
}

/** Tasks whose companies are asked for together. */
interface Part<Section> {
  readonly tasks: ReadonlyArray<Task<Wanted<Section>>>;
  readonly sections: readonly Section[];
  /** They were read for others, so that reading them once more is free (interface: Credits, rule 2). */
  readonly isFree: boolean;
}

/**
 * The parts of tasks that want the same of their companies, one after the other: those apart that cost
 * nothing more. Partners may cost something at any time.
 *
 * @param isRead whether a company was read for a part before.
 */
export function* partsOf<Section extends string>(
  tasks: ReadonlyArray<Task<Wanted<Section>>>,
  isRead: (domain: string) => boolean,
): Generator<Part<Section>> {
  for (const { ask, tasks: all } of alike(tasks, ({ wanted }) => wanted)) {
    const { sections } = ask;
    const isFree = (task: Task<OfCompany>) => isRead(task.ask.domain) && !asksForPartners(sections);
    const free = all.filter(isFree);
    const others = free.length === 0 ? all : all.filter((task) => !isFree(task));
    if (others.length > 0) yield { tasks: others, sections, isFree: false };
    if (free.length > 0) yield { tasks: free, sections, isFree: true };
  }
}

/** Each partner that comes is charged as well. */
export function asksForPartners(sections: readonly string[]): boolean {
  return sections.includes('partnerships');
}

/** The asking of one run, and what is told of it afterwards. */
class Asking<Section extends string> {
  /** Flat rows of companies that the service knows, for the report, by their domain. */
  readonly found = new Map<unknown, Row>();
  /** The same by the domain that was asked for. */
  private readonly came = new Map<string, Row>();
  private readonly oddities = new Map<string, Oddity>();
  private answers = 0;

  constructor(
    private readonly context: IExecuteFunctions,
    private readonly enrichment: Enrichment<Section>,
    private readonly options: EnrichOptions,
  ) {}

  /** What the user should know of the answers. */
  told(tasks: ReadonlyArray<Task<OfCompany>>): Answered {
    const domains = new Set(tasks.map(({ ask }) => ask.domain)).size;
    return { domains, answers: this.answers, oddities: [...this.oddities.values()] };
  }

  /** Asks for all tasks. When the run cannot even begin, every one of them has failed. */
  async orFail(tasks: ReadonlyArray<Task<Wanted<Section>>>): Promise<Figures> {
    if (tasks.length === 0) return NO_FIGURES;
    try {
      return await this.all(tasks);
    } catch (failure) {
      if (onErrorOf(this.context) === 'stop' || !(failure instanceof NodeOperationError)) {
        throw failure;
      }
      for (const task of tasks) task.outcome = failed(failure, task.ask.domain);
      return NO_FIGURES;
    }
  }

  private async all(tasks: ReadonlyArray<Task<Wanted<Section>>>): Promise<Figures> {
    const run = await openRun(this.context, this.options);
    // What is learned of one part, such as the largest batch or a lack of credits, holds for the next.
    const earlier: Array<BatchReport['outcomes']> = [];
    const isRead = (domain: string) => earlier.some((one) => one.get(domain)?.kind === 'row');
    for (const part of partsOf(tasks, isRead)) {
      const shape = this.enrichment.shapeFor(part.sections);
      const { outcomes, answers, oddities } = await this.batches(run, part, shape);
      this.answers += answers;
      for (const oddity of oddities) this.oddities.set(oddity.field, oddity);
      earlier.push(outcomes);
      this.settle(part.tasks, outcomes, shape);
    }
    return run.figures;
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
        // At once, so that rows of answers do not add up.
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
      case 'row':
        return succeeded(outcome.row as IDataObject);
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

const REJECTED = 'The service calls this domain malformed';

function shaped({ outputs, ...rest }: Outcome, shape: Shape): Outcome {
  return { ...rest, outputs: outputs.map(({ json }) => ({ json: shape(json) as IDataObject })) };
}
