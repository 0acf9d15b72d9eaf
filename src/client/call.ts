import { BadRequestError } from './errors';
import type { HttpRequest } from './exchange/transport';
import type { WordsByStatus } from './meaning';
import type { Headers } from './retry';
import type { ClientSettings } from './settings';
import { wellFormed } from './values';

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
  /** True when a 202 is a result, as for a job that runs; other reads are not ready then. */
  readonly mayBePending?: boolean;
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
  /** Runs with 1 when a request is sent, and with -1 when the connection was never made after all. */
  readonly sent?: ((times: 1 | -1) => void) | undefined;
  /** After trouble it is asked for in another way: it gets one try, and a short time for that. */
  readonly isBrief?: (() => boolean) | undefined;
}

/**
 * Tagged template for request paths: what is in `${}` is one path segment, encoded so that it
 * can never become another path: path`/v1/companies/${identifier}`.
 *
 * @throws {TypeError} when a segment is empty, `.` or `..`, which URLs would resolve away, or holds
 * half a character, which they cannot hold.
 */
export function path(texts: readonly string[], ...segments: string[]): string {
  return texts.reduce((built, text, index) => {
    const segment = segments[index - 1] ?? '';
    if (segment === '' || segment === '.' || segment === '..') {
      throw new TypeError(`"${segment}" cannot be part of a request path`);
    }
    const shown = wellFormed(segment);
    // Half of a character that takes two has no form in UTF-8, which addresses are written in.
    if (shown !== segment) {
      throw new TypeError(
        `"${shown.slice(0, 100)}" cannot be part of a request path: it holds half a character, shown as \uFFFD. Take it out, or read the text again with its right encoding`,
      );
    }
    return `${built}${encodeURIComponent(segment)}${text}`;
  });
}

/** The media type of requests and, but for downloads, of answers. */
export const JSON_TYPE = 'application/json';
const USER_AGENT = 'n8n-nodes-company-intelligence';

/** What of a request is the call's own. */
export function requestOf<T>(
  { baseUrl, apiKey }: Pick<ClientSettings, 'baseUrl' | 'apiKey'>,
  call: Sending<T>,
  accept = JSON_TYPE,
): Pick<HttpRequest, 'method' | 'url' | 'headers' | 'freshConnection'> {
  return {
    method: call.method,
    url: urlOf(baseUrl, call),
    headers: {
      Accept: accept,
      'User-Agent': USER_AGENT,
      ...(call.withoutKey === true ? {} : { 'X-API-Key': apiKey }),
      ...(call.body === undefined ? {} : { 'Content-Type': JSON_TYPE }),
    },
    freshConnection: !call.repeatable,
  };
}

function urlOf<T>(baseUrl: string, { path, query = {} }: Sending<T>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) {
      if (one !== undefined) parameters.append(name, String(one));
    }
  }
  const search = parameters.toString();
  return search === '' ? `${baseUrl}${path}` : `${baseUrl}${path}?${search}`;
}

/**
 * The body of a call as it is now, as JSON.
 *
 * @throws {BadRequestError} when it cannot be written.
 */
export function bodyOf<T>({ body }: Sending<T>): string | undefined {
  try {
    return body === undefined ? undefined : JSON.stringify(body);
  } catch {
    throw new BadRequestError({
      code: 'invalid_request',
      message: 'What is to be sent cannot be written as JSON: it is nested too deeply',
      hint: 'Nothing was sent. Check the body in the parameters of this node.',
    });
  }
}
