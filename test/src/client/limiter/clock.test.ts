/** The clock of the machine is set while requests are sent; durations are real. */
import { KeyLimiter } from '../../../../src/client/limiter/key-limiter';
import { LimitedService } from '../support/limited-service';
import { mostInAnyWindow, QUICK, until } from '../support/timing';

const DAY = 24 * 60 * 60_000;

afterEach(() => {
  jest.restoreAllMocks();
});

/** Sets the clock: it goes on from there. */
function setClock(byMs: number): void {
  const real = Date.now.bind(Date);
  jest.spyOn(Date, 'now').mockImplementation(() => real() + byMs);
}

/** Requests that arrive by a clock that nobody sets. */
function limited(requestsPerMinute: number, windowMs: number, requestsPerDay = 100_000) {
  const limiter = new KeyLimiter({ requestsPerMinute, requestsPerDay }, { ...QUICK, windowMs });
  const arrivals: number[] = [];
  const send = async (count: number): Promise<void> => {
    await Promise.all(
      Array.from(
        { length: count },
        async () =>
          await limiter.run(
            () => {
              arrivals.push(performance.now());
              return Promise.resolve();
            },
            { run: 'one', again: false },
          ),
      ),
    );
  };
  return { limiter, arrivals, send };
}

describe.each([-DAY, -90_000, DAY, 365 * DAY])('the clock is set by %d ms', (byMs) => {
  it('five rows, then five more: they go on at once', async () => {
    const { arrivals, send } = limited(600, 60_000);
    await send(5);
    setClock(byMs);
    await send(5);
    expect(arrivals).toHaveLength(10);
  });

  it('a key that is sent evenly after a 429 goes on, and evenly', async () => {
    const { limiter, arrivals, send } = limited(20, 400);
    await limiter.throttle(10, undefined);
    const start = performance.now();
    await send(5);
    setClock(byMs);
    await send(5);
    expect(arrivals).toHaveLength(10);
    // 20 in 400 ms: nine gaps of 20 ms, however late single ones are on a busy machine.
    expect(arrivals.at(-1)! - start).toBeGreaterThanOrEqual(9 * 20);
  });

  it('permits that are out come back when their window is over, no sooner and no later', async () => {
    const windowMs = 300;
    const { arrivals, send } = limited(5, windowMs);
    await send(5);
    setClock(byMs);
    await send(12);
    expect(arrivals).toHaveLength(17);
    expect(mostInAnyWindow(arrivals, windowMs - 1)).toBeLessThanOrEqual(5);
  });

  it('a pause lasts as long as it was asked for', async () => {
    const { limiter, arrivals, send } = limited(600, 60_000);
    const start = performance.now();
    await limiter.throttle(150, undefined);
    setClock(byMs);
    await send(1);
    expect(arrivals[0]! - start).toBeGreaterThanOrEqual(149);
  });

  it('the requests of the day still count, and no day is lost', async () => {
    const { send } = limited(600, 60_000, 3);
    await send(2);
    setClock(byMs);
    await send(1);
    await expect(send(1)).rejects.toMatchObject({ code: 'daily_limit_reached' });
  });

  it('an error names the moment by the clock as it is now', async () => {
    const { send } = limited(600, 60_000, 1);
    await send(1);
    setClock(byMs);
    const failure: unknown = await send(1).catch((error: unknown) => error);
    const { details } = failure as { details: { resets_at: string } };
    const hours = (Date.parse(details.resets_at) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThan(24.1);
  });
});

describe('a request of which nothing was sent', () => {
  const turn = { run: 'one', again: false };
  const unsent = async (limiter: KeyLimiter) =>
    await limiter.run(
      () => Promise.resolve('unsent'),
      turn,
      (result) => result !== 'unsent',
    );

  it('takes no permit: twenty of them wait for none', async () => {
    const limiter = new KeyLimiter(
      { requestsPerMinute: 2, requestsPerDay: 100 },
      { ...QUICK, windowMs: 60_000 },
    );
    for (let count = 0; count < 20; count += 1) await unsent(limiter);
    const service = new LimitedService(limiter);
    await service.send('one');
    await service.send('two');
    expect(service.names).toEqual(['one', 'two']);
  });

  it('does not count for the day', async () => {
    const limiter = new KeyLimiter({ requestsPerMinute: 600, requestsPerDay: 1 }, QUICK);
    await unsent(limiter);
    await unsent(limiter);
    const service = new LimitedService(limiter);
    await service.send('one');
    await expect(service.send('two')).rejects.toMatchObject({ code: 'daily_limit_reached' });
  });

  it('leaves a key forgettable', async () => {
    const limiter = new KeyLimiter({ requestsPerMinute: 600, requestsPerDay: 10 }, QUICK);
    await unsent(limiter);
    await until(() => limiter.forgettable);
  });
});
