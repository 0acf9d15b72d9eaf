import type * as Zod from 'zod/v4';

import { saysError } from '../client/error-body';
import { CancelledError, NotFoundError, ServiceError } from '../client/errors';
import { path, type Query } from '../client/call';
import { domainKey } from '../input/hosts';
import { lazily } from '../lazily';
import { readBatchAnswer, type BatchAnswer } from '../run/answers/batch-answer';
import { idBy, idsBy, isRow, rowWith, type Row } from '../run/answers/rows';
import type { DomainOutcome } from '../run/batches';
import type { Page } from '../run/answers/page';
import type { RowRange } from '../run/listing/listing';
import { byPage, type Paging } from '../run/listing/paging';
import type { Run } from '../run/run';
import { LIMITS } from '../input/limits';
import { acknowledged } from './lists/effects';

/** Sections of a bulk company result (interface: Companies). */
export type CompanySection = 'technologies' | 'partnerships' | 'firmographics';

export const BULK_COMPANIES_PATH = path`/v1/companies`;

/** Fields of the firmographics object (interface: Company). */
const FIRMOGRAPHICS_FIELDS = [
  'industry',
  'employee_range',
  'country',
  'founded_year',
  'tech_count',
  'open_jobs_count',
  'partnership_count',
];

/**
 * Columns of companies.
 *
 * @param fields of the rows, in the interface's order.
 * @param include sections, comma-separated.
 */
export function companyColumns(fields: readonly string[], include = ''): string[] {
  const sections = include.split(',');
  const firmographics = FIRMOGRAPHICS_FIELDS.map((field) => `firmographics.${field}`);
  return [
    ...fields,
    ...(sections.includes('firmographics') ? firmographics : []),
    ...(sections.includes('technologies') ? ['technologies'] : []),
  ];
}

/** Fields of a bulk company result with these sections, as {@link companyColumns} names them. */
export function bulkCompanyFields(sections: readonly CompanySection[]): string[] {
  return [
    ...companyColumns(['domain', 'status', 'name', 'primary_domain', 'slug'], sections.join()),
    // Counts may be said of sections that were not asked for.
    'technology_count',
    'partnership_count',
    ...(sections.includes('partnerships') ? ['partnerships'] : []),
    // Of a row that was not sent, or is not known.
    'reason',
    'message',
  ];
}

/** Fields of a row of {@link listCompanies}. */
export const COMPANY_FIELDS = [
  'name',
  'primary_domain',
  'slug',
  'partnership_count',
  'domains',
  'investors',
];

const bulkCompany = lazily(() => {
  const { z } = require('zod/v4') as typeof Zod;
  return z.looseObject({
    domain: z.string(),
    status: z.enum(['tracked', 'not_tracked']),
    company: z
      .looseObject({
        name: z.string(),
        primary_domain: z.string(),
        slug: z.string().nullish(),
      })
      .nullish(),
    technologies: z
      .array(
        z.looseObject({
          tech_key: z.string(),
          display_name: z.string(),
          vendor_name: z.string().nullish(),
          last_seen_at: z.string().nullish(),
          evidence_count: z.number().nullish(),
        }),
      )
      .optional(),
    partnerships: z.array(z.unknown()).optional(),
    technology_count: z.number().optional(),
    partnership_count: z.number().optional(),
  });
});

/**
 * `GET /v1/companies/{identifier}`: one company (interface: Companies, rule 1). 1 credit.
 *
 * @param query `include`, comma-separated from `technologies`, `firmographics`.
 * @throws {NotFoundError} `company_not_found`.
 */
export async function getCompany(run: Run, identifier: string, query: Query): Promise<Row> {
  return await run.row({
    path: path`/v1/companies/${identifier}`,
    query,
    credits: 1,
    read: (json) => rowWith(json, COMPANY_FIELDS),
  });
}

/** Two companies, of which the second may be missing. */
interface Pair {
  readonly a: Row;
  readonly b?: Row;
  readonly statusB: 'tracked' | 'not_tracked' | 'error';
  /** Why company B could not be read; undefined when the service does not know it. */
  readonly failure?: ServiceError;
}

/**
 * Reads two companies with {@link getCompany}, and nothing when Max Credits does not cover both. When
 * company A is not known, company B costs nothing.
 *
 * @throws {ServiceError} when company A could not be read.
 */
export async function getPair(
  run: Run,
  identifierA: string,
  identifierB: string,
  query: Query,
): Promise<Pair> {
  return await run.allOrNone(2, async (both) => {
    const a = await getCompany(both, identifierA, query);
    try {
      return { a, b: await getCompany(both, identifierB, query), statusB: 'tracked' };
    } catch (error) {
      if (!(error instanceof ServiceError) || error instanceof CancelledError) throw error;
      return error instanceof NotFoundError && error.aboutAsked
        ? { a, statusB: 'not_tracked' }
        : { a, statusB: 'error', failure: error };
    }
  });
}

/**
 * `GET /v1/companies`: companies that match. 1 credit per company returned.
 *
 * @param query filters, `sort`, `include` (interface: Companies, rule 5).
 */
export function listCompanies(
  run: Run,
  query: Query,
  range: RowRange,
): AsyncGenerator<Page, void, undefined> {
  return companyPages(run, path`/v1/companies`, query, byPage(LIMITS.pageSize), range);
}

/** Any list of companies, each once. 1 credit per company returned. */
export function companyPages(
  run: Run,
  url: string,
  query: Query,
  paging: Paging,
  range: RowRange,
): AsyncGenerator<Page, void, undefined> {
  return run.pages({ path: url, query, paging, idOf: idOfCompany, ...range });
}

const COMPANY_IDS = ['slug', 'primary_domain'];

/** A row about a company, by the company. */
export const idOfCompany = idBy(COMPANY_IDS);

/** All ids of a company, the surest first. */
export const idsOfCompany = idsBy(COMPANY_IDS);

const FLAG_FIELDS = ['flag_id', 'company_id'];

/** The status alone says that it was done. */
const DONE = [201, 204];

/**
 * `POST /v1/companies/{identifier}/flags`: reports a fault in a company's data (interface: Data
 * flags). Free. It is sent again only when it surely was not processed.
 *
 * @param description up to 2,000 characters; undefined for none.
 * @returns the flag, or whatever the service says with a 201 or 204.
 * @throws {NotFoundError} `company_not_found`; no flag is created then.
 * @throws {UnknownOutcomeError} when the flag may or may not have been created.
 */
export async function createFlag(
  run: Run,
  identifier: string,
  description: string | undefined,
): Promise<Row> {
  return await run.request({
    method: 'POST',
    path: path`/v1/companies/${identifier}/flags`,
    body: description === undefined ? {} : { description },
    repeatable: false,
    read: ({ json, status }) =>
      DONE.includes(status) && !saysError(json)
        ? acknowledged(json, FLAG_FIELDS)
        : rowWith(json, FLAG_FIELDS),
  });
}

/**
 * `POST /v1/companies`: looks up to 100 companies up (interface: Companies, rule 2).
 *
 * @param domains normalized, distinct, at most the key's batch ceiling.
 * @param include sections to return; the others come as empty lists.
 * @throws {ServiceError} `batch_too_large`, `credit_exhausted` and the general ones.
 */
export async function lookUpCompanies(
  run: Run,
  domains: readonly string[],
  include: readonly CompanySection[],
): Promise<BatchAnswer> {
  return await run.request({
    method: 'POST',
    path: BULK_COMPANIES_PATH,
    body: { domains, include },
    repeatable: true,
    read: ({ json }) => {
      const answer = readBatchAnswer(json, 'data', bulkCompany(), domains);
      for (const domain of namedIn(json, 'rejected_domains', domains)) answer.rejected.add(domain);
      for (const domain of namedIn(json, 'domains_not_found', domains)) {
        if (!answer.rows.has(domain)) answer.rows.set(domain, { domain, status: 'not_tracked' });
      }
      return answer;
    },
  });
}

/**
 * The same for any number of companies, in batches.
 *
 * @param domains normalized and distinct.
 * @param atOnce how many batches are under way at the same time; as many as the limiter lets if left
 * out.
 * @returns what came of each domain; none is thrown but that the run was stopped.
 */
export async function lookUpAll(
  run: Run,
  domains: readonly string[],
  include: readonly CompanySection[],
  atOnce?: number,
): Promise<ReadonlyMap<string, DomainOutcome>> {
  const { outcomes } = await run.batches({
    domains,
    endpoint: BULK_COMPANIES_PATH,
    batchSize: LIMITS.batchSize,
    ask: async (part, batch) => await lookUpCompanies(part, batch, include),
    creditsOf: creditsOfCompany,
    costsOpen: include.includes('partnerships'),
    ...(atOnce === undefined ? {} : { atOnce }),
  });
  return outcomes;
}

/**
 * The domains that were asked for in `rejected_domains` or `domains_not_found`. What an element looks
 * like is not shown: a text, or an object one of whose values is the domain.
 */
function namedIn(json: unknown, key: string, asked: readonly string[]): string[] {
  const list = isRow(json) && Array.isArray(json[key]) ? (json[key] as unknown[]) : [];
  const wanted = new Set(asked.map(domainKey));
  return list.flatMap((entry) => {
    const values = isRow(entry) ? Object.values(entry) : [entry];
    const names = values.filter((value) => typeof value === 'string').map(domainKey);
    return names.find((name) => wanted.has(name)) ?? [];
  });
}

/**
 * Credits a bulk result costs at most (interface: Credits): one for the company, and one for each
 * partner returned with it.
 */
export function creditsOfCompany(row: Row): number {
  if (row.status === 'not_tracked') return 0;
  return 1 + (Array.isArray(row.partnerships) ? row.partnerships.length : 0);
}
