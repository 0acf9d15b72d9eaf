import { isIP } from 'node:net';

import Bottleneck from 'bottleneck';
import type { Redis } from 'ioredis';

import { answered } from './answered';
import type { RedisAddress } from './redis-address';
import { troubleOpening, troubleWith } from './trouble';

type Reply = (error: Error | null, replies?: unknown) => void;

/** The parts of Bottleneck's connection that its types leave out. */
interface Internals {
  readonly subscriber: Redis;
  __scriptArgs__: (name: string, id: string, args: unknown[], reply: Reply) => unknown[];
}

/** So long a connection that was given up may take to close by itself. */
const DISCONNECT_MS = 200;

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
      // Neither Node nor ioredis tells a server which host is meant, and many share an address.
      ...(tls ? { tls: isIP(host) === 0 ? { servername: host } : {} } : {}),
      connectTimeout: openMs,
      // Its timer runs, and holds the process open, even where the connection is gone already.
      disconnectTimeout: DISCONNECT_MS,
      // What was under way when a connection broke is unknown, so nothing goes on with a new one.
      retryStrategy: () => null,
    });
    const connection = new Bottleneck.IORedisConnection({ client, Redis });
    const internals = connection as unknown as Internals;
    const ended = endOf([client, internals.subscriber]);
    const broken = ended.then((error) => {
      throw error;
    });
    const lost = ended.then((error) => troubleWith(error, address));
    try {
      const now = await answered(Promise.race([clockOf(client), broken]), openMs);
      adapt(internals, now);
      return new RedisLink(client, connection, now, lost);
    } catch (error) {
      void connection.disconnect(false);
      throw new Error(troubleOpening(error, address));
    }
  }

  close(): void {
    void this.connection.disconnect(false);
  }
}

/** The error with which the first of several connections ended. */
async function endOf(clients: readonly Redis[]): Promise<Error> {
  return await new Promise((resolve) => {
    for (const client of clients) {
      // The limiter's own timers hold the process open while somebody waits.
      client.on('connect', () => client.stream.unref());
      client.on('error', (error: Error) => {
        outliveMoreErrors(client);
        resolve(error);
      });
      client.on('end', () => {
        resolve(new Error('the connection was closed'));
      });
    }
  });
}

/**
 * ioredis listens for a socket's first error only. A certificate that is refused is followed by the
 * server's alert, as a second error; unheard it would end the process.
 */
function outliveMoreErrors({ stream }: { readonly stream?: Redis['stream'] }): void {
  stream?.on('error', () => undefined);
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
