import { countOf } from './count';
import { isRow, type Row } from './rows';

/** Where an answer speaks of the next page by a word of its own, and the parameter it is asked for with. */
const CURSORS: Readonly<Record<string, string>> = {
  next_cursor: 'cursor',
  nextCursor: 'cursor',
  cursor: 'cursor',
  end_cursor: 'cursor',
  next_page_token: 'page_token',
  nextPageToken: 'page_token',
  next_token: 'next_token',
  nextToken: 'next_token',
  continuation_token: 'continuation_token',
};

/** Fields that may hold the address of the next page; it is read, never followed. */
const ADDRESSES = ['next', 'next_url', 'next_page', 'next_link'];

/** Parameters of such an address that are cursors. */
const PARAMETERS = [
  ...new Set([...Object.values(CURSORS), 'after', 'starting_after', 'pageToken']),
];

/** What an answer says about the page that follows. */
export interface Following {
  /** The parameters that page is asked for with. */
  readonly query?: Readonly<Record<string, string>>;
  /** Whether there is one, as far as this tells. */
  readonly hasMore: boolean | undefined;
}

/** Fields that say in so many words whether there is more. */
const MORE = ['has_more', 'has_next', 'hasMore', 'hasNext', 'has_next_page', 'hasNextPage'];

/** What an answer says in so many words about more; `"true"` is `true`. */
export function saidMore(said: Row): boolean | undefined {
  const words = MORE.map((name) => String(said[name]).toLowerCase());
  const word = words.find((one) => one === 'true' || one === 'false');
  return word === undefined ? undefined : word === 'true';
}

/** Whether pages are left, where an answer counts them. */
export function pagesLeft(said: Row): boolean | undefined {
  const [page, pages] = [countOf(said.page, 1), countOf(said.total_pages)];
  return page === undefined || pages === undefined ? undefined : page < pages;
}

/** @param said what is beside the rows, the objects in it included. */
export function followingOf(said: Row): Following {
  for (const [field, parameter] of Object.entries(CURSORS)) {
    const value = said[field];
    if (typeof value === 'number' || (typeof value === 'string' && value !== '')) {
      return { query: { [parameter]: String(value) }, hasMore: true };
    }
    if (value === null || value === '') return { hasMore: false };
  }
  const name = ADDRESSES.find((one) => said[one] !== undefined);
  if (name === undefined) return { hasMore: undefined };
  const next = isRow(said[name]) ? said[name].href : said[name];
  if (next === null || next === '' || next === false) return { hasMore: false };
  return typeof next === 'string' ? { ...cursorIn(next), hasMore: true } : { hasMore: true };
}

function cursorIn(next: string): Pick<Following, 'query'> {
  const [, parameters] = /\?([^#]*)/.exec(next) ?? [];
  if (parameters === undefined) return /[/:]/.test(next) ? {} : { query: { cursor: next } };
  const found = [...new URLSearchParams(parameters)].filter(([name]) => PARAMETERS.includes(name));
  return found.length === 0 ? {} : { query: Object.fromEntries(found) };
}

/** What an answer says about how many rows there are. */
export interface Paging {
  /** Rows in all. */
  readonly total: number | undefined;
  readonly hasMore: boolean | undefined;
  /** Parameters of the next page, where the answer has a cursor for it. */
  readonly next: Following['query'];
}

/**
 * Looks for totals and cursors beside the rows, and two levels deeper, as in `{ meta: { pagination: {
 * total: 3 } } }`. A bare `count` is not taken for a total: it may be that of the page.
 */
export function pagingOf(beside: Row): Paging {
  const inner = Object.values(beside).filter(isRow);
  const innermost = inner.flatMap((row) => Object.values(row).filter(isRow));
  const said = Object.assign({}, ...innermost, ...inner, beside) as Row;
  const following = followingOf(said);
  const totals = [said.total_count, said.total_results, said.total_members, said.total];
  return {
    total: totals.map((value) => countOf(value)).find((value) => value !== undefined),
    hasMore: saidMore(said) ?? following.hasMore,
    next: following.query,
  };
}
