import { BadRequestError } from './errors';
import type { ErrorTextsByStatus } from './error-mapping';
import type { Headers } from './retry';
import type { ClientSettings } from './settings';
import { replaceLoneSurrogates } from '../values/text';

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly json: unknown;
  readonly text: string;
  readonly bytes: Buffer;
}

export type Query = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>;

export interface Call<T> {
  readonly method: HttpRequest['method'];
  readonly path: string;
  readonly query?: Query;
  readonly body?: unknown;
  readonly repeatable: boolean;
  readonly errorTexts?: ErrorTextsByStatus | undefined;
  /** Result of a 404 after an attempt that may already have removed the thing. */
  readonly whenMissing?: () => T;
  /** True if a 202 is a result, as for a running job; for other reads, a 202 means "not ready". */
  readonly canBePending?: boolean;
  readonly isSlow?: boolean;
  readonly withoutKey?: boolean;
  readonly anyText?: boolean;
  /** Media type of a file, which is no JSON and can be larger than other responses. */
  readonly fileType?: string;
  readonly read: (response: ApiResponse) => T;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** If it throws, nothing is sent. Receives whether an earlier attempt may have had an effect. */
  readonly beforeSend?: ((isUnconfirmed?: boolean) => void) | undefined;
  /** Called with 1 when a request is sent, and with -1 if no connection was established after all. */
  readonly sent?: ((times: 1 | -1) => void) | undefined;
  /** True if the caller has a fallback: the call gets one attempt with a short timeout. */
  readonly isBrief?: (() => boolean) | undefined;
}

/** @throws {TypeError} if a segment is empty, `.` or `..`, or contains half of a character. */
export function buildPath(texts: readonly string[], ...segments: string[]): string {
  return texts.reduce((built, text, index) => {
    const segment = segments[index - 1] ?? '';
    if (segment === '' || segment === '.' || segment === '..') {
      throw new TypeError(`"${segment}" cannot be part of a request path`);
    }
    const shown = replaceLoneSurrogates(segment);
    // A lone surrogate has no UTF-8 form, and URLs are encoded in UTF-8.
    if (shown !== segment) {
      throw new TypeError(
        `"${shown.slice(0, 100)}" cannot be part of a request path: it contains half a character, shown as \uFFFD. Remove it, or read the text again with the correct encoding`,
      );
    }
    return `${built}${encodeURIComponent(segment)}${text}`;
  });
}

const JSON_TYPE = 'application/json';
const USER_AGENT = 'n8n-nodes-company-intelligence';

export interface HttpRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  /** True to open a new connection, because a kept one may be dead and could swallow the request. */
  readonly freshConnection: boolean;
  readonly signal: AbortSignal | undefined;
}

/** 10,000 rows of JSON are about 3 MB. */
export const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;

/** Two million members are about 200 MB of CSV. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;

export function toHttpRequest<T>(
  { baseUrl, apiKey }: Pick<ClientSettings, 'baseUrl' | 'apiKey'>,
  call: Call<T>,
): Pick<HttpRequest, 'method' | 'url' | 'headers' | 'maxBytes'> {
  return {
    method: call.method,
    url: toUrl(baseUrl, call),
    maxBytes: call.fileType === undefined ? MAX_RESPONSE_BYTES : MAX_FILE_BYTES,
    headers: {
      Accept: call.fileType ?? JSON_TYPE,
      'User-Agent': USER_AGENT,
      ...(call.withoutKey === true ? {} : { 'X-API-Key': apiKey }),
      ...(call.body === undefined ? {} : { 'Content-Type': JSON_TYPE }),
    },
  };
}

function toUrl<T>(baseUrl: string, { path, query = {} }: Call<T>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) {
      if (one !== undefined) parameters.append(name, String(one));
    }
  }
  const search = parameters.toString();
  return search === '' ? `${baseUrl}${path}` : `${baseUrl}${path}?${search}`;
}

export function serializeBody<T>({ body }: Call<T>): string | undefined {
  try {
    return body === undefined ? undefined : JSON.stringify(body);
  } catch {
    throw new BadRequestError({
      code: 'invalid_request',
      message: 'The request body cannot be written as JSON because it is nested too deeply',
      hint: "Check the body in this node's parameters. Nothing was sent.",
    });
  }
}
