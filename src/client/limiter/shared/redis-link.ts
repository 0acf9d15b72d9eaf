import Bottleneck from 'bottleneck';
import type { Redis } from 'ioredis';

import { answered } from './answered';
import { reasonOf } from './reason';
import type { RedisAddress } from './redis-address';

type Reply = (error: Error | null, replies?: unknown) => void;

/** The parts of Bottleneck's connection that its types leave out. */
interface Internals {
  readonly subscriber: Redis;
  __scriptArgs__: (name: string, id: string, args: unknown[], reply: Reply) => unknown[];
}

/** A connection to Redis that ends with the first trouble instead of mending itself. */
export class RedisLink {
  private constructor(
    readonly client: Redis,
    /** For Bottleneck; it has a second connection, for what is published. */
    readonly connection: Bottleneck.IORedisConnection,
    /** Redis' clock, in Unix milliseconds. */
    readonly now: () => number,
    /** Says why, when the connection ended. */
    readonly lost: Promise<string>,
  ) {}

  /** @throws when Redis cannot be reached, refuses the password, or does not answer in time. */
  static async open(address: RedisAddress, openMs: number): Promise<RedisLink> {
    // Only who shares a limit loads it.
    const { Redis } = await import('ioredis');
    const { host, port, username, password, db, tls } = address;
    const client = new Redis({
      host,
      port,
      db,
      ...(username === undefined ? {} : { username }),
      ...(password === undefined ? {} : { password }),
      ...(tls ? { tls: {} } : {}),
      connectTimeout: openMs,
      // What was under way when a connection broke is unknown, so nothing goes on with a new one.
      retryStrategy: () => null,
    });
    const connection = new Bottleneck.IORedisConnection({ client, Redis });
    const internals = connection as unknown as Internals;
    const lost = endOf([client, internals.subscriber]);
    const broken = lost.then((reason) => {
      throw new Error(reason);
    });
    try {
      const now = await answered(Promise.race([clockOf(client), broken]), openMs);
      adapt(internals, now);
      return new RedisLink(client, connection, now, lost);
    } catch (error) {
      void connection.disconnect(false);
      throw error;
    }
  }

  close(): void {
    void this.connection.disconnect(false);
  }
}

async function endOf(clients: readonly Redis[]): Promise<string> {
  return await new Promise((resolve) => {
    const end = (error?: unknown): void => {
      resolve(error === undefined ? 'the connection was closed' : reasonOf(error));
    };
    for (const client of clients) {
      // The limiter's own timers hold the process open while somebody waits.
      client.on('connect', () => client.stream.unref());
      client.on('error', end);
      client.on('end', end);
    }
  });
}

/** @returns Redis' clock. It goes on evenly when this machine's clock is set. */
async function clockOf(client: Redis): Promise<() => number> {
  const before = performance.now();
  const [seconds, microseconds] = await client.time();
  const there = Number(seconds) * 1_000 + Number(microseconds) / 1_000;
  const aheadMs = there - (before + performance.now()) / 2;
  return () => Math.round(performance.now() + aheadMs);
}

/** Mends what Bottleneck's scripts take for granted about Redis and about clocks. */
function adapt(connection: Internals, now: () => number): void {
  const scriptArgs = connection.__scriptArgs__.bind(connection);
  connection.__scriptArgs__ = (name, id, [, ...args], reply) =>
    // The scripts go by the caller's clock, and those of several machines never agree.
    scriptArgs(name, id, [now(), ...args], (error, replies) => {
      // Bottleneck compares these texts as a whole, and Redis 7 puts this word before them. Without
      // this, every job fails once Redis has forgotten its data.
      if (error !== null) error.message = error.message.replace(/^ERR /, '');
      reply(error, replies);
    });
}
