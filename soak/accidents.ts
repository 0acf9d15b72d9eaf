/**
 * Random accidents of n8n's workers and of Redis during the soak. The same seed causes the same
 * accidents.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { Random } from '../sandbox/data/random';
import type { N8nProcess, RealHost } from '../test/host/harness';

/** A Redis that the soak can kill and restart at the same address. */
interface LimiterRedis {
  readonly port: number;
  kill(): Promise<unknown>;
  restart(): Promise<void>;
}

export interface Accident {
  readonly at: number;
  readonly what: 'worker killed' | 'Redis emptied' | 'Redis killed';
}

/** Minimum and maximum seconds between two accidents of the same kind. */
const BETWEEN: Readonly<Record<Accident['what'], readonly [number, number]>> = {
  'worker killed': [60, 150],
  'Redis emptied': [20, 90],
  'Redis killed': [150, 300],
};

/** Minimum and maximum seconds until a killed process is restarted. */
const DEAD: readonly [number, number] = [2, 8];

export class Accidents {
  readonly happened: Accident[] = [];

  constructor(
    private readonly host: RealHost,
    private readonly redis: LimiterRedis,
    private readonly random: Random,
    /** The only worker that accidents kill. The other workers live from start to end. */
    private mortal: N8nProcess,
    /** Factor for the time between accidents, so that shorter soaks have more frequent accidents. */
    private readonly share: number,
  ) {}

  /** Returns the worker that replaced the last killed one. */
  get worker(): N8nProcess {
    return this.mortal;
  }

  /** Causes accidents until the signal aborts. At the end, all killed processes run again. */
  async keepHappening(signal: AbortSignal): Promise<void> {
    await Promise.all([
      this.each('worker killed', signal, async () => {
        await this.mortal.kill();
        await this.pause(DEAD);
        this.mortal = await this.host.replaceWorker(this.mortal);
      }),
      this.each('Redis emptied', signal, async () => {
        await emptied(this.redis.port);
      }),
      this.each('Redis killed', signal, async () => {
        await this.redis.kill();
        await this.pause(DEAD);
        await this.redis.restart();
      }),
    ]);
  }

  private async each(
    what: Accident['what'],
    signal: AbortSignal,
    happen: () => Promise<void>,
  ): Promise<void> {
    for (;;) {
      const [min, max] = BETWEEN[what];
      await this.pause([min * this.share, max * this.share], signal);
      if (signal.aborted) return;
      this.happened.push({ at: Date.now(), what });
      await happen();
    }
  }

  private async pause([min, max]: readonly [number, number], signal?: AbortSignal): Promise<void> {
    const ms = (min + this.random.next() * (max - min)) * 1_000;
    await sleep(ms, undefined, { signal }).catch(() => undefined);
  }
}

/** Deletes all data of a Redis. Ignores a Redis that is dead at the moment. */
async function emptied(port: number): Promise<void> {
  const admin = new Redis({ host: '127.0.0.1', port, retryStrategy: () => null });
  admin.on('error', () => undefined);
  await admin.flushall().catch(() => undefined);
  admin.disconnect();
}
