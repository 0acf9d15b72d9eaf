import type { RowRange } from '../run/listing/listing';
import type { Page } from '../run/responses/page';
import type { Row } from '../values/json';
import type { Run } from '../run/run';
import { SKIPPED_REASON, SkippedError, type CreditBudget } from '../run/run-guards';
import { createNotComparableError } from './change';
import { toCompanies, type CompanyList } from './entities';
import { formatNumber } from '../values/text';

interface WholeList {
  /** Plural noun for its rows: "members". */
  readonly what: string;
  readonly pageSize: number;
  /** @param isFirst This poll has not read the list yet. */
  readonly readPages: (range: RowRange, isFirst: boolean) => AsyncIterable<Page>;
  /** For free, if the pages state no total. */
  readonly count?: () => Promise<number | undefined>;
}

/**
 * @throws {SkippedError} if Max Credits does not cover the list; at most 1 credit was charged then, or one page.
 * @throws {InvalidResponseError} `list_incomplete`, if the list changed while it was read, or more than a few rows
 * are missing, because these companies would count as removed.
 */
export async function readWholeList(run: Run, list: WholeList): Promise<CompanyList> {
  const { credits } = run;
  return await countLarger(credits, async () => {
    const counted = await countCoveredRows(credits, list);
    return await countLarger(credits, async () => await readRows(list, counted, credits.limit));
  });
}

/**
 * Reads one row if credits are limited. Undefined if nothing states the number of rows.
 *
 * @throws {SkippedError} if Max Credits does not cover the list.
 */
export async function countCoveredRows(
  { limit }: CreditBudget,
  { what, readPages, count }: WholeList,
): Promise<number | undefined> {
  if (limit === undefined) return undefined;
  let total: number | undefined;
  for await (const { pagination } of readPages({ wanted: 1 }, true)) {
    total = pagination.totalResults;
  }
  total ??= await count?.();
  if (total !== undefined && total > limit)
    throw createUncoveredError(`There are ${formatNumber(total)} ${what}`, limit);
  return total;
}

/**
 * Reads again what this poll has read, which is free (API spec: Credits, 2): of both reads, only the larger one
 * counts.
 */
export async function countLarger<T>(
  credits: CreditBudget,
  readAgain: () => Promise<T>,
): Promise<T> {
  const before = credits.maxSpent;
  credits.settle(0, -before);
  try {
    return await readAgain();
  } finally {
    credits.settle(0, Math.max(0, before - credits.maxSpent));
  }
}

async function readRows(
  { what, pageSize, readPages }: WholeList,
  counted: number | undefined,
  limit: number | undefined,
): Promise<CompanyList> {
  const wanted = limit && (counted === undefined ? Math.min(pageSize, limit) : limit);
  const rows: Row[] = [];
  let total = 0;
  let hasNext: boolean | undefined;
  for await (const { pagination, ...page } of readPages(
    { wanted, whole: true },
    limit === undefined,
  )) {
    total = Math.max(total, pagination.totalResults ?? 0);
    hasNext = pagination.hasNext;
    for (const row of page.rows) rows.push(row);
  }
  const isEnd = rows.length === counted || rows.length < (wanted ?? Infinity) || hasNext === false;
  if (!isEnd)
    throw createUncoveredError(`The service does not say how many ${what} there are`, limit);
  // A total can be one too high, or a row come twice, each time the list is read.
  const missing = Math.max(0, total - rows.length);
  const companies = toCompanies(rows);
  if (companies.length === 0 && rows.length > 0)
    throw createNotComparableError(what, 'a slug or a domain', rows);
  const skipped = [
    ...(missing === 0 ? [] : [`${String(missing)} of ${String(total)} did not arrive`]),
    ...(companies.length === rows.length
      ? []
      : [`${String(rows.length - companies.length)} have no slug and no domain, or came twice`]),
  ];
  const note = `Not compared among the ${what}: ${skipped.join('; ')}`;
  return { companies, missing, note: skipped.length === 0 ? undefined : note };
}

export function createUncoveredError(reason: string, limit = 0): SkippedError {
  return new SkippedError({
    code: SKIPPED_REASON,
    message: `${reason}: Max Credits (${String(limit)}) does not cover them`,
    hint: '',
  });
}
