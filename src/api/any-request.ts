import { invalidResponse, SOMETHING_ELSE_ANSWERED } from '../client/errors';
import { answerNotTooDeep } from '../client/answer';
import { percentDecoded } from '../client/values';
import type { Run } from '../run/run';
import { creditsAtMost, creditsOfAnswer, type Asked } from './prices';
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
 * @returns parsed JSON, or the text where it is none; undefined when there is no body.
 * @throws {NotAttemptedError} when it may cost more than the run may spend.
 */
export async function sendAnyRequest(run: Run, request: AnyRequest): Promise<unknown> {
  return await run.credits.spend(
    await creditsAtMost(request, run),
    async () =>
      await run.request({
        ...request,
        repeatable: isRead(request.method),
        withoutKey: isOpen(request.path),
        anyText: true,
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
  return answerNotTooDeep(json);
}
