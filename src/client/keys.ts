import { createHash } from 'node:crypto';

import { KeyLimiter } from './limiter/key-limiter';
import { Reads } from './reads';
import type { ClientSettings, Timing } from './settings';

/** What is known about one API key of one service, shared by everything in this process. */
export interface KeyState {
  /** Stands for the service and the key, and shows neither. */
  readonly id: string;
  readonly limiter: KeyLimiter;
  /** Batch sizes the service refused to exceed, by path (interface: Companies, rule 2). */
  readonly batchCeilings: Map<string, number>;
  readonly reads: Reads;
}

/**
 * The only owner of shared state. n8n loads each node file by itself; they share this module
 * because all of them require it, so it must never be bundled into a node.
 */
const states = new Map<string, { readonly state: KeyState; readonly openedAt: number }>();

/** A key that was opened may not have been used yet, so it is kept for a day in any case. */
const KEPT_MS = 24 * 60 * 60_000;

/** Finds, or makes, the state of the settings' (base URL, API key). The latest pace applies. */
export async function stateOfKey(settings: ClientSettings, timing: Timing): Promise<KeyState> {
  const { baseUrl, apiKey, redis } = settings;
  const id = createHash('sha256').update(`${baseUrl} ${apiKey}`).digest('hex');
  const known = states.get(id);
  if (known !== undefined) {
    noteOpened(known.state);
    known.state.limiter.shareThrough(redis, id);
    await known.state.limiter.setPace(settings);
    return known.state;
  }
  forgetIdleKeys();
  const state = {
    id,
    limiter: new KeyLimiter(settings, timing),
    batchCeilings: new Map(),
    reads: new Reads(id, Date.now()),
  };
  state.limiter.shareThrough(redis, id);
  noteOpened(state);
  return state;
}

/** Puts a key at the end, so that the map begins with those that nobody opened for longest. */
function noteOpened(state: KeyState): void {
  states.delete(state.id);
  states.set(state.id, { state, openedAt: performance.now() });
}

function forgetIdleKeys(): void {
  const now = performance.now();
  for (const [id, { state, openedAt }] of states) {
    if (openedAt + KEPT_MS > now) return;
    if (!state.limiter.forgettable) continue;
    state.limiter.close();
    states.delete(id);
  }
}
