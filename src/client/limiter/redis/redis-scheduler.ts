import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import type * as Ioredis from 'ioredis';

import { THROTTLED_MS } from '../../settings';
import type { RedisAddress } from './redis-address';
import { describeOpeningFault, describeRedisFault } from './redis-faults';
import { RETENTION_MS, SCRIPTS } from './redis-scripts';

/** Message of one worker to the others. */
export interface LimiterBroadcast {
  /** Nothing may be sent for so long, after a 429. */
  readonly pauseMs: number;
  readonly limitPerMinute: number | undefined;
}

interface Turn extends LimiterBroadcast {
  readonly waitMs: number;
  readonly workers: number;
}

const WORKER_ID = randomUUID();

const DISCONNECT_MS = 200;

type Client = Ioredis.Redis &
  Record<keyof typeof SCRIPTS, (...args: ReadonlyArray<string | number>) => Promise<unknown>>;

export class RedisScheduler {
  private lastTurn = 0;

  private constructor(
    private readonly client: Client,
    private readonly name: string,
    private readonly timeoutMs: number,
    /** Resolves when the connection has ended. */
    readonly lost: Promise<Error>,
  ) {}

  /**
   * @param timeoutMs Maximum response time of Redis; twice as long for the first command.
   * @throws {Error} if Redis cannot be reached, rejects the password, or does not respond in time.
   */
  static async open(
    address: RedisAddress,
    name: string,
    timeoutMs: number,
  ): Promise<RedisScheduler> {
    const openMs = 2 * timeoutMs;
    const client = connect(address, openMs);
    const lost = waitForEnd(client);
    try {
      const failed = lost.then((error) => Promise.reject(error));
      await withTimeout(Promise.race([client.time(), failed]), openMs);
      return new RedisScheduler(client, toRedisKeys(name), timeoutMs, lost);
    } catch (error) {
      client.disconnect();
      throw new Error(describeOpeningFault(error, address));
    }
  }

  /** Reserves a turn `gapMs` after the last one of all workers; none during a pause. */
  async reserveNext(gapMs: number, reservedMs: number): Promise<Turn> {
    const args = [gapMs, RETENTION_MS, this.lastTurn, reservedMs, WORKER_ID];
    const response = await this.run('nextTurn', ['turns', 'workers', 'limit'], args);
    const [waitMs, pauseMs, limit, turn, workers] = response as [
      number,
      number,
      string | null,
      number,
      number,
    ];
    this.lastTurn = turn;
    const limitPerMinute = limit === null ? undefined : Number(limit);
    return { waitMs, pauseMs, limitPerMinute, workers };
  }

  async broadcast({ pauseMs, limitPerMinute }: LimiterBroadcast): Promise<void> {
    const args = [pauseMs, limitPerMinute ?? '', RETENTION_MS, THROTTLED_MS];
    await this.run('pause', ['turns', 'limit'], args);
  }

  close(): void {
    this.client.disconnect();
  }

  private async run(
    script: keyof typeof SCRIPTS,
    keys: readonly string[],
    args: ReadonlyArray<string | number>,
  ): Promise<unknown> {
    const names = keys.map((key) => `${this.name}:${key}`);
    return await withTimeout(this.client[script](...names, ...args), this.timeoutMs);
  }
}

/** Says why turns cannot be reserved in a Redis; undefined if they can. */
export async function findRedisFault(
  address: RedisAddress,
  timeoutMs: number,
): Promise<string | undefined> {
  let redis: RedisScheduler | undefined;
  try {
    redis = await RedisScheduler.open(address, 'test', timeoutMs);
    await redis.reserveNext(1, 1);
    return undefined;
  } catch (error) {
    return describeRedisFault(error, address);
  } finally {
    redis?.close();
  }
}

/** A cluster keeps keys with the same part in braces on one server, as scripts require. */
function toRedisKeys(name: string): string {
  return `company-intelligence:{${name}}`;
}

function connect(address: RedisAddress, connectTimeout: number): Client {
  const { Redis } = require('ioredis') as typeof Ioredis;
  const { host, port, username, password, db, tls } = address;
  return new Redis({
    host,
    port,
    db,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    // Set SNI, because neither Node nor ioredis does, and many hosts share an address.
    ...(tls ? { tls: isIP(host) === 0 ? { servername: host } : {} } : {}),
    connectTimeout,
    // This timer runs, and keeps the process alive, even if the connection is closed already.
    disconnectTimeout: DISCONNECT_MS,
    // The state of commands in flight is unknown after a lost connection, so there is no reconnect.
    retryStrategy: () => null,
    scripts: SCRIPTS,
  }) as Client;
}

async function waitForEnd(client: Ioredis.Redis): Promise<Error> {
  return await new Promise((resolve) => {
    // The limiter's own timers keep the process alive while requests wait.
    client.on('connect', () => client.stream.unref());
    client.on('error', (error: Error) => {
      ignoreFurtherErrors(client);
      resolve(error);
    });
    client.on('end', () => {
      resolve(new Error('the connection was closed'));
    });
  });
}

/**
 * ioredis listens only for the first error. A rejected certificate is followed by the server's alert as a
 * second one, which would end the process without a listener.
 */
function ignoreFurtherErrors({ stream }: { readonly stream?: Ioredis.Redis['stream'] }): void {
  stream?.on('error', () => undefined);
}

/** Keeps the process alive while it waits. */
async function withTimeout<T>(response: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      // A response that arrived while this process was busy is read before this callback runs.
      setImmediate(() => {
        reject(new Error(`no response within ${String(ms)} ms`));
      });
    }, ms);
  });
  try {
    return await Promise.race([response, late]);
  } finally {
    clearTimeout(timer);
  }
}
