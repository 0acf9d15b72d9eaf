import { createHash } from 'node:crypto';

import { KeyLimiter } from './limiter/key-limiter';
import type { ClientSettings, Timing } from './settings';

export interface KeyState {
  readonly limiter: KeyLimiter;
  readonly credentials: OpenedCredentials;
  /** Learned batch size limits of the service, by path (API spec: Companies, rule 2). */
  readonly batchCeilings: Map<string, number>;
}

/**
 * n8n loads each node file separately. The nodes share this module because all of them require it, so it must
 * never be bundled into a node.
 */
const states = new Map<string, { readonly state: KeyState; readonly openedAt: number }>();

/** An opened key may not have been used yet. */
const RETENTION_MS = 24 * 60 * 60_000;

export function getKeyState(settings: ClientSettings, timing: Timing): KeyState {
  const { baseUrl, apiKey } = settings;
  const id = createHash('sha256').update(`${baseUrl} ${apiKey}`).digest('hex');
  const known = states.get(id)?.state;
  if (known === undefined) forgetIdleKeys();
  const state = known ?? createKeyState(id, settings, timing);
  // At the end, so that the map starts with the keys that were opened longest ago.
  states.delete(id);
  states.set(id, { state, openedAt: performance.now() });
  state.credentials.open(settings);
  return state;
}

function createKeyState(id: string, { requestsPerMinute }: ClientSettings, timing: Timing) {
  const limiter = new KeyLimiter(requestsPerMinute, timing);
  return {
    limiter,
    credentials: new OpenedCredentials(limiter, id),
    batchCeilings: new Map<string, number>(),
  };
}

function forgetIdleKeys(): void {
  const now = performance.now();
  for (const [id, { state, openedAt }] of states) {
    if (openedAt + RETENTION_MS > now) return;
    if (!state.limiter.isIdle) continue;
    state.limiter.close();
    states.delete(id);
  }
}

/** Time for which a credential counts after it was opened, because its runs can go on that long. */
const IN_USE_MS = 60 * 60_000;

/** The credentials of a key that were opened in the last hour: the lowest of their limits holds. */
class OpenedCredentials {
  private readonly times = new Map<number, number>();
  private redisUntil = -Infinity;

  constructor(
    private readonly limiter: KeyLimiter,
    private readonly id: string,
  ) {}

  open({ requestsPerMinute, redis }: ClientSettings): void {
    const now = performance.now();
    // A credential without Redis must not end the sharing of runs with another credential of the key.
    if (redis !== undefined || this.redisUntil <= now) this.limiter.shareOverRedis(redis, this.id);
    if (redis !== undefined) this.redisUntil = now + IN_USE_MS;
    this.times.set(requestsPerMinute, now);
    for (const [limit, time] of this.times) if (time + IN_USE_MS <= now) this.times.delete(limit);
    this.limiter.setLimit(Math.min(...this.times.keys()));
  }
}
