import {
  NodeOperationError,
  type IDataObject,
  type IExecuteFunctions,
  type INodeExecutionData,
} from 'n8n-workflow';

import { includesPartners } from '../../service/companies';
import type { BatchReport, DomainOutcome } from '../../run/responses/batch-response';
import { NO_STATS, type RunStats } from '../../run/run-stats';
import type { BatchesSpec, Run } from '../../run/run';
import { withBulkCreditAdvice } from '../format';
import { getOnError } from '../failures';
import { openRun } from '../open-run';
import type { Parameter } from '../parameters/declare';
import type { RowShape } from '../../service/flat-company';
import { lookUpNames, type NamedCompany, type NamesReport } from './by-name';
import {
  toInvalidOutcome,
  createMissingEntryError,
  type CompanyRequest,
  type RowOptions,
} from './domain-rows';
import { formatOutcomes, summarize, type ResponseFacts } from './hints';
import { isEnrichmentColumn, NAME_COLUMNS } from './own-columns';
import { isSkipped } from './sheet';
import { stateWholeNeed } from './shortage';
import {
  toFailure,
  toItems,
  toOutcomes,
  toSuccess,
  type Outcome,
  type RowOutput,
  type Task,
} from './output-items';
import {
  splitParts,
  readEnrichmentRequests,
  type RequestPart,
  type EnrichmentRequest,
  type NamedEnrichmentRequest,
  type EnrichmentRequests,
} from './enrichment-requests';

/** What differs between the operations that enrich rows by domain. */
export interface Enrichment<Section extends string>
  extends Pick<BatchesSpec, 'endpoint'>, Required<Pick<BatchesSpec, 'creditsOf'>> {
  /** Sections that an item requests; undefined if the operation offers none. */
  readonly sections?: Parameter<Section[]>;
  /** Output shape of a result with these sections. */
  readonly shapeFor: (sections: readonly Section[]) => RowShape;
  /** Columns of flat results with these sections; undefined for raw results. */
  readonly columnsFor: (sections: readonly Section[]) => readonly string[] | undefined;
  readonly lookUp: (
    run: Run,
    batch: readonly string[],
    sections: readonly Section[],
  ) => ReturnType<BatchesSpec['request']>;
}

/** Which companies to look up, and for how many credits. */
export interface LookupOptions extends Omit<RowOptions, keyof RowOutput> {
  /** Maximum number of companies to read per name. */
  readonly candidatesPerName: number;
}

/** Options shared by both operations. */
export interface EnrichOptions extends LookupOptions, RowOutput {
  readonly spendRemainingCredits: boolean;
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
  const read = readEnrichmentRequests(context, options, enrichment.sections);
  const enriching = new EnrichmentRun(context, enrichment, options, read);
  const figures = await enriching.runOrFail();
  const shape = enrichment.shapeFor([]);
  const rows = read.rows.map((row) => ('request' in row ? row : toShape(row, shape)));
  const outcomes = toOutcomes({ rows });
  context.addExecutionHints(...summarize(read, enriching.getFacts(), figures));
  if (
    outcomes.some(({ failure, outputs: [one] }) => failure !== undefined || isSkipped(one?.json))
  ) {
    context.addExecutionHints(formatOutcomes(outcomes));
  }
  const columns = enrichment.columnsFor(read.sections);
  const ofNames = read.usesNames ? NAME_COLUMNS : [];
  const itemOptions = {
    ...options,
    before: figures,
    columns: columns === undefined ? undefined : [...columns, ...ofNames],
    owns: isEnrichmentColumn,
  };
  return [toItems(context, outcomes, itemOptions)];
}

/** The lookups of one run, and their figures. */
class EnrichmentRun<Section extends string> {
  private requests = 0;
  private names: NamesReport<NamedEnrichmentRequest<Section>> | undefined;

  constructor(
    private readonly context: IExecuteFunctions,
    private readonly enrichment: Enrichment<Section>,
    private readonly options: EnrichOptions,
    private readonly rows: EnrichmentRequests<Section>,
  ) {}

  /** Returns the figures for the hints. */
  getFacts(): ResponseFacts {
    const { requests, names } = this;
    const domains = new Set(this.rows.tasks.map(({ request }) => request.domain)).size;
    return { domains, requests, names };
  }

  /** Looks up all tasks. If the run cannot start, every task fails. */
  async runOrFail(): Promise<RunStats> {
    const { tasks, named } = this.rows;
    if (tasks.length + named.length === 0) return NO_STATS;
    try {
      return await this.lookUpAll();
    } catch (failure) {
      if (getOnError(this.context) === 'stop' || !(failure instanceof NodeOperationError)) {
        throw failure;
      }
      for (const task of tasks) task.outcome = toFailure(failure, task.request.domain);
      for (const task of named) task.outcome = toFailure(failure);
      return NO_STATS;
    }
  }

  private async lookUpAll(): Promise<RunStats> {
    const { tasks, named } = this.rows;
    const run = await openRun(this.context, this.options);
    const earlier: Array<BatchReport['outcomes']> = [];
    const isRead = (domain: string) => earlier.some((one) => one.get(domain)?.kind === 'row');
    await this.enrich(run, tasks, isRead, earlier);
    if (named.length > 0) await this.lookUpByName(run, named);
    stateWholeNeed<CompanyRequest | NamedCompany>([...tasks, ...named], (unread) =>
      this.toCredits(unread),
    );
    return run.stats;
  }

  /** Returns the maximum credits of lookups; undefined with partners, whose number nobody knows. */
  private toCredits(
    unread: ReadonlyArray<Task<CompanyRequest | NamedCompany>>,
  ): number | undefined {
    if (includesPartners(this.rows.sections)) return undefined;
    const requests = unread.map(({ request }) => request);
    const domains = requests.flatMap((one) => ('domain' in one ? [one.domain] : []));
    const names = requests.flatMap((one) => ('name' in one ? [one.name.keys[0]] : []));
    return new Set(domains).size + new Set(names).size * this.options.candidatesPerName;
  }

  /** Looks up tasks by domain, grouped by the sections they request. */
  private async enrich(
    run: Run,
    tasks: ReadonlyArray<Task<EnrichmentRequest<Section>>>,
    isRead: (domain: string) => boolean,
    earlier: Array<BatchReport['outcomes']> = [],
  ): Promise<void> {
    // One after the other: the maximum batch size or a lack of credits also applies to the next part.
    for (const part of splitParts(tasks, isRead)) {
      const shape = this.enrichment.shapeFor(part.sections);
      const { outcomes, requests } = await this.sendPart(run, part, shape);
      this.requests += requests;
      earlier.push(outcomes);
      this.recordOutcomes(part.tasks, outcomes, shape);
    }
  }

  /**
   * Looks up companies by name, then by their domain, which is free (API spec: Credits, rule 2). This
   * comes last, so scarce credits go to rows whose company is certain.
   */
  private async lookUpByName(
    run: Run,
    named: ReadonlyArray<Task<NamedEnrichmentRequest<Section>>>,
  ): Promise<void> {
    this.names = await lookUpNames(run, named, this.options);
    const shape = this.enrichment.shapeFor([]);
    for (const task of named)
      if (task.outcome !== undefined) task.outcome = toShape(task.outcome, shape);
    const toRequestKey = ({ domain, wanted }: EnrichmentRequest<Section>) => `${domain} ${wanted}`;
    const known = new Map(
      this.rows.tasks
        .filter(({ outcome }) => outcome !== undefined && outcome.failure === undefined)
        .map((task) => [toRequestKey(task.request), task]),
    );
    const unread: Array<Task<EnrichmentRequest<Section>>> = [];
    const found = [...this.names.found].map(([task, { domain, message }]) => {
      const request = { domain, sections: task.request.sections, wanted: task.request.wanted };
      const before = known.get(toRequestKey(request));
      const shared = before ?? { request, itemIndex: task.itemIndex };
      if (before === undefined) {
        known.set(toRequestKey(request), shared);
        unread.push(shared);
      }
      return { task, shared, message };
    });
    await this.enrich(run, unread, () => true);
    for (const { task, shared, message } of found) {
      if (shared.outcome !== undefined) {
        task.outcome = withMatchedBy('name', shared.outcome, message);
      }
    }
  }

  private async sendPart(
    run: Run,
    { tasks, sections, isFree }: RequestPart<Section>,
    shape: RowShape,
  ): Promise<BatchReport> {
    const { enrichment, options } = this;
    return await run.requestBatches({
      endpoint: enrichment.endpoint,
      creditsOf: isFree ? undefined : enrichment.creditsOf,
      request: async (part, batch) => await enrichment.lookUp(part, batch, sections),
      domains: tasks.map(({ request }) => request.domain),
      wanted: sections.join(),
      costsOpen: includesPartners(sections),
      spendRemaining: options.spendRemainingCredits,
      // Shape each row immediately, so raw responses do not accumulate in memory.
      keep: shape,
    });
  }

  private recordOutcomes(
    tasks: ReadonlyArray<Task<CompanyRequest>>,
    outcomes: ReadonlyMap<string, DomainOutcome>,
    shape: RowShape,
  ): void {
    for (const task of tasks) {
      const { domain } = task.request;
      task.outcome = this.toCompanyOutcome(domain, outcomes.get(domain), shape);
    }
  }

  private toCompanyOutcome(
    domain: string,
    outcome: DomainOutcome | undefined,
    shape: RowShape,
  ): Outcome {
    switch (outcome?.kind) {
      case 'row': {
        const row = toSuccess(outcome.row as IDataObject);
        return this.rows.usesNames ? withMatchedBy('domain', row) : row;
      }
      case 'rejected':
        return toShape(toInvalidOutcome(domain, 'rejected_by_service', REJECTED), shape);
      case 'failed':
        return toFailure(withBulkCreditAdvice(outcome.error, this.options), domain);
      case 'missing':
      case undefined:
        return toFailure(createMissingEntryError(domain), domain);
    }
  }
}

/** Returns a copy that says how the company was found. */
function withMatchedBy(
  matched_by: 'domain' | 'name',
  { outputs, ...rest }: Outcome,
  message?: string,
): Outcome {
  return {
    ...rest,
    outputs: outputs.map(({ json }) => {
      const { domain, status, ...others } = structuredClone(json);
      const remark = message === undefined ? {} : { message };
      return { json: { domain, status, ...others, ...remark, matched_by } };
    }),
  };
}

const REJECTED = 'The service rejected this domain as malformed';

function toShape({ outputs, ...rest }: Outcome, shape: RowShape): Outcome {
  return { ...rest, outputs: outputs.map(({ json }) => ({ json: shape(json) as IDataObject })) };
}
