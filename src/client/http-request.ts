import type { Call, Sending } from './call';
import type { HttpRequest } from './exchange/outcome';
import { exchange } from './exchange/transport';
import { judgeAnswer } from './judge';
import type { ClientSettings } from './settings';

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
  const url = new URL(`${baseUrl}${path}`);
  for (const [name, value] of Object.entries(query)) {
    const values = Array.isArray(value) ? value : [value];
    for (const one of values) {
      if (one !== undefined) url.searchParams.append(name, String(one));
    }
  }
  return url.toString();
}

/**
 * Sends a call a single time and at once, for somebody who waits for it: past the limiter, where runs
 * may be waiting, and never again.
 *
 * @throws {ServiceError} of the kind that says what happened; its texts never hold the key.
 */
export async function askOnce<T>(
  settings: Pick<ClientSettings, 'baseUrl' | 'apiKey'>,
  call: Omit<Call<T>, 'body'>,
  timeoutMs: number,
): Promise<T> {
  const outcome = await exchange({
    ...requestOf(settings, call),
    body: undefined,
    timeoutMs,
    // One that was kept may have gone stale, and nothing is sent again.
    freshConnection: true,
    signal: undefined,
  });
  const judged = judgeAnswer(call, outcome, settings.apiKey);
  if (judged.kind === 'failure') throw judged.error;
  return judged.value;
}
