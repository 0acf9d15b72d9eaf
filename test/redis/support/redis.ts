import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';

import type { RedisAddress } from '../../../src/client/limiter/redis/redis-address';
import type { TestAuthority } from './certificates';

export class TestRedis {
  private running: { kill(): Promise<number> } | undefined;
  private clients: Redis[] = [];

  private constructor(
    private readonly folder: string,
    private readonly args: string[],
    public port: number | undefined,
  ) {}

  /** @param args command-line settings of redis-server */
  static async start(args: string[] = []): Promise<TestRedis> {
    const folder = mkdtempSync(join(tmpdir(), 'company-intelligence-redis-'));
    const redis = new TestRedis(folder, args, undefined);
    await redis.startAgain();
    return redis;
  }

  static async startWithTls(authority: TestAuthority, password: string, names = 'IP:127.0.0.1') {
    const { freePort } = await import('../../../scripts/lib/ports.mjs');
    const { certificate, key } = authority.sign(names);
    const tlsPort = await freePort();
    const redis = await TestRedis.start([
      ...['--tls-port', String(tlsPort), '--tls-auth-clients', 'no', '--requirepass', password],
      ...['--tls-cert-file', certificate, '--tls-key-file', key],
    ]);
    return { redis, tlsPort };
  }

  address(change: Partial<RedisAddress> = {}): RedisAddress {
    return {
      host: '127.0.0.1',
      port: this.port ?? 0,
      username: undefined,
      password: undefined,
      db: 0,
      tls: false,
      ...change,
    };
  }

  async startAgain(): Promise<void> {
    const { startRedis } = await import('../../../scripts/lib/redis.mjs');
    const { port, kill } = await startRedis({
      logPath: join(this.folder, 'redis.log'),
      args: this.args,
      ...(this.port === undefined ? {} : { port: this.port }),
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

  admin(password?: string): Redis {
    const admin = new Redis({
      host: '127.0.0.1',
      port: this.port ?? 0,
      retryStrategy: () => null,
      ...(password === undefined ? {} : { password }),
    });
    this.clients.push(admin);
    return admin;
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
