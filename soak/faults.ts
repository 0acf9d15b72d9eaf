/** Random faults of the service during the soak. The same seed causes the same faults. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultPreset, FaultRequest, FaultRule } from '../sandbox';
import type { Random } from '../sandbox/data/random';

/** Relative probability of each fault. */
const WEIGHTS: Readonly<Partial<Record<FaultPreset, number>>> = {
  resetBefore: 3,
  resetAfter: 3,
  neverAnswer: 1,
  bytePerSecond: 1,
  html500: 3,
  html502: 3,
  unavailable: 2,
  unavailableRetryAfter: 2,
  rateLimit: 4,
  rateLimitBodyOnly: 1,
  rateLimitHttpDate: 1,
  creditExhausted: 1,
  unauthorized: 1,
  forbidden: 1,
  notFound: 2,
  batchTooLarge: 1,
  conflict: 1,
  cutConnection: 2,
  truncatedJson: 2,
  html200: 1,
  null200: 1,
  empty200: 1,
  wrongTypes: 1,
  extraFields: 2,
  hugeBody: 0.2,
  gzipBomb: 0.2,
  redirect: 1,
  errorShape: 1,
  errorHtml: 1,
  errorEmpty: 1,
};

/** More bytes than the client reads of one response. */
const HUGE_BYTES = 70 * 1024 * 1024;

/**
 * Any request, or those of one endpoint. Otherwise, faults would hardly ever hit the rare
 * endpoints.
 */
const PATHS = [
  undefined,
  undefined,
  '/v1/companies',
  '/v1/companies/*/flags',
  '/v1/companies/refresh',
  '/v1/enrich/*',
  '/v1/jobs/*',
  '/v1/lists',
  '/v1/technologies/*',
];

/** Number of times that the same fault repeats in a storm. */
const STORM = 20;
const STORM_CHANCE = 0.03;

function chooseFault(random: Random): FaultRequest {
  const presets = Object.entries(WEIGHTS) as Array<[FaultPreset, number]>;
  const total = presets.reduce((sum, [, weight]) => sum + weight, 0);
  let left = random.next() * total;
  const [preset] = presets.find(([, weight]) => (left -= weight) < 0) ?? presets[0]!;
  const path = random.pick(PATHS);
  const storm = random.chance(STORM_CHANCE) && preset !== 'neverAnswer';
  const bytes = preset === 'hugeBody' || preset === 'gzipBomb';
  return {
    preset,
    ...(bytes ? { options: { bytes: HUGE_BYTES } } : {}),
    // The soak's own requests use another key, so that faults do not hit them.
    match: { key: 'user', ...(path === undefined ? {} : { path }) },
    when: { next: storm && !bytes ? STORM : random.int(1, 2) },
  };
}

/** Maximum time that a fault waits for a matching request. */
const LASTS_MS = 15_000;

/** Adds faults until the signal aborts, and counts the requests that each kind has hit. */
export class Faults {
  readonly hits = new Map<string, number>();
  private readonly waiting: Array<{ readonly id: number; readonly until: number }> = [];

  constructor(
    private readonly sandboxUrl: string,
    private readonly random: Random,
  ) {}

  async keepHappening(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const { id } = (await this.control('POST', 'faults', chooseFault(this.random))) as FaultRule;
      this.waiting.push({ id, until: Date.now() + LASTS_MS });
      await this.remove(Date.now());
      await sleep(this.random.int(300, 2_500), undefined, { signal }).catch(() => undefined);
    }
    await this.remove(Infinity);
  }

  /** Removes expired faults. Otherwise, they would queue up for rare requests. */
  private async remove(now: number): Promise<void> {
    const over = new Set(this.waiting.filter(({ until }) => until <= now).map(({ id }) => id));
    if (over.size === 0) return;
    for (const { id, name, hit } of (await this.control('GET', 'faults')) as FaultRule[]) {
      if (!over.has(id)) continue;
      this.hits.set(name, (this.hits.get(name) ?? 0) + hit);
      await this.control('DELETE', `faults/${String(id)}`);
    }
    this.waiting.splice(0, over.size);
  }

  private async control(method: string, path: string, body?: unknown): Promise<unknown> {
    const answer = await fetch(`${this.sandboxUrl}/__control/${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`The service refused ${method} ${path}`);
    return await answer.json();
  }
}
