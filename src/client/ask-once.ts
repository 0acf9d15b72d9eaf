import type { Call } from './call';
import { exchange } from './exchange/transport';
import { requestOf } from './http-request';
import { judgeAnswer } from './judge';
import type { ClientSettings } from './settings';

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
