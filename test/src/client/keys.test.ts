import { inspect } from 'node:util';

import fc from 'fast-check';

import { FREE_REREAD_MS, getKeyState, RecentReads, type KeyState } from '../../../src/client/keys';
import { RATE_LIMITS, readRedisUrl, type ClientSettings } from '../../../src/client/settings';
import { QUICK } from './support/timing';

const settings = (apiKey: string) => {
  return { ...RATE_LIMITS, baseUrl: 'https://api.example.com', apiKey };
};

const stateOf = (given: ClientSettings) => getKeyState(given, QUICK);

/** Sends a request with the limiter of a key. */
const sendWith = async ({ limiter }: KeyState) => {
  await limiter.run(() => Promise.resolve(), { run: 'one', isRetry: false });
};

afterEach(() => {
  jest.restoreAllMocks();
});

it('uses the limits of the API spec by default', () => {
  expect(RATE_LIMITS).toEqual({ requestsPerMinute: 600, requestsPerDay: 100_000 });
});

it('shares a state between credentials with the same address and key, and with no others', () => {
  const one = stateOf(settings('one'));
  expect(stateOf({ ...settings('one'), requestsPerDay: 5 })).toBe(one);
  expect(stateOf(settings('two'))).not.toBe(one);
  expect(stateOf({ ...settings('one'), baseUrl: 'https://other.example.com' })).not.toBe(one);
  // A run can still hold the state, although it has sent nothing yet.
  expect(stateOf(settings('one'))).toBe(one);
});

it('forgets a state whose key was unused for more than a day, but no other', async () => {
  const start = performance.now();
  const clock = jest.spyOn(performance, 'now').mockReturnValue(start);
  const used = stateOf(settings('used'));
  const reopened = stateOf(settings('reopened'));
  const idle = stateOf(settings('idle'));
  clock.mockReturnValue(start + 23 * 3_600_000);
  await sendWith(used);
  expect(stateOf(settings('reopened'))).toBe(reopened);
  const closed = jest.spyOn(idle.limiter, 'close');
  clock.mockReturnValue(start + 24.1 * 3_600_000);
  stateOf(settings('a new one'));
  expect(closed).toHaveBeenCalledTimes(1);
  expect(stateOf(settings('idle'))).not.toBe(idle);
  expect(stateOf(settings('used'))).toBe(used);
  expect(stateOf(settings('reopened'))).toBe(reopened);
});

it('uses the latest limits of the credential', async () => {
  const state = stateOf({ ...settings('changing'), requestsPerDay: 1 });
  await sendWith(state);
  await expect(sendWith(state)).rejects.toMatchObject({ code: 'daily_limit_reached' });
  stateOf({ ...settings('changing'), requestsPerDay: 2 });
  await expect(sendWith(state)).resolves.toBeUndefined();
});

describe('when two credentials share a key', () => {
  const send = () => Promise.resolve();

  it('applies the lower rate limit while it is in use, whichever was opened last', async () => {
    const slow = { ...settings('two paces'), requestsPerMinute: 10 };
    const fast = { ...slow, requestsPerMinute: 1_000 };
    const { limitsInUse, limiter } = stateOf(slow);
    const set = jest.spyOn(limiter, 'setLimits');
    let answered: () => void = () => undefined;
    const inFlight = limitsInUse.runWith(slow, async () => {
      await new Promise<void>((resolve) => (answered = resolve));
    });
    stateOf(fast);
    await limitsInUse.runWith(fast, send);
    expect(set).not.toHaveBeenCalled();
    answered();
    await inFlight;
    // Requests sent at the slow pace still count for one window.
    await limitsInUse.runWith(fast, send);
    expect(set).not.toHaveBeenCalled();
    const now = performance.now();
    jest.spyOn(performance, 'now').mockReturnValue(now + QUICK.windowMs);
    await limitsInUse.runWith(fast, send);
    expect(set.mock.calls).toEqual([[{ requestsPerMinute: 1_000, requestsPerDay: 100_000 }]]);
    await limitsInUse.runWith(slow, send);
    expect(set).toHaveBeenLastCalledWith(expect.objectContaining({ requestsPerMinute: 10 }));
  });

  it('applies a raised daily limit with the next request', async () => {
    const low = { ...settings('raised'), requestsPerDay: 1 };
    const { limitsInUse, limiter } = stateOf(low);
    await limitsInUse.runWith(low, send);
    const set = jest.spyOn(limiter, 'setLimits');
    await limitsInUse.runWith({ ...low, requestsPerDay: 9 }, send);
    expect(set).toHaveBeenLastCalledWith(expect.objectContaining({ requestsPerDay: 9 }));
  });

  it('keeps sharing over Redis while in use, when a credential without Redis is opened', async () => {
    const local = settings('with and without Redis');
    const { limitsInUse, limiter } = stateOf(local);
    const share = jest.spyOn(limiter, 'shareOverRedis').mockImplementation(() => undefined);
    const redis = readRedisUrl('redis://localhost:1');
    stateOf({ ...local, redis });
    await limitsInUse.runWith(local, send);
    stateOf(local);
    expect(share.mock.calls.map(([address]) => address)).toEqual([redis]);
    const now = performance.now();
    jest.spyOn(performance, 'now').mockReturnValue(now + QUICK.windowMs);
    stateOf(local);
    expect(share).toHaveBeenLastCalledWith(undefined, expect.anything());
  });
});

/** The cache of companies read in the last 30 days is bounded and holds no names. */
describe('RecentReads', () => {
  const domains = fc.uniqueArray(fc.domain(), { minLength: 1, maxLength: 30 });

  it('remembers a company for 30 days from its first read, however often it is read again', () => {
    fc.assert(
      fc.property(domains, fc.array(fc.nat(FREE_REREAD_MS - 1)), (read, times) => {
        const reads = new RecentReads('secret', 0);
        for (const at of [0, ...times.sort((a, b) => a - b)]) reads.record(read, at);

        for (const domain of read) {
          expect(reads.has(domain, FREE_REREAD_MS - 1)).toBe(true);
          expect(reads.has(domain, FREE_REREAD_MS)).toBe(false);
          expect(reads.has(`not-${domain}`, 0)).toBe(false);
        }
      }),
    );
  });

  it('remembers a company for another 30 days when it is read after the first 30', () => {
    const reads = new RecentReads('secret', 0);
    reads.record(['acme.com'], 0);

    expect(reads.record(['acme.com'], FREE_REREAD_MS)).toBe(0);
    expect(reads.has('acme.com', 2 * FREE_REREAD_MS - 1)).toBe(true);
  });

  it('returns the number of companies that were already known, counting each once', () => {
    const reads = new RecentReads('secret', 0);
    reads.record(['a.com', 'b.com'], 0);

    expect(reads.record(['a.com', 'a.com', 'c.com', 'c.com', 'd.com'], 1)).toBe(1);
  });

  it('keeps a limited number of companies and drops the oldest first', () => {
    const reads = new RecentReads('secret', 0, 3);
    const read = ['a.com', 'b.com', 'c.com', 'd.com'];
    for (const [at, domain] of read.entries()) reads.record([domain], at);

    expect(read.filter((domain) => reads.has(domain, 4))).toEqual(['b.com', 'c.com', 'd.com']);
  });

  it('stores only hashes of domains, which differ between keys', () => {
    fc.assert(
      fc.property(domains, (read) => {
        const [one, other] = ['one', 'other'].map((secret) => {
          const reads = new RecentReads(secret, 0);
          reads.record(read, 0);
          return inspect(Reflect.get(reads, 'readTimes'), { maxArrayLength: null });
        });

        expect(read.filter((domain) => one!.includes(domain))).toEqual([]);
        expect(one).not.toEqual(other);
      }),
    );
  });
});
