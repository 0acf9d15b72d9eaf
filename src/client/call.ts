import type { HttpRequest } from './exchange/outcome';
import type { WordsByStatus } from './meaning';
import type { Headers } from './retry-after';

/** A successful answer, before its meaning is read. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON; undefined when the body is empty, or the call takes any text. */
  readonly json: unknown;
  /** The body as it arrived. */
  readonly text: string;
}

/** Parameters of a query. Those that are undefined are left out, those of several values repeated. */
export type Query = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>;

/** What is sent, and what may become of it. */
export interface Sending<T> {
  readonly method: HttpRequest['method'];
  /** Built with the `path` template, beginning with `/v1/`. */
  readonly path: string;
  readonly query?: Query;
  /** Sent as JSON, as it is at the last moment before each sending. */
  readonly body?: unknown;
  /** See {@link Standing.repeatable}. */
  readonly repeatable: boolean;
  /** What refusals mean for this call where the interface states no code for them. */
  readonly words?: WordsByStatus;
  /**
   * For calls that remove something and may be repeated: the result of a 404 after an attempt that
   * may have been processed. What was to be removed is gone, so the call did not fail.
   */
  readonly whenGone?: () => T;
  /** True for the endpoints that need no key (interface: Authentication, rule 4). */
  readonly withoutKey?: boolean;
}

/** One call of the interface. */
export interface Call<T> extends Sending<T> {
  /** True when the answer need not be JSON. */
  readonly anyText?: boolean;
  /** Reads the answer; throws {@link InvalidResponseError} when it is not what was promised. */
  readonly read: (answer: Answer) => T;
}

/** A successful answer whose body is still arriving. */
export interface Arriving {
  readonly headers: Headers;
  /** The first bytes of the body; empty when it has none. */
  readonly start: Uint8Array;
  /**
   * The whole body, its first bytes included. Read once.
   *
   * @throws {ConnectionError | InvalidResponseError | CancelledError} when it does not come whole.
   */
  readonly body: AsyncIterable<Uint8Array>;
}

/** A call whose answer is too large to be held in memory. */
export interface Download<T> extends Sending<T> {
  /** The media type that is wanted. */
  readonly accept: string;
  /** Reads the head of the answer; throws {@link InvalidResponseError} as for a {@link Call}. */
  readonly read: (answer: Arriving) => T;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Runs at the last moment before each sending; throwing means it is not sent. */
  readonly beforeSend?: (() => void) | undefined;
  /** Runs after each sending of which something may have arrived. */
  readonly sent?: (() => void) | undefined;
  /** How often trouble may be met, where that is less than usual. */
  readonly attempts?: (() => number) | undefined;
}
