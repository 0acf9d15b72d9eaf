import { NotFoundError, ServiceError } from '../client/errors';
import { path, type Query } from '../client/call';
import { isTechKey, notATechKey } from '../input/inputs';
import { LIMITS } from '../input/limits';
import { quote } from '../input/quote';
import { idBy } from '../run/answers/rows';
import { readPage, type Page } from '../run/answers/page';
import type { Listing, RowRange } from '../run/listing/listing';
import { byPage } from '../run/listing/paging';
import type { Run } from '../run/run';
import { companyPages } from './companies';

/**
 * `GET /v1/technologies`: active technologies whose name, or whose vendor's name, matches (interface:
 * Technologies). Free.
 *
 * @param query `q`, 1 to 200 characters.
 * @param range which rows.
 */
export async function searchTechnologies(
  run: Run,
  query: Query,
  range: RowRange,
): Promise<Listing> {
  return await run.rows({
    path: path`/v1/technologies`,
    query,
    read: (json) => readPage(json, 'technologies'),
    paging: byPage(LIMITS.pageSize),
    creditsPerRow: 0,
    idOf: idBy(['tech_key']),
    ...range,
  });
}

/** Fields of a row of {@link companiesOfTechnology}. */
export const TECHNOLOGY_USER_FIELDS = [
  'slug',
  'name',
  'primary_domain',
  'detection_count',
  'first_seen_at',
  'last_seen_at',
];

/** Fields of a row of {@link companiesOfVendor}. */
export const VENDOR_USER_FIELDS = [
  ...TECHNOLOGY_USER_FIELDS,
  'technologies_used',
  'additional_signals',
];

const LONG_PAGES = byPage(LIMITS.companiesOfPageSize);

/**
 * `GET /v1/technologies/{tech_key}/companies`: most recent evidence first; context `technology`. 1
 * credit per company returned.
 *
 * @param query `include`, `firmographics` or nothing.
 * @throws {NotFoundError} `technology_not_found`, when the first page is taken.
 */
export function companiesOfTechnology(
  run: Run,
  techKey: string,
  query: Query,
  range: RowRange,
): AsyncGenerator<Page, void, undefined> {
  return companyPages(run, path`/v1/technologies/${techKey}/companies`, query, LONG_PAGES, range);
}

/**
 * `GET /v1/vendors/{domain}/companies`: users of any of the vendor's technologies; context `vendor`.
 * 1 credit per company returned.
 *
 * @param domain the vendor's exact domain.
 * @param query the same.
 * @throws {NotFoundError} `vendor_not_found`, when the first page is taken.
 */
export function companiesOfVendor(
  run: Run,
  domain: string,
  query: Query,
  range: RowRange,
): AsyncGenerator<Page, void, undefined> {
  return companyPages(run, path`/v1/vendors/${domain}/companies`, query, LONG_PAGES, range);
}

/**
 * Refuses what cannot be a key, and names those it may have been meant for. The search is free.
 *
 * @throws {InputError}
 */
export async function checkTechKey(run: Run, text: string): Promise<void> {
  if (!isTechKey(text)) throw notATechKey(text, await similarKeys(run, text));
}

const SUGGESTIONS = 3;
/** Typing errors are rare in the first letters of a word. */
const BEGINNING = 4;

/**
 * Asks about a technology and, when the service does not know its key, names those it may have been
 * meant for. The search is free.
 *
 * @throws {NotFoundError} `technology_not_found`, with `did_you_mean` in its details.
 */
export async function withSuggestions<T>(
  run: Run,
  techKey: string,
  ask: () => Promise<T>,
): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof NotFoundError) || error.code !== 'technology_not_found') throw error;
    const keys = await similarKeys(run, techKey);
    if (keys.length === 0) throw error;
    throw error.retold({
      message: `${error.message}. Did you mean ${keys.map(quote).join(', ')}?`,
      details: { ...error.details, did_you_mean: keys },
    });
  }
}

async function similarKeys(run: Run, techKey: string): Promise<string[]> {
  const words = techKey
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2);
  // The whole name first, then its words, then their beginnings: "google-analitics" is still found by
  // "google", and "hubspt" by "hubs".
  const beginnings = words.map((word) => word.slice(0, BEGINNING));
  const queries = new Set([words.join(' '), ...words, ...beginnings]);
  for (const q of [...queries].filter((text) => text !== '')) {
    try {
      const text = q.slice(0, LIMITS.technologyQueryLength);
      const { rows } = await searchTechnologies(run, { q: text }, { wanted: SUGGESTIONS });
      const keys = rows.map((row) => row.tech_key).filter((key) => typeof key === 'string');
      if (keys.length > 0) return keys;
    } catch (error) {
      // The question was answered already; a failing suggestion must not hide the answer.
      if (!(error instanceof ServiceError)) throw error;
      return [];
    }
  }
  return [];
}
