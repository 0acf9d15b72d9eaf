import type { RowRange } from '../run/listing/listing';
import type { Page } from '../run/responses/page';
import type { Row } from '../values/json';
import type { Run } from '../run/run';
import { SKIPPED_REASON, SkippedError } from '../run/run-guards';
import { toCompanies, type CompanyList } from './entities';
import { formatNumber } from '../values/text';

/** Only the whole can be compared. */
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
  const { what, pageSize, readPages } = list;
  const { limit } = run.credits;
  const counted = limit === undefined ? undefined : await countRows(run, list, limit);
  assertCovered(counted ?? 0, what, limit);
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
  const skipped = [
    ...(missing === 0 ? [] : [`${String(missing)} of ${String(total)} did not arrive`]),
    ...(companies.length === rows.length
      ? []
      : [`${String(rows.length - companies.length)} have no slug and no domain, or came twice`]),
  ];
  const note = `Not compared among the ${what}: ${skipped.join('; ')}`;
  return { companies, missing, note: skipped.length === 0 ? undefined : note };
}

/** Reads one row, which is charged only if the limit does not cover all; undefined if nothing states their number. */
async function countRows(
  run: Run,
  { readPages, count }: WholeList,
  limit: number,
): Promise<number | undefined> {
  const { credits } = run;
  // Reading again what this poll has read is free (API spec: Credits, 2).
  const spent = credits.maxSpent;
  credits.settle(0, -spent);
  let total: number | undefined;
  for await (const { pagination } of readPages({ wanted: 1 }, true)) {
    total = pagination.totalResults;
  }
  total ??= await count?.();
  const again = credits.maxSpent;
  credits.settle(0, -again);
  if (total !== undefined && total > limit) credits.settle(0, Math.max(spent, again));
  return total;
}

/** @throws {SkippedError} if Max Credits does not cover so many rows. */
export function assertCovered(count: number, what: string, limit = Infinity): void {
  if (count <= limit) return;
  throw createUncoveredError(`There are ${formatNumber(count)} ${what}`, limit);
}

function createUncoveredError(reason: string, limit = 0): SkippedError {
  return new SkippedError({
    code: SKIPPED_REASON,
    message: `${reason}: Max Credits (${String(limit)}) does not cover them`,
    hint: '',
  });
}
