import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { includesPartners, type CompanySection } from '../../service/companies';
import type { api } from '../../service/endpoints';
import { getFlatColumns, toFlatCompany } from '../../service/flat-company';
import type { NormalizeOptions } from '../../input/domains';
import type { BatchResponse, DomainOutcome } from '../../run/responses/batch-response';
import { NO_STATS } from '../../run/run-stats';
import type { Run } from '../../run/run';
import type { Row } from '../../values/json';
import { getOnError } from '../failures';
import type { Parameter } from '../parameters/declare';
import type { RunLimits } from '../parameters/readers';
import { formatOutcomes, summarize, type ResponseFacts } from '../run-hints';
import { lookUpNames } from './by-name';
import { joinResults, sendRows } from './engine';
import {
  createMissingEntryError,
  isSkipped,
  toFailure,
  toSuccess,
  type Result,
  type Output,
} from './row-result';
import { assertFieldsExist } from './input-fields';
import { readCompanies, toInvalid, type CompanyLookup, type CompanyRows } from './read';
import { toItems, type RowOutput } from './write';

export interface Enrichment {
  readonly endpoint: typeof api.bulkLookup | typeof api.enrichment;
  /** Include; undefined if the operation offers no sections. */
  readonly sections?: Parameter<CompanySection[]>;
  readonly listFields: (sections: readonly CompanySection[]) => readonly string[];
  readonly lookUp: (
    run: Run,
    batch: readonly string[],
    sections: readonly CompanySection[],
  ) => Promise<BatchResponse>;
}

export interface LookupOptions extends NormalizeOptions, RunLimits {
  readonly candidatesPerName: number;
}

interface EnrichOptions extends LookupOptions, RowOutput {
  readonly simplify: boolean;
  /** Columns of flat rows; see {@link toFlatCompany}. */
  readonly technologyColumns?: readonly string[];
}

const NAME_COLUMNS = ['matched_by', 'candidates'];

/**
 * Enriches all input items at once: looks up distinct domains in batches, then returns one output item
 * per input item. Rows without a usable domain cost nothing.
 */
export async function enrichRows(
  context: IExecuteFunctions,
  options: EnrichOptions,
  enrichment: Enrichment,
): Promise<INodeExecutionData[][]> {
  assertFieldsExist(context, options);
  const companies = readCompanies(context, options, enrichment.sections);
  const enriching = new EnrichmentRun(context, enrichment, options, companies);
  const { results, stats = NO_STATS } = await sendRows(context, companies, {
    limits: options,
    fieldsOf: (one) => (typeof one === 'string' ? { domain: one } : {}),
    send: async (_requests, run) => await enriching.lookUpAll(run),
  });
  const rows = companies.rows.map((row) => ('request' in row ? row : enriching.toShape(row)));
  const outcomes = joinResults({ ...companies, rows }, results);
  context.addExecutionHints(...summarize(companies, enriching.figures, stats));
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

class EnrichmentRun {
  /** For the hints, as far as lookups were made. */
  figures: ResponseFacts = { domains: 0, requests: 0 };
  private readonly shape: (row: Row) => Row;

  constructor(
    private readonly context: IExecuteFunctions,
    private readonly enrichment: Enrichment,
    private readonly options: EnrichOptions,
    private readonly companies: CompanyRows,
  ) {
    const { simplify, technologyColumns } = options;
    const sections = enrichment.sections && companies.sections;
    const flat = { technologyColumns, sections };
    this.shape = simplify ? (row) => toFlatCompany(row, flat) : (row) => row;
  }

  /** Returns a row without data of the service in the form of the others. */
  toShape({ outputs, ...rest }: Result): Result {
    const toOutput = ({ json }: Output) => ({ json: this.shape(json) as IDataObject });
    return { ...rest, outputs: outputs.map(toOutput) };
  }

  /** Names come last, so that scarce credits go to rows whose company is certain. */
  async lookUpAll(run: Run): Promise<ReadonlyMap<CompanyLookup, Result>> {
    const byDomain = await this.lookUp(run, this.companies.domains);
    if (this.companies.names.length === 0) return byDomain;
    return new Map([...byDomain, ...(await this.lookUpByName(run, byDomain))]);
  }

  /** @param areRead Whether the companies were read by a search, so that only their partners can cost credits. */
  private async lookUp(
    run: Run,
    domains: readonly string[],
    areRead = false,
  ): Promise<ReadonlyMap<CompanyLookup, Result>> {
    if (domains.length === 0) return new Map();
    const { endpoint, lookUp } = this.enrichment;
    const { sections } = this.companies;
    const chargesPartners = includesPartners(sections);
    const report = await run.requestBatches({
      endpoint: endpoint.path,
      creditsOf: areRead && !chargesPartners ? undefined : endpoint.cost.of,
      request: async (part, batch) => await lookUp(part, batch, sections),
      domains,
      wanted: sections.join(),
      costsOpen: chargesPartners,
      spendRemaining: !areRead && getOnError(this.context) !== 'stop',
      // Shape each row immediately, so raw responses do not accumulate in memory.
      keep: this.shape,
    });
    const answered = [...report.outcomes.values()].filter(({ kind }) => kind !== 'failed').length;
    // The search by name has counted its companies.
    if (!areRead) run.countLookups(answered, report.charged);
    this.figures = {
      ...this.figures,
      domains: this.figures.domains + answered,
      requests: this.figures.requests + report.requests,
    };
    return new Map(
      domains.map((domain) => [domain, this.toResult(domain, report.outcomes.get(domain))]),
    );
  }

  /** Finds companies by name, then looks them up by domain, which is free (API spec: Credits, rule 2). */
  private async lookUpByName(
    run: Run,
    byDomain: ReadonlyMap<CompanyLookup, Result>,
  ): Promise<ReadonlyMap<CompanyLookup, Result>> {
    const { candidatesPerName } = this.options;
    const { matches, results, ...names } = await lookUpNames(
      run,
      this.companies.names,
      candidatesPerName,
    );
    this.figures = { ...this.figures, names };
    const known = new Map([...byDomain].filter(([, { failure }]) => failure === undefined));
    const found = new Set(Array.from(matches.values(), ({ domain }) => domain));
    const unread = [...found].filter((domain) => !known.has(domain));
    for (const [domain, result] of await this.lookUp(run, unread, true)) known.set(domain, result);
    const byName = new Map<CompanyLookup, Result>();
    for (const [one, result] of results) byName.set(one, this.toShape(result));
    for (const [one, { domain, message }] of matches) {
      const result = known.get(domain);
      if (result !== undefined) byName.set(one, withMatchedBy('name', result, message));
    }
    return byName;
  }

  private toResult(domain: string, outcome: DomainOutcome | undefined): Result {
    switch (outcome?.kind) {
      case 'row': {
        const row = toSuccess(outcome.row as IDataObject);
        return this.companies.usesNames ? withMatchedBy('domain', row) : row;
      }
      case 'rejected':
        return this.toShape(toInvalid(domain, 'rejected_by_service', REJECTED));
      case 'failed':
        return toFailure(outcome.error, { domain });
      case 'missing':
      case undefined:
        return toFailure(createMissingEntryError(domain), { domain });
    }
  }
}

const REJECTED = 'The service rejected this domain as malformed';

/** Returns the result with how the company was found; a row that belongs to another request is copied. */
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
