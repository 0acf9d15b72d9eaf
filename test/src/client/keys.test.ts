import type * as Keys from '../../../src/client/keys';
import { parseRedisUrl } from '../../../src/client/limiter/redis/redis-address';
import type { ClientSettings } from '../../../src/client/settings';
import { QUICK } from './support/timing';

const settings = (apiKey: string, requestsPerMinute = 600) => {
  return { requestsPerMinute, baseUrl: 'https://api.example.com', apiKey };
};

/** Keys of a process of its own, because tests move the clock. */
let keys: typeof Keys;
beforeEach(() => {
  jest.resetModules();
  keys = jest.requireActual('../../../src/client/keys');
});

const stateOf = (given: ClientSettings) => keys.getKeyState(given, QUICK);

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

it('applies the lowest limit of the credentials of a key that were opened in the last hour', () => {
  const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
  const state = stateOf(settings('two limits', 10));
  const set = jest.spyOn(state.limiter, 'setLimit');
  const limitAt = (minute: number, limit: number) => {
    clock.mockReturnValue(minute * 60_000);
    stateOf(settings('two limits', limit));
    return set.mock.lastCall?.[0];
  };
  expect([limitAt(0, 1_000), limitAt(59, 1_000)]).toEqual([10, 10]);
  expect([limitAt(60, 1_000), limitAt(61, 20)]).toEqual([1_000, 20]);
});

it('shares over Redis for an hour, although a credential without Redis is opened', () => {
  const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
  const local = settings('with and without Redis');
  const share = jest
    .spyOn(stateOf(local).limiter, 'shareOverRedis')
    .mockImplementation(() => undefined);
  const redis = parseRedisUrl('redis://localhost:1');
  stateOf({ ...local, redis });
  stateOf(local);
  expect(share).toHaveBeenLastCalledWith(redis, expect.anything());
  clock.mockReturnValue(3_600_000);
  stateOf(local);
  expect(share).toHaveBeenLastCalledWith(undefined, expect.anything());
});
