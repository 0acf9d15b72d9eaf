import type * as Zod from 'zod/v4';

import { saysError } from '../client/error-body';
import { CancelledError, NotFoundError, ServiceError } from '../client/errors';
import { domainKey } from '../input/hosts';
import { LIMITS } from '../input/limits';
import { lazily } from '../lazily';
import { readBatchAnswer, type BatchAnswer } from '../run/answers/batch-answer';
import { idsBy, isRow, rowWith, type Row } from '../run/answers/rows';
import type { DomainOutcome } from '../run/batches';
import type { Run } from '../run/run';
import { askOne, companyColumns } from './ask';
import { requestOf } from './endpoint';
import { api } from './endpoints';
import { acknowledged } from './lists/effects';

/** Sections of a bulk company result (interface: Companies). */
export type CompanySection = 'technologies' | 'partnerships' | 'firmographics';

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

/** Two companies, of which the second may be missing. */
interface Pair {
  readonly a: Row;
  readonly b?: Row;
  readonly statusB: 'tracked' | 'not_tracked' | 'error';
  /** Why company B could not be read; undefined when the service does not know it. */
  readonly failure?: ServiceError;
}

/**
 * Reads two companies, and nothing when Max Credits does not cover both. When
 * company A is not known, company B costs nothing.
 *
 * @throws {ServiceError} when company A could not be read.
 */
export async function getPair(
  run: Run,
  identifierA: string,
  identifierB: string,
  include: string,
): Promise<Pair> {
  return await run.allOrNone(2, async (both) => {
    const a = await askOne(both, api.company, { identifier: identifierA, include });
    try {
      return {
        a,
        b: await askOne(both, api.company, { identifier: identifierB, include }),
        statusB: 'tracked',
      };
    } catch (error) {
      if (!(error instanceof ServiceError) || error instanceof CancelledError) throw error;
      return error instanceof NotFoundError && error.aboutAsked
        ? { a, statusB: 'not_tracked' }
        : { a, statusB: 'error', failure: error };
    }
  });
}

/** All ids of a company, the surest first. */
export const idsOfCompany = idsBy(api.companies.ids);

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
    ...requestOf(api.flag, { identifier }),
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
    ...requestOf(api.bulkLookup, {}),
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
    endpoint: api.bulkLookup.path,
    batchSize: LIMITS.batchSize,
    ask: async (part, batch) => await lookUpCompanies(part, batch, include),
    creditsOf: api.bulkLookup.cost.of,
    costsOpen: include.includes(api.bulkLookup.cost.openWith),
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
