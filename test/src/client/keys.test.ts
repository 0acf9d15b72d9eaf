import { getKeyState } from '../../../src/client/keys';
import { RATE_LIMITS, readRedisUrl } from '../../../src/client/settings';
import { QUICK } from './support/timing';

const settings = (apiKey: string, baseUrl = 'https://api.example.com') => ({
  ...RATE_LIMITS,
  baseUrl,
  apiKey,
});

afterEach(() => {
  jest.restoreAllMocks();
});

it('uses the limits of the API spec by default', () => {
  expect(RATE_LIMITS).toEqual({ requestsPerMinute: 600, requestsPerDay: 100_000 });
});

it('shares the state between credentials with the same address and key', () => {
  const one = getKeyState(settings('one'), QUICK);
  expect(getKeyState({ ...settings('one'), requestsPerDay: 5 }, QUICK)).toBe(one);
});

it('keeps separate states for another key or another address', () => {
  const one = getKeyState(settings('one'), QUICK);
  expect(getKeyState(settings('two'), QUICK)).not.toBe(one);
  expect(getKeyState(settings('one', 'https://other.example.com'), QUICK)).not.toBe(one);
});

it('keeps a state that a run can still hold, although nothing was sent yet', () => {
  const held = getKeyState(settings('held'), QUICK);
  getKeyState(settings('opened in between'), QUICK);
  expect(getKeyState(settings('held'), QUICK)).toBe(held);
});

it('forgets a state when the key was unused for more than a day', async () => {
  const idle = getKeyState(settings('idle'), QUICK);
  const used = getKeyState(settings('used'), QUICK);
  const start = performance.now();
  const clock = jest.spyOn(performance, 'now');
  clock.mockReturnValue(start + 23 * 3_600_000);
  await used.limiter.run(() => Promise.resolve(), { run: 'one', isRetry: false });
  clock.mockReturnValue(start + 24.1 * 3_600_000);
  const closed = jest.spyOn(idle.limiter, 'close');
  getKeyState(settings('a new one'), QUICK);
  expect(closed).toHaveBeenCalledTimes(1);
  expect(getKeyState(settings('idle'), QUICK)).not.toBe(idle);
  expect(getKeyState(settings('used'), QUICK)).toBe(used);
});

it('forgets an idle state although an earlier one is still in use', () => {
  // Later than in the tests above, because a clock never goes back.
  const start = performance.now() + 48 * 3_600_000;
  const clock = jest.spyOn(performance, 'now').mockReturnValue(start);
  const asked = getKeyState(settings('asked for'), QUICK);
  const idle = getKeyState(settings('left alone'), QUICK);
  clock.mockReturnValue(start + 23 * 3_600_000);
  expect(getKeyState(settings('asked for'), QUICK)).toBe(asked);
  clock.mockReturnValue(start + 24.1 * 3_600_000);
  getKeyState(settings('new as well'), QUICK);
  expect(getKeyState(settings('left alone'), QUICK)).not.toBe(idle);
  expect(getKeyState(settings('asked for'), QUICK)).toBe(asked);
});

it('uses the latest limits of the credential', async () => {
  const { limiter } = getKeyState({ ...settings('changing'), requestsPerDay: 1 }, QUICK);
  const send = async () => {
    await limiter.run(() => Promise.resolve(), { run: 'one', isRetry: false });
  };
  await send();
  await expect(send()).rejects.toMatchObject({ code: 'daily_limit_reached' });
  getKeyState({ ...settings('changing'), requestsPerDay: 2 }, QUICK);
  await expect(send()).resolves.toBeUndefined();
});

describe('when two credentials share a key', () => {
  const send = () => Promise.resolve();

  it('applies the lower rate limit while it is in use, whichever was opened last', async () => {
    const slow = { ...settings('two paces'), requestsPerMinute: 10 };
    const fast = { ...slow, requestsPerMinute: 1_000 };
    const { limitsInUse, limiter } = getKeyState(slow, QUICK);
    const set = jest.spyOn(limiter, 'setLimits');
    let answered: () => void = () => undefined;
    const inFlight = limitsInUse.runWith(slow, async () => {
      await new Promise<void>((resolve) => (answered = resolve));
    });
    getKeyState(fast, QUICK);
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
    const { limitsInUse, limiter } = getKeyState(low, QUICK);
    await limitsInUse.runWith(low, send);
    const set = jest.spyOn(limiter, 'setLimits');
    await limitsInUse.runWith({ ...low, requestsPerDay: 9 }, send);
    expect(set).toHaveBeenLastCalledWith(expect.objectContaining({ requestsPerDay: 9 }));
  });

  it('keeps sharing over Redis while in use, when a credential without Redis is opened', async () => {
    const local = settings('with and without Redis');
    const { limitsInUse, limiter } = getKeyState(local, QUICK);
    const share = jest.spyOn(limiter, 'shareOverRedis').mockImplementation(() => undefined);
    const redis = readRedisUrl('redis://localhost:1');
    getKeyState({ ...local, redis }, QUICK);
    await limitsInUse.runWith(local, send);
    getKeyState(local, QUICK);
    expect(share.mock.calls.map(([address]) => address)).toEqual([redis]);
    const now = performance.now();
    jest.spyOn(performance, 'now').mockReturnValue(now + QUICK.windowMs);
    getKeyState(local, QUICK);
    expect(share).toHaveBeenLastCalledWith(undefined, expect.anything());
  });
});
