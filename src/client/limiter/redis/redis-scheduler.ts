import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import type * as Ioredis from 'ioredis';

import { THROTTLED_MS } from '../../settings';
import type { LimiterBroadcast, RedisAddress } from '../sharing';
import { describeOpeningFault, describeRedisFault } from './redis-faults';
import { RETENTION_MS, SCRIPTS } from './redis-scripts';

/** A worker's turn, and what it has to know about the others. */
interface Turn extends LimiterBroadcast {
  readonly waitMs: number;
  /** Number of workers, with this one. */
  readonly workers: number;
}

/** Identifies this process to the other workers. */
const WORKER_ID = randomUUID();

/** Time that an abandoned connection may take to close. */
const DISCONNECT_MS = 200;

type Client = Ioredis.Redis &
  Record<keyof typeof SCRIPTS, (...args: ReadonlyArray<string | number>) => Promise<unknown>>;

/** Schedules the turns of one key among all workers in Redis. Its connection ends with the first failure. */
export class RedisScheduler {
  /** Last turn that Redis assigned to this worker, on the clock of Redis. */
  private lastTurn = 0;

  private constructor(
    private readonly client: Client,
    /** Prefix of this limiter's keys in Redis; contains nothing secret. */
    private readonly name: string,
    private readonly timeoutMs: number,
    /** Resolves with the reason when the connection has ended. */
    readonly lost: Promise<Error>,
  ) {}

  /**
   * Connects to Redis.
   *
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

  /**
   * Reserves this worker's next turn, `gapMs` after the last one of all workers; none during a pause.
   *
   * @param reservedMs How far ahead all workers together reserve turns.
   */
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

  /** Sends a message to all workers that request a turn from now on. */
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

/** Returns why a Redis cannot be used; undefined if it can. */
export async function findRedisFault(
  address: RedisAddress,
  timeoutMs: number,
): Promise<string | undefined> {
  try {
    (await RedisScheduler.open(address, 'test', timeoutMs)).close();
    return undefined;
  } catch (error) {
    return describeRedisFault(error, address);
  }
}

/** Returns the key prefix. A cluster keeps all keys with the same part in braces on one server, as scripts require. */
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

/** Resolves with the error that ended a connection. */
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
 * Ignores further errors of a socket. ioredis listens only for the first one. A rejected certificate is
 * followed by the server's alert as a second error, which would end the process without a listener.
 */
function ignoreFurtherErrors({ stream }: { readonly stream?: Ioredis.Redis['stream'] }): void {
  stream?.on('error', () => undefined);
}

/**
 * Waits up to `ms` milliseconds for a response, and keeps the process alive while it waits.
 *
 * @throws Whatever `response` throws, or an {@link Error} if the response does not arrive in time.
 */
async function withTimeout<T>(response: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      // A response may have arrived while this process was busy; it is read before this callback runs.
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
