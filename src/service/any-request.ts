import type { Call } from '../client/client';
import {
  createInvalidResponseError,
  InvalidResponseError,
  NOT_THE_SERVICE_HINT,
} from '../client/errors';
import { HTML_RESPONSE_MESSAGE, parseJson } from '../client/response';
import { decodePercent, quote } from '../values/text';
import { InputError, assertSendable } from '../input/inputs';
import { findRows, type RowSearch } from '../run/responses/find-rows';
import type { Run } from '../run/run';
import { toRowSearch } from './endpoint';
import { api } from './endpoints';

interface RawRequest {
  readonly method: Call<unknown>['method'];
  readonly path: string;
  readonly query: Readonly<Record<string, readonly string[]>>;
  readonly body: unknown;
}

export function isReadMethod(method: RawRequest['method']): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Puts a path below `/v1/` and ensures that it stays there: no other host, no parent folder, no query. */
export function normalizePath(text: string): string {
  const rest = assertSendable(text.trim(), 'Path').replace(/^\//, '').replace(/^v1\//, '');
  const segments = rest.split('/');
  const odd = segments.find((segment) => !isPlainSegment(segment));
  if (/^https?:\//i.test(rest)) {
    throw new InputError(
      'The path is a full URL',
      'Enter it without https://…/v1/, like lists/123/permissions. Nothing was sent.',
    );
  }
  if (rest === '' || odd !== undefined) {
    throw new InputError(
      rest === ''
        ? 'The path is empty'
        : `The path is invalid because of ${odd === '' ? 'an empty part' : quote(odd)}`,
      'Enter only the path below /v1/, like lists/123/permissions. Put parameters under Query.',
    );
  }
  return `/v1/${segments.map((segment) => encodeURIComponent(decodeURIComponent(segment))).join('/')}`;
}

function isPlainSegment(segment: string): boolean {
  const decoded = decodePercent(segment);
  if (decoded === undefined) return false;
  // eslint-disable-next-line no-control-regex -- control characters must be refused
  return !/[/\\?#\u0000-\u001f]/.test(decoded) && !['', '.', '..'].includes(decoded.trim());
}

export function isKeyless(path: string): boolean {
  return path.startsWith('/v1/open/');
}

/**
 * The cost of an endpoint that the API spec does not show is unknown before it responds, so a request needs 1
 * credit of the run's limit, and each row of the response counts.
 */
export async function sendAnyRequest(run: Run, request: RawRequest): Promise<unknown> {
  const send = async () =>
    await run.request({
      ...request,
      repeatable: isReadMethod(request.method),
      withoutKey: isKeyless(request.path),
      anyText: true,
      canBePending: true,
      isSlow: true,
      errorTexts: NOTHING_AT_PATH,
      read: ({ text, headers }) => parseJsonOrText(text, headers['content-type'] ?? ''),
    });
  return await run.credits.sendWithinBudget(1, send, countRows, { hasOpenPrice: true });
}

const NOTHING_AT_PATH = {
  404: {
    message: 'The service has no endpoint, or no record, at this path',
    hint: 'Check the path, and the IDs and domains in it. If other nodes fail too, check the Base URL in the credential.',
  },
};

function countRows(response: unknown): number {
  if (response === undefined) return 0;
  if (typeof response === 'string')
    return Math.max(1, response.trimEnd().split(/\r\n?|\n/).length - 1);
  try {
    return findRows(response, COMPANIES).rows.length;
  } catch (error) {
    if (error instanceof InvalidResponseError) return 1;
    throw error;
  }
}

const COMPANIES: RowSearch = {
  names: [...api.members.rows.names, 'nodes'],
  hasId: toRowSearch(api.members).hasId,
};

function parseJsonOrText(text: string, contentType: string): unknown {
  if (text === '') return undefined;
  if (contentType.includes('html')) {
    throw createInvalidResponseError(HTML_RESPONSE_MESSAGE, NOT_THE_SERVICE_HINT, true);
  }
  return contentType.includes('json') ? parseJson(text) : parseJson(text, () => text);
}
