import { CreditExhaustedError, ServerError, ServiceError } from '../../../../src/client/errors';
import { CircuitBreaker, CreditBudget } from '../../../../src/run/run-guards';
import { ListReader } from '../../../../src/run/listing/list-reader';
import {
  collectListing,
  type PageRange,
  type Paging,
  type RowRange,
} from '../../../../src/run/listing/listing';
import type { Page } from '../../../../src/run/responses/page';
import type { Row } from '../../../../src/values/json';

interface Move {
  readonly before: number;
  readonly at: number;
  readonly rows: number;
}

export interface Sends {
  readonly count: number;
  /** The largest page that the service returns. */
  readonly cap?: number;
  /** Whether pages state their size, as the API spec shows; true by default. */
  readonly statesLimit?: boolean;
  readonly says?: 'total' | 'more' | 'both' | 'nothing';
  /** A total that differs from the number of rows. */
  readonly total?: number | undefined;
  /** Row indexes: a page that contains the row at one of them always fails with status 500. */
  readonly broken?: readonly number[];
  /** A page from this row on is refused. */
  readonly refusedFrom?: number;
  /** 422 if omitted. */
  readonly refusedWith?: number;
  /** Whether every request gets the first page. */
  readonly ignoresPaging?: boolean;
  readonly balance?: number;
  readonly moves?: readonly Move[];
  /** Latency of the responses, in turns of the event loop. */
  readonly delays?: readonly number[];
}

export class ListService {
  readonly requests: PageRange[] = [];
  readonly billed = new Set<number>();
  /** IDs that were ever in the list. */
  readonly held = new Set<number>();
  /** IDs that were in the list all the time. */
  readonly kept: Set<number>;
  private rows: number[];

  constructor(private readonly sends: Sends) {
    this.rows = Array.from({ length: sends.count }, (_one, id) => id);
    this.kept = new Set(this.rows);
    for (const id of this.rows) this.held.add(id);
  }

  async respond(range: PageRange): Promise<Page> {
    const { cap = Infinity, delays = [0], moves = [], broken = [], ...sends } = this.sends;
    const { query } = range;
    const number = this.requests.push(range);
    for (const move of moves) if (move.before === number) this.change(move);
    for (let turns = delays[number % delays.length] ?? 0; turns > 0; turns -= 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    const limit = Math.min(query['limit'] ?? 0, cap);
    const page = query['page'] ?? 1;
    const asked = query['page'] === undefined ? (query['offset'] ?? 0) : (page - 1) * limit;
    const from = sends.ignoresPaging === true ? 0 : asked;
    const end = Math.min(from + limit, this.rows.length);
    if (broken.some((index) => index >= from && index < end)) {
      throw new ServerError({ code: 'broken', message: 'Broken', hint: 'Wait.', status: 500 });
    }
    if (from >= (sends.refusedFrom ?? Infinity)) {
      const { refusedWith: status = 422 } = sends;
      throw new ServiceError({ code: `http_${status}`, message: 'No', hint: '-', status });
    }
    const ids = this.rows.slice(from, from + limit);
    this.bill(ids);
    const { says = 'both', total = this.rows.length } = sends;
    return {
      rows: ids.map((id) => ({ id })),
      context: { page },
      pagination: {
        limit: sends.statesLimit === false ? undefined : limit,
        totalResults: says === 'total' || says === 'both' ? total : undefined,
        hasNext: says === 'more' || says === 'both' ? from + limit < this.rows.length : undefined,
      },
    };
  }

  private bill(ids: readonly number[]): void {
    const fresh = ids.filter((id) => !this.billed.has(id));
    const shortfall = this.billed.size + fresh.length - (this.sends.balance ?? Infinity);
    if (shortfall > 0) {
      const texts = { code: 'credit_exhausted', message: 'No credits', hint: 'Buy.', status: 402 };
      throw new CreditExhaustedError(texts);
    }
    for (const id of fresh) this.billed.add(id);
  }

  private change({ at, rows }: Move): void {
    const next = this.held.size;
    const fresh = Array.from({ length: Math.max(0, rows) }, (_one, index) => next + index);
    for (const id of this.rows.splice(at, Math.max(0, -rows), ...fresh)) this.kept.delete(id);
    for (const id of fresh) this.held.add(id);
  }
}

export interface Reading extends Partial<RowRange> {
  readonly by?: Paging['by'];
  readonly size?: number;
  readonly maxCredits?: number | undefined;
  readonly isFree?: boolean;
  /** Whether rows have no known ID. */
  readonly isAnonymous?: boolean;
}

const toId = ({ id }: Row) => String(id);

export async function readList(
  service: ListService,
  { by = 'page', size = 100, maxCredits, isAnonymous = false, ...range }: Reading,
) {
  const credits = new CreditBudget(maxCredits);
  const warnings: string[] = [];
  const firsts: boolean[] = [];
  const reader = new ListReader(
    {
      wanted: undefined,
      ...range,
      paging: { by, size },
      idOf: isAnonymous ? () => undefined : toId,
      fetch: async (pageRange, isFirst, { beforeSend }) => {
        // Requests wait in the queue of the client before they are sent.
        await Promise.resolve();
        beforeSend?.();
        firsts.push(isFirst);
        return await service.respond(pageRange);
      },
    },
    {
      signal: undefined,
      credits,
      breaker: new CircuitBreaker(),
      warn: (message) => warnings.push(message),
    },
  );
  const pages: Page[] = [];
  const recorded = (async function* () {
    for await (const page of reader.pages()) {
      pages.push(page);
      yield page;
    }
  })();
  const listing = await collectListing(recorded).catch((error: unknown) => error as Error);
  const failure = listing instanceof Error ? listing : listing.failure;
  const out = pages.flatMap(({ rows }) => rows.map(({ id }) => Number(id)));
  return { credits, failure, firsts, out, pages, warnings };
}
