import { CancelledError, InvalidResponseError, ServiceError } from '../../client/errors';
import type { Conditions } from '../conditions';
import { countOf } from '../answers/count';
import { isRow, type Row } from '../answers/rows';
import { DistinctRows } from './distinct-rows';
import { incomplete } from './incomplete';
import { marksOf } from './marks';
import type { Page } from './pages';
import { isFull } from './paging';
import { Pass, type ListingRequest, type Step } from './pass';

/** Ids of a list that goes to a file which are surely remembered; of others, whose rows are kept, all. */
const REMEMBERED_IDS = 50_000;

/**
 * Reads as many rows as are wanted, page by page and in order, and never asks for more, because rows
 * are billed. `next_url` is not followed, it could lead the key to another host. Nothing is sent
 * before the first page is taken; there is always a first page, if only an empty one.
 *
 * That there is more is for the service to say (`has_next`, `has_more`); a total only allows to read
 * ahead, a few pages at first. An empty page is the end. Each row comes once. When rows have moved
 * meanwhile, the list is read once more for those that were missed; what cannot be reconciled, and rows
 * that still move, are told with the figures.
 *
 * With Max Credits it is all or nothing: half a list that was paid for would be thrown away. A list
 * that is too long is refused for the credits of a row or two. The second look costs nothing but rows
 * that are new (interface: Credits, 2), and takes nothing away: whatever becomes of it, the rows of the
 * first one have come out, and the user is told what it could not check.
 *
 * @throws {InvalidResponseError} `page_ignored`, `offset_ignored` when the service sends the same rows
 * again; `list_incomplete` where the list is wanted whole, and this may not be all of it.
 * @throws {NotAttemptedError} when the rows may cost more than the run may spend.
 */
export async function* readListing(
  listing: ListingRequest,
  conditions: Conditions,
): AsyncGenerator<Page, void, undefined> {
  const { wanted = Infinity, skip = 0, streamed = false } = listing;
  const rows = new DistinctRows(wanted, streamed ? REMEMBERED_IDS : Infinity);
  const totals = new Set<number>();
  const expected = () => Math.min(wanted, ([...totals].at(-1) ?? 0) - skip);
  const note = ({ page: { pagination } }: Step, seen: Set<number>) => {
    if (pagination.totalResults === undefined) return;
    totals.delete(pagination.totalResults);
    totals.add(pagination.totalResults);
    seen.add(pagination.totalResults);
  };
  const firstTotals = new Set<number>();
  let counted = 0;
  let silent = false;
  let stuck = false;
  let longest = 0;
  /** The last page was as long as pages are: behind it the list may go on. */
  let filled = false;
  const pass = new Pass(listing, conditions, rows, false);
  for await (const step of pass.pages()) {
    note(step, firstTotals);
    silent ||= step.page.isSilent === true;
    counted = Math.max(counted, countIn(step.page.context));
    const { page } = step;
    filled = isFull(step) || page.rows.length === longest;
    longest = Math.max(longest, page.rows.length);
    const marks = marksOf(page.rows, listing.idOf);
    stuck = step.fillsUntil === undefined && rows.isStuckAt(marks);
    if (stuck && pass.isGuess) {
      stuck = false;
      break;
    }
    if (stuck && listing.paging.ifStuck !== undefined) throw repeats(listing.paging.ifStuck);
    if (stuck) break;
    yield { ...page, rows: rows.take(page.rows, marks) };
  }
  const hasMoved = (seen: ReadonlySet<number>) =>
    seen.size > 1 || (rows.repeated > 0 && rows.taken < expected());
  let moved = hasMoved(firstTotals);
  let unchecked: ServiceError | undefined;
  if (!stuck && moved && rows.missing > 0 && rows.complete) {
    const secondTotals = new Set<number>();
    try {
      for await (const step of new Pass(listing, conditions, rows, true).pages()) {
        note(step, secondTotals);
        const { page } = step;
        const marks = marksOf(page.rows, listing.idOf);
        const fresh = rows.takeAgain(page.rows, marks);
        if (fresh.length > 0) yield { ...page, rows: fresh };
      }
      moved = hasMoved(secondTotals);
    } catch (error) {
      if (!(error instanceof ServiceError) || error instanceof CancelledError) throw error;
      unchecked = error;
    }
  }
  // Where totals are not documented they may count something else.
  const isShort = rows.taken < expected() || (moved && rows.missing > 0);
  if (listing.whole === true) {
    const doubt = (filled ? pass.refusal : undefined) ?? unchecked;
    const details = { read: rows.taken, totals: [...totals] };
    if (doubt !== undefined) {
      const why = `behind ${String(rows.taken)} rows the service answered: ${doubt.message}`;
      throw incomplete('The list', why, details);
    }
    if (pass.outgrew) throw incomplete('The list', GREW, details);
    if (silent) throw incomplete('The list', SILENT, details);
    if (isShort) throw incomplete('The list', shortfall(rows, totals, expected()), details);
  }
  if (silent) conditions.tell(SILENT);
  if (stuck) conditions.tell(noOthers(rows));
  else if (pass.outgrew) conditions.tell(GREW);
  else if (unchecked !== undefined) conditions.tell(notLookedAgain(rows, unchecked));
  else if (isShort && listing.paging.ifStuck !== undefined) {
    conditions.tell(shortfall(rows, totals, expected()));
  } else if (totals.size === 0 && wanted === Infinity && skip + rows.taken < counted) {
    conditions.tell(shortfall(rows, new Set([counted]), counted - skip));
  }
}

/** What the header of a list counts: of the users of a technology, or who names a partner. */
function countIn(context: Row): number {
  const counts = Object.values(context).map((header) =>
    isRow(header) ? (countOf(header.total_companies) ?? 0) : 0,
  );
  return Math.max(0, ...counts);
}

const GREW =
  'The list grew while it was read: it may have more rows than Max Credits allowed for when it was begun.';
const SILENT = 'The service answered without a list, which was taken for an empty one.';

function repeats(code: string): InvalidResponseError {
  return new InvalidResponseError({
    code,
    message: 'The service sent rows again that it had sent already, instead of the next ones',
    hint: 'Nothing was returned, because the list could not be read to its end. Set a Limit that one page covers.',
  });
}

function noOthers({ taken }: DistinctRows): string {
  return `The service says that there are more than these ${String(taken)}, but gave no others when asked.`;
}

function notLookedAgain({ taken }: DistinctRows, { message }: ServiceError): string {
  return `The list changed while it was read. These ${String(taken)} rows came out; a second look for rows that were missed could not be finished: ${message}.`;
}

function shortfall(
  { taken, repeated }: DistinctRows,
  totals: ReadonlySet<number>,
  expected: number,
): string {
  const said = `The service says that the list has ${[...totals].map(String).join(', then ')} rows`;
  const again =
    repeated === 0 ? '' : ` ${String(repeated)} came twice and were left out the second time.`;
  return taken < expected
    ? `${said}, but gave ${String(taken)}.${again}`
    : `${said}, and gave ${String(taken)}: it changed while it was read, so that some of them may be missing.${again}`;
}
