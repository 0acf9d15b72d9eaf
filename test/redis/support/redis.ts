import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';

import type { RedisAddress } from '../../../src/client/limiter/redis/redis-address';

/** The key and the certificate of localhost, which no machine trusts by default. */
export const CERTIFICATE = join(__dirname, '../../src/client/support/localhost.pem');

const started = new Set<TestRedis>();

export class TestRedis {
  port = 0;
  private readonly folder = mkdtempSync(join(tmpdir(), 'company-intelligence-redis-'));
  private running: { kill(): Promise<number> } | undefined;
  private clients: Redis[] = [];

  private constructor(private readonly args: string[]) {
    started.add(this);
  }

  /** @param args command-line settings of redis-server */
  static async start(args: string[] = []): Promise<TestRedis> {
    const redis = new TestRedis(args);
    await redis.startAgain();
    return redis;
  }

  static async startWithTls(password: string) {
    const { freePort } = await import('../../../scripts/lib/ports.mjs');
    const tlsPort = await freePort();
    const redis = await TestRedis.start([
      ...['--tls-port', String(tlsPort), '--tls-auth-clients', 'no', '--requirepass', password],
      ...['--tls-cert-file', CERTIFICATE, '--tls-key-file', CERTIFICATE],
    ]);
    return { redis, tlsPort };
  }

  static readonly stopAll = async (): Promise<void> => {
    await Promise.all([...started].map(async (redis) => await redis.stop()));
  };

  address(): RedisAddress {
    const user = { username: undefined, password: undefined };
    return { host: '127.0.0.1', port: this.port, ...user, db: 0, tls: false };
  }

  async startAgain(): Promise<void> {
    const { startRedis } = await import('../../../scripts/lib/redis.mjs');
    const { port, kill } = await startRedis({
      logPath: join(this.folder, 'redis.log'),
      args: this.args,
      ...(this.port === 0 ? {} : { port: this.port }),
    });
    this.port = port;
    this.running = { kill };
  }

  async kill(): Promise<void> {
    for (const client of this.clients) client.disconnect();
    this.clients = [];
    await this.running?.kill();
    this.running = undefined;
  }

  admin(password = ''): Redis {
    const admin = new Redis({ port: this.port, password, retryStrategy: () => null });
    this.clients.push(admin);
    return admin;
  }

  private async stop(): Promise<void> {
    started.delete(this);
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export async function countConnections(admin: Redis): Promise<number> {
  return String(await admin.client('LIST')).match(/^id=\d+/gm)?.length ?? 0;
}
