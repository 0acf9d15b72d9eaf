import { KeyLimiter } from '../../../src/client/limiter/key-limiter';
import type { RedisAddress } from '../../../src/client/limiter/redis/redis-address';
import type { Timing } from '../../../src/client/settings';
import { LimitedService, times } from '../../src/client/support/limited-service';
import { QUICK } from '../../src/client/support/timing';

/** Long timeouts, because Redis can be slow on a busy machine. */
const TIMING: Timing = {
  ...QUICK,
  windowMs: 10_000,
  redisTimeoutMs: 5_000,
  redisRetryMs: 300,
};

const open = new Set<KeyLimiter>();

/** A limiter as a separate worker would have it. Workers in one test share only Redis. */
export class Worker {
  readonly limiter: KeyLimiter;
  readonly service: LimitedService;
  readonly warnings: string[] = [];

  constructor(
    address: RedisAddress,
    requestsPerMinute = 1_000,
    timing: Partial<Timing> = {},
    name = 'key',
  ) {
    this.limiter = new KeyLimiter(requestsPerMinute, { ...TIMING, ...timing });
    this.limiter.shareOverRedis(address, name);
    this.service = new LimitedService(this.limiter);
    open.add(this.limiter);
  }

  async send(name = 'request'): Promise<void> {
    await this.service.send(name, { warn: (message) => this.warnings.push(message) });
  }

  async sendAll(count: number): Promise<void> {
    await Promise.all(times(count, async (index) => await this.send(`${index}`)));
  }

  static closeAll(): void {
    for (const limiter of open) limiter.close();
    open.clear();
  }
}
