import {
  NodeOperationError,
  type IDataObject,
  type IExecuteFunctions,
  type INodeExecutionData,
} from 'n8n-workflow';

import { includesPartners, type CompanySection } from '../../service/companies';
import type { api } from '../../service/endpoints';
import { getFlatColumns, toFlatCompany } from '../../service/flat-company';
import type { NormalizeOptions } from '../../input/domains';
import type { BatchResponse, DomainOutcome } from '../../run/responses/batch-response';
import { NO_STATS, type RunStats } from '../../run/run-stats';
import type { Run } from '../../run/run';
import type { Row } from '../../values/json';
import { getOnError } from '../failures';
import { openRun } from '../open-run';
import type { Parameter } from '../parameters/declare';
import type { RunLimits } from '../parameters/readers';
import { lookUpNames, type NamedCompany, type NamesReport } from './by-name';
import { formatOutcomes, summarize } from '../run-hints';
import {
  createMissingEntryError,
  isSkipped,
  toFailure,
  toSuccess,
  type Result,
  type Output,
} from './row-result';
import { type CompanyRequest, type Task } from './tasks';
import { readCompanies, toInvalidOutcome, type CompanyRows } from './read';
import { toItems, toOutcomes, type RowOutput } from './write';

/** What differs between the operations that enrich rows. */
export interface Enrichment {
  readonly endpoint: typeof api.bulkLookup | typeof api.enrichment;
  /** Include; undefined if the operation offers no sections. */
  readonly sections?: Parameter<CompanySection[]>;
  /** Fields of a row with these sections. */
  readonly listFields: (sections: readonly CompanySection[]) => readonly string[];
  /** Requests one batch. */
  readonly lookUp: (
    run: Run,
    batch: readonly string[],
    sections: readonly CompanySection[],
  ) => Promise<BatchResponse>;
}

/** Which companies to look up, and for how many credits. */
export interface LookupOptions extends NormalizeOptions, RunLimits {
  /** Maximum number of companies to read per name. */
  readonly candidatesPerName: number;
}

export interface EnrichOptions extends LookupOptions, RowOutput {
  readonly simplify: boolean;
  /** Columns of flat rows; see {@link toFlatCompany}. */
  readonly technologyColumns?: readonly string[];
}

/** Columns of rows whose company can be looked up by name. */
const NAME_COLUMNS = ['matched_by', 'candidates'];

/**
 * Enriches all input items at once: looks up distinct domains in batches, then returns one output item
 * per input item, in input order, each paired with its input item. Rows without a usable domain cost
 * nothing.
 *
 * @throws {NodeApiError | NodeOperationError} For the first failed item, if On Error is
 * Stop Workflow; otherwise failures become items.
 */
export async function enrichRows(
  context: IExecuteFunctions,
  options: EnrichOptions,
  enrichment: Enrichment,
): Promise<INodeExecutionData[][]> {
  const companies = readCompanies(context, options, enrichment.sections);
  const enriching = new EnrichmentRun(context, enrichment, options, companies);
  const stats = await enriching.runOrFail();
  const rows = companies.rows.map((row) => ('request' in row ? row : enriching.toShape(row)));
  const outcomes = toOutcomes({ rows });
  context.addExecutionHints(...summarize(companies, enriching.getFacts(), stats));
  const isIncomplete = outcomes.some(
    ({ failure, outputs: [one] }) => failure !== undefined || isSkipped(one?.json),
  );
  if (isIncomplete) context.addExecutionHints(formatOutcomes(outcomes));
  const fields = enrichment.listFields(companies.sections);
  const columns = options.simplify
    ? [
        ...getFlatColumns(fields, options.technologyColumns),
        ...(companies.usesNames ? NAME_COLUMNS : []),
      ]
    : undefined;
  const itemOptions = { ...options, before: stats, columns };
  return [toItems(context, outcomes, itemOptions)];
}

/** The lookups of one run, and their figures. */
class EnrichmentRun {
  private requests = 0;
  private names: NamesReport<NamedCompany> | undefined;
  private readonly shape: (row: Row) => Row;

  constructor(
    private readonly context: IExecuteFunctions,
    private readonly enrichment: Enrichment,
    private readonly options: EnrichOptions,
    private readonly companies: CompanyRows,
  ) {
    this.shape = this.createShape();
  }

  /** Returns the figures for the hints. */
  getFacts() {
    const { requests, names } = this;
    const domains = new Set(this.companies.tasks.map(({ request }) => request.domain)).size;
    return { domains, requests, names };
  }

  /** Looks up all tasks. If the run cannot start, every task fails. */
  async runOrFail(): Promise<RunStats> {
    const { tasks, named } = this.companies;
    if (tasks.length + named.length === 0) return NO_STATS;
    try {
      return await this.lookUpAll();
    } catch (failure) {
      if (getOnError(this.context) === 'stop' || !(failure instanceof NodeOperationError)) {
        throw failure;
      }
      for (const task of tasks) task.outcome = toFailure(failure, { domain: task.request.domain });
      for (const task of named) task.outcome = toFailure(failure);
      return NO_STATS;
    }
  }

  /** Returns a row without data of the service in the form of the others. */
  toShape({ outputs, ...rest }: Result): Result {
    const toOutput = ({ json }: Output) => ({ json: this.shape(json) as IDataObject });
    return { ...rest, outputs: outputs.map(toOutput) };
  }

  private createShape(): (row: Row) => Row {
    const { simplify, technologyColumns } = this.options;
    if (!simplify) return (row) => row;
    const sections = this.enrichment.sections && this.companies.sections;
    const flat = { technologyColumns, sections };
    return (row) => toFlatCompany(row, flat);
  }

  private async lookUpAll(): Promise<RunStats> {
    const { tasks, named } = this.companies;
    const run = await openRun(this.context, this.options);
    await this.lookUp(run, tasks);
    if (named.length > 0) await this.lookUpByName(run, named);
    return run.stats;
  }

  /**
   * Looks up tasks by domain.
   *
   * @param areRead Whether the companies were read by a search, so that only their partners can cost credits.
   */
  private async lookUp(
    run: Run,
    tasks: ReadonlyArray<Task<CompanyRequest>>,
    areRead = false,
  ): Promise<void> {
    if (tasks.length === 0) return;
    const { endpoint, lookUp } = this.enrichment;
    const { sections } = this.companies;
    const chargesPartners = includesPartners(sections);
    const { outcomes, requests } = await run.requestBatches({
      endpoint: endpoint.path,
      creditsOf: areRead && !chargesPartners ? undefined : endpoint.cost.of,
      request: async (part, batch) => await lookUp(part, batch, sections),
      domains: tasks.map(({ request }) => request.domain),
      wanted: sections.join(),
      costsOpen: chargesPartners,
      spendRemaining: !areRead && getOnError(this.context) !== 'stop',
      // Shape each row immediately, so raw responses do not accumulate in memory.
      keep: this.shape,
    });
    this.requests += requests;
    for (const task of tasks) {
      const { domain } = task.request;
      task.outcome = this.toOutcome(domain, outcomes.get(domain));
    }
  }

  /**
   * Looks up companies by name, then by their domain, which is free (API spec: Credits, rule 2). This
   * comes last, so scarce credits go to rows whose company is certain.
   */
  private async lookUpByName(run: Run, named: ReadonlyArray<Task<NamedCompany>>): Promise<void> {
    this.names = await lookUpNames(run, named, this.options);
    for (const task of named) task.outcome &&= this.toShape(task.outcome);
    const known = new Map(
      this.companies.tasks
        .filter(({ outcome }) => outcome !== undefined && outcome.failure === undefined)
        .map((task) => [task.request.domain, task]),
    );
    const matches = [...this.names.found].map(([task, { domain, message }]) => {
      const own: Task<CompanyRequest> = known.get(domain) ?? {
        request: { domain },
        itemIndex: task.itemIndex,
      };
      known.set(domain, own);
      return { task, own, message };
    });
    const unread = matches.flatMap(({ own }) => (own.outcome === undefined ? [own] : []));
    await this.lookUp(run, [...new Set(unread)], true);
    for (const { task, own, message } of matches) {
      if (own.outcome !== undefined) task.outcome = withMatchedBy('name', own.outcome, message);
    }
  }

  private toOutcome(domain: string, outcome: DomainOutcome | undefined): Result {
    switch (outcome?.kind) {
      case 'row': {
        const row = toSuccess(outcome.row as IDataObject);
        return this.companies.usesNames ? withMatchedBy('domain', row) : row;
      }
      case 'rejected':
        return this.toShape(toInvalidOutcome(domain, 'rejected_by_service', REJECTED));
      case 'failed':
        return toFailure(outcome.error, { domain });
      case 'missing':
      case undefined:
        return toFailure(createMissingEntryError(domain), { domain });
    }
  }
}

const REJECTED = 'The service rejected this domain as malformed';

/** Returns the outcome with how the company was found; a row that belongs to another task is copied. */
function withMatchedBy(
  matched_by: 'domain' | 'name',
  { outputs, ...rest }: Result,
  message?: string,
): Result {
  return {
    ...rest,
    outputs: outputs.map(({ json }) => {
      const { domain, status, ...others } = matched_by === 'name' ? structuredClone(json) : json;
      const remark = message === undefined ? {} : { message };
      return { json: { domain, status, ...others, ...remark, matched_by } };
    }),
  };
}
