import { getKeyState, FREE_REREAD_MS, RecentReads, type KeyState } from '../../../src/client/keys';
import { parseRedisUrl } from '../../../src/client/limiter/redis/redis-address';
import type { ClientSettings } from '../../../src/client/settings';
import { QUICK } from './support/timing';

const settings = (apiKey: string, requestsPerMinute = 600) => {
  return { requestsPerMinute, baseUrl: 'https://api.example.com', apiKey };
};

const stateOf = (given: ClientSettings) => getKeyState(given, QUICK);

afterEach(() => {
  jest.restoreAllMocks();
});

it('shares a state between credentials with the same address and key, and with no others', () => {
  const one = stateOf(settings('one'));
  expect(stateOf(settings('one', 5))).toBe(one);
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
  clock.mockReturnValue(start + 24.1 * 3_600_000 - QUICK.windowMs / 2);
  await used.limiter.run(() => Promise.resolve(), { run: 'one', isRetry: false });
  expect(stateOf(settings('reopened'))).toBe(reopened);
  const closed = jest.spyOn(idle.limiter, 'close');
  clock.mockReturnValue(start + 24.1 * 3_600_000);
  stateOf(settings('a new one'));
  expect(closed).toHaveBeenCalledTimes(1);
  expect(stateOf(settings('idle'))).not.toBe(idle);
  expect(stateOf(settings('used'))).toBe(used);
  expect(stateOf(settings('reopened'))).toBe(reopened);
});

/** Starts a request for a credential; it ends when the returned function is called. */
function begin({ limitsInUse }: KeyState, limit: number) {
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const sending = limitsInUse.runWith(limit, async () => await answered);
  return async () => {
    answer();
    await sending;
  };
}

it('applies the lower limit of a key while its requests are open, whichever was opened last', async () => {
  const state = stateOf(settings('two limits', 10));
  const set = jest.spyOn(state.limiter, 'setLimit');
  const endSlow = begin(state, 10);
  stateOf(settings('two limits', 1_000));
  const endFast = begin(state, 1_000);
  expect(set).toHaveBeenLastCalledWith(10);
  await endSlow();
  expect(set).toHaveBeenLastCalledWith(1_000);
  await endFast();
  stateOf(settings('two limits', 20));
  expect(set).toHaveBeenLastCalledWith(20);
});

it('shares over Redis while in use, although a credential without Redis is opened', async () => {
  const local = settings('with and without Redis');
  const state = stateOf(local);
  const share = jest.spyOn(state.limiter, 'shareOverRedis').mockImplementation(() => undefined);
  const redis = parseRedisUrl('redis://localhost:1');
  stateOf({ ...local, redis });
  const end = begin(state, 600);
  stateOf(local);
  expect(share).toHaveBeenLastCalledWith(redis, expect.anything());
  await end();
  stateOf(local);
  expect(share).toHaveBeenLastCalledWith(undefined, expect.anything());
});

it('knows a company for 30 days from its first read, and forgets the oldest when it is full', () => {
  const reads = new RecentReads(0, 3);
  expect(reads.record(['a.com', 'b.com'], 0)).toBe(0);
  expect(reads.record(['a.com', 'a.com', 'c.com'], 1)).toBe(1);
  expect(reads.has('a.com', FREE_REREAD_MS - 1)).toBe(true);
  expect(reads.has('a.com', FREE_REREAD_MS)).toBe(false);
  expect(reads.record(['a.com'], FREE_REREAD_MS)).toBe(0);
  expect(reads.has('a.com', 2 * FREE_REREAD_MS - 1)).toBe(true);
  reads.record(['b.com', 'd.com'], FREE_REREAD_MS);
  const known = ['a.com', 'b.com', 'c.com', 'd.com'].map((name) => reads.has(name, FREE_REREAD_MS));
  expect(known).toEqual([true, true, false, true]);
});
