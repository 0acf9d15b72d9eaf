import {
  CancelledError,
  createInvalidResponseError,
  ServiceError,
  NOT_THE_SERVICE_HINT,
} from '../client/errors';
import { HTML_RESPONSE_MESSAGE, parseJson } from '../client/response';
import { decodePercent } from '../client/values';
import type { Run } from '../run/run';
import { isRow, type Row } from '../run/responses/rows';
import { getMaxCredits, countCredits, createHighestCostReader, type RawRequest } from './prices';
import { InputError, assertSendable } from '../input/inputs';
import { quote } from '../input/quote';

/** Returns whether a method only reads. */
export function isReadMethod(method: RawRequest['method']): boolean {
  return method === 'GET' || method === 'HEAD';
}

/**
 * Puts a path as people write it (`lists/7/history`, `/v1/lists/7/history`) below `/v1/` and ensures
 * that it stays there: no other host, no parent folder, no query.
 *
 * @throws {InputError} when the path would leave the API.
 */
export function normalizePath(text: string): string {
  const rest = assertSendable(text.trim(), 'Path').replace(/^\//, '').replace(/^v1\//, '');
  const segments = rest.split('/');
  const odd = segments.find((segment) => !isPlainSegment(segment));
  if (rest === '' || odd !== undefined) {
    throw new InputError(
      rest === ''
        ? 'The path is empty'
        : `The path is invalid because of ${odd === '' ? 'an empty part' : quote(odd)}`,
      'Enter only the path below /v1/, like lists/123/history. Put parameters under Query.',
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

/** Returns whether a path needs no key (API spec: Authentication, rule 4). */
export function isKeyless(path: string): boolean {
  return path.startsWith('/v1/open/');
}

/**
 * Sends any request. Reads are retried after a failure, other methods only if the request was certainly
 * not processed. `/v1/open/*` is sent without the key; see {@link isKeyless}. {@link getMaxCredits} and
 * {@link countCredits} count the cost. With Max Credits, the members of a list are counted before
 * they are exported.
 *
 * @throws {NotAttemptedError} when the request can cost more than the run may spend.
 */
export async function sendAnyRequest(run: Run, request: RawRequest): Promise<AnyResponse> {
  const { body } = request;
  const dearestOf = run.credits.limit === undefined ? undefined : createHighestCostReader(request);
  if (dearestOf === undefined || !isRow(body) || !Array.isArray(body.domains)) {
    const atMost = await getMaxCredits(request, run);
    return { answer: await sendInOneRequest(run, request, atMost) };
  }
  return await sendInParts(run, request, { body, domains: body.domains, dearestOf });
}

/** The response to a request. */
export interface AnyResponse {
  /** Parsed JSON, or the text if it is not JSON; undefined if there is no body. */
  readonly answer: unknown;
  /** The failure because of which the response covers only the first domains of the body. */
  readonly failure?: ServiceError;
}

/** A body whose domains can be sent in parts. */
interface SplitBody {
  readonly body: Row;
  readonly domains: readonly unknown[];
  readonly dearestOf: (answer: unknown) => number;
}

/**
 * Sends the domains of a body in several requests, because only responses show what a company costs.
 * Each request has up to twice as many domains as the one before. The most expensive company so far
 * limits how many domains the remaining credits cover.
 */
async function sendInParts(
  run: Run,
  request: RawRequest,
  { body, domains, dearestOf }: SplitBody,
): Promise<AnyResponse> {
  const answers: unknown[] = [];
  let sent = 0;
  let size = 1;
  let dearest = 1;
  try {
    while (sent < domains.length || answers.length === 0) {
      const covered = Math.floor(run.credits.available / dearest);
      if (covered < 1) throw run.credits.limitError();
      const part = domains.slice(sent, sent + Math.min(size, covered));
      const one = { ...request, body: { ...body, domains: part } };
      const answer = await sendInOneRequest(run, one, part.length * dearest);
      answers.push(answer);
      sent += part.length;
      size = 2 * part.length;
      dearest = Math.max(dearest, dearestOf(answer));
    }
    return { answer: mergeResponses(answers) };
  } catch (error) {
    const isKept = answers.length > 0 && error instanceof ServiceError;
    if (!isKept || error instanceof CancelledError) throw error;
    const message = `${error.message} (the output covers ${String(sent)} of ${String(domains.length)} domains)`;
    return { answer: mergeResponses(answers), failure: error.copyWith({ message }) };
  }
}

/** Merges responses into one: lists are joined and numbers added up. */
function mergeResponses(answers: readonly unknown[]): unknown {
  const [first, ...others] = answers;
  if (others.length === 0 || !isRow(first)) return first;
  return others.filter(isRow).reduce<Row>((whole, answer) => {
    const pairs = Object.entries(answer).map(([name, value]) => {
      const before = whole[name];
      if (Array.isArray(before) && Array.isArray(value))
        return [name, [...(before as unknown[]), ...(value as unknown[])]];
      const isCount = typeof before === 'number' && typeof value === 'number';
      return [name, isCount ? before + value : value];
    });
    return { ...whole, ...(Object.fromEntries(pairs) as Row) };
  }, first);
}

async function sendInOneRequest(run: Run, request: RawRequest, atMost: number): Promise<unknown> {
  return await run.credits.sendWithinBudget(
    atMost,
    async () =>
      await run.request({
        ...request,
        repeatable: isReadMethod(request.method),
        withoutKey: isKeyless(request.path),
        anyText: true,
        canBePending: true,
        read: ({ text, headers }) => parseJsonOrText(text, headers['content-type'] ?? ''),
      }),
    (answer) => countCredits(request, answer),
  );
}

function parseJsonOrText(text: string, contentType: string): unknown {
  if (text === '') return undefined;
  if (contentType.includes('html')) {
    throw createInvalidResponseError(HTML_RESPONSE_MESSAGE, NOT_THE_SERVICE_HINT);
  }
  return contentType.includes('json') ? parseJson(text) : parseJson(text, () => text);
}
