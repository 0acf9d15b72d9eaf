import {
  CancelledError,
  invalidResponse,
  ServiceError,
  SOMETHING_ELSE_ANSWERED,
} from '../client/errors';
import { bounded } from '../client/answer';
import { percentDecoded } from '../client/values';
import type { Run } from '../run/run';
import { isRow, type Row } from '../run/answers/rows';
import { creditsAtMost, creditsOfAnswer, dearestFor, type Asked } from './prices';
import { InputError, sendableOf } from '../input/inputs';
import { quote } from '../input/quote';

/** Methods of the API Request node. */
export type AnyMethod = Asked['method'];

/** Whether a method only reads. */
export function isRead(method: AnyMethod): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** A request to an endpoint that the interface mentions but does not show; its path by {@link pathBelowV1}. */
export type AnyRequest = Asked;

/**
 * Brings a path as people write it (`lists/7/history`, `/v1/lists/7/history`) under `/v1/` and makes
 * sure that it stays there: no other host, no way up, no query.
 *
 * @throws {InputError} when it would leave the interface.
 */
export function pathBelowV1(text: string): string {
  const rest = sendableOf(text.trim(), 'Path').replace(/^\//, '').replace(/^v1\//, '');
  const segments = rest.split('/');
  const odd = segments.find((segment) => !isPlainSegment(segment));
  if (rest === '' || odd !== undefined) {
    throw new InputError(
      rest === ''
        ? 'The path is empty'
        : `The path cannot be used because of ${odd === '' ? 'an empty part' : quote(odd)}`,
      'Give the path below /v1/ alone, like lists/123/history; put parameters under Query.',
    );
  }
  return `/v1/${segments.map((segment) => encodeURIComponent(decodeURIComponent(segment))).join('/')}`;
}

function isPlainSegment(segment: string): boolean {
  const decoded = percentDecoded(segment);
  if (decoded === undefined) return false;
  // eslint-disable-next-line no-control-regex -- control characters are what must not get through
  return !/[/\\?#\u0000-\u001f]/.test(decoded) && !['', '.', '..'].includes(decoded.trim());
}

/** Whether a path is one of those that need no key (interface: Authentication, rule 4). */
export function isOpen(path: string): boolean {
  return path.startsWith('/v1/open/');
}

/**
 * Sends any request. Reads may be sent again after a failure, everything else only when it surely
 * was not processed. `/v1/open/*` goes without the key; see {@link isOpen}. What it costs is counted
 * by {@link creditsAtMost} and {@link creditsOfAnswer}; with Max Credits, the members of a list are
 * counted before they are exported.
 *
 * @throws {NotAttemptedError} when it may cost more than the run may spend.
 */
export async function sendAnyRequest(run: Run, request: AnyRequest): Promise<AnyAnswer> {
  const { body } = request;
  const dearestOf = run.credits.limit === undefined ? undefined : dearestFor(request);
  if (dearestOf === undefined || !isRow(body) || !Array.isArray(body.domains)) {
    const atMost = await creditsAtMost(request, run);
    return { answer: await sendOnce(run, request, atMost) };
  }
  return await sendInParts(run, request, { body, domains: body.domains, dearestOf });
}

/** What a request was answered with. */
export interface AnyAnswer {
  /** Parsed JSON, or the text if it is not JSON; undefined if there is no body. */
  readonly answer: unknown;
  /** Why the answer covers only the first domains of the body. */
  readonly failure?: ServiceError;
}

/** A body of which the domains can be sent in parts. */
interface Parts {
  readonly body: Row;
  readonly domains: readonly unknown[];
  readonly dearestOf: (answer: unknown) => number;
}

/**
 * Sends the domains of a body in several requests, because only answers show what a company costs.
 * Each is at most twice as long as the one before, and is sized by the dearest company so far.
 */
async function sendInParts(
  run: Run,
  request: AnyRequest,
  { body, domains, dearestOf }: Parts,
): Promise<AnyAnswer> {
  const answers: unknown[] = [];
  let sent = 0;
  let size = 1;
  let dearest = 1;
  try {
    while (sent < domains.length || answers.length === 0) {
      const covered = Math.floor(run.credits.available / dearest);
      if (covered < 1) throw run.credits.reached();
      const part = domains.slice(sent, sent + Math.min(size, covered));
      const one = { ...request, body: { ...body, domains: part } };
      const answer = await sendOnce(run, one, part.length * dearest);
      answers.push(answer);
      sent += part.length;
      size = 2 * part.length;
      dearest = Math.max(dearest, dearestOf(answer));
    }
    return { answer: merged(answers) };
  } catch (error) {
    const isKept = answers.length > 0 && error instanceof ServiceError;
    if (!isKept || error instanceof CancelledError) throw error;
    const message = `${error.message} (${String(sent)} of ${String(domains.length)} domains were answered)`;
    return { answer: merged(answers), failure: error.retold({ message }) };
  }
}

/** One answer with the lists of all, and the sums of their numbers. */
function merged(answers: readonly unknown[]): unknown {
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

async function sendOnce(run: Run, request: AnyRequest, atMost: number): Promise<unknown> {
  return await run.credits.spend(
    atMost,
    async () =>
      await run.request({
        ...request,
        repeatable: isRead(request.method),
        withoutKey: isOpen(request.path),
        anyText: true,
        mayBePending: true,
        read: ({ text, headers }) => jsonOrText(text, headers['content-type'] ?? ''),
      }),
    (answer) => creditsOfAnswer(request, answer),
  );
}

function jsonOrText(text: string, contentType: string): unknown {
  if (text === '') return undefined;
  if (contentType.includes('html')) {
    throw invalidResponse('The answer is an HTML page', SOMETHING_ELSE_ANSWERED);
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    if (!contentType.includes('json')) return text;
    throw invalidResponse(
      'The answer is not complete JSON',
      'Run again; if that does not help, something between n8n and the service cuts answers off.',
    );
  }
  return bounded(json);
}
