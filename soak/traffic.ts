/** Starts executions, as many at the same time as n8n can run. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../sandbox/data/random';
import type { RealHost } from '../test/host/harness';
import { OVER } from '../test/host/production-workflow';
import type { Started } from './balance';
import type { Executions } from './executions';
import { start } from './workflows';
import { WORKLOADS, type Supply, type Workload } from './workloads';

/**
 * Maximum number of executions at the same time. Each counts for up to `COUNTS_FOR_MS`, because
 * executions of a dead worker and waiting ones stay open for long.
 */
const AT_ONCE = 9;
const COUNTS_FOR_MS = 20_000;
/** Maximum time that a measurement waits for executions to end. */
const PAUSE_MS = 20_000;

export class Traffic {
  readonly started: Started[] = [];
  private readonly startedAt = new Map<string, number>();
  private paused = false;

  constructor(
    private readonly host: RealHost,
    private readonly executions: Executions,
    private readonly supply: Omit<Supply, 'random' | 'run'>,
    private readonly random: Random,
  ) {}

  /**
   * Stops starting executions. Waits until n8n is idle, but no longer than `PAUSE_MS`, because
   * executions can hang.
   */
  async pause(): Promise<void> {
    this.paused = true;
    const deadline = Date.now() + PAUSE_MS;
    while (this.underWay(PAUSE_MS) > 0 && Date.now() < deadline) await sleep(500);
  }

  resume(): void {
    this.paused = false;
  }

  /** Starts one execution if there is room. */
  async next(): Promise<void> {
    if (this.paused || this.underWay(COUNTS_FOR_MS) >= AT_ONCE) {
      await sleep(100);
      return;
    }
    const run = String(this.started.length + 1);
    const workload = this.choose();
    const rows = workload.rows({ ...this.supply, random: this.random, run });
    this.startedAt.set(run, Date.now());
    const accepted = await start(this.host, workload, run, rows);
    this.started.push({ run, workload, rows, accepted });
    await sleep(this.random.int(0, 300));
  }

  summary(): string {
    const rows = this.started.reduce((sum, one) => sum + one.rows.length, 0);
    return `${String(this.started.length)} executions with ${String(rows)} rows started`;
  }

  private underWay(countsForMs: number): number {
    const now = Date.now();
    for (const { run, status } of this.executions.all.values()) {
      if (run !== undefined && OVER.includes(status)) this.startedAt.delete(run);
    }
    return [...this.startedAt.values()].filter((at) => now - at < countsForMs).length;
  }

  private choose(): Workload {
    const total = WORKLOADS.reduce((sum, { weight }) => sum + weight, 0);
    let left = this.random.next() * total;
    return WORKLOADS.find(({ weight }) => (left -= weight) < 0) ?? WORKLOADS[0]!;
  }
}

/** Starts executions until the signal aborts. */
export async function keepStarting(traffic: Traffic, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) await traffic.next();
}
