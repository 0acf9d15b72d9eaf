import { stateOfKey } from '../../../src/client/keys';
import { RATE_LIMITS } from '../../../src/client/settings';
import { QUICK } from './support/timing';

const settings = (apiKey: string, baseUrl = 'https://api.example.com') => ({
  ...RATE_LIMITS,
  baseUrl,
  apiKey,
});

afterEach(() => {
  jest.restoreAllMocks();
});

it("knows the interface's limits", () => {
  expect(RATE_LIMITS).toEqual({ requestsPerMinute: 600, requestsPerDay: 100_000 });
});

it('is the same for the same address and key, whoever asks', () => {
  const one = stateOfKey(settings('one'), QUICK);
  expect(stateOfKey({ ...settings('one'), requestsPerDay: 5 }, QUICK)).toBe(one);
});

it('is another for another key or another address', () => {
  const one = stateOfKey(settings('one'), QUICK);
  expect(stateOfKey(settings('two'), QUICK)).not.toBe(one);
  expect(stateOfKey(settings('one', 'https://other.example.com'), QUICK)).not.toBe(one);
});

it('is kept while a run may still hold it, though nothing was sent yet', () => {
  const held = stateOfKey(settings('held'), QUICK);
  stateOfKey(settings('opened in between'), QUICK);
  expect(stateOfKey(settings('held'), QUICK)).toBe(held);
});

it('is forgotten when nobody has used the key for more than a day', async () => {
  const idle = stateOfKey(settings('idle'), QUICK);
  const used = stateOfKey(settings('used'), QUICK);
  const start = performance.now();
  const clock = jest.spyOn(performance, 'now');
  clock.mockReturnValue(start + 23 * 3_600_000);
  await used.limiter.run(() => Promise.resolve(), { run: 'one', again: false });
  clock.mockReturnValue(start + 24.1 * 3_600_000);
  const closed = jest.spyOn(idle.limiter, 'close');
  stateOfKey(settings('a new one'), QUICK);
  expect(closed).toHaveBeenCalledTimes(1);
  expect(stateOfKey(settings('idle'), QUICK)).not.toBe(idle);
  expect(stateOfKey(settings('used'), QUICK)).toBe(used);
});

it('is forgotten although one that came before it is still asked for', () => {
  // Later than the tests before this one: no clock goes back.
  const start = performance.now() + 48 * 3_600_000;
  const clock = jest.spyOn(performance, 'now').mockReturnValue(start);
  const asked = stateOfKey(settings('asked for'), QUICK);
  const idle = stateOfKey(settings('left alone'), QUICK);
  clock.mockReturnValue(start + 23 * 3_600_000);
  expect(stateOfKey(settings('asked for'), QUICK)).toBe(asked);
  clock.mockReturnValue(start + 24.1 * 3_600_000);
  stateOfKey(settings('new as well'), QUICK);
  expect(stateOfKey(settings('left alone'), QUICK)).not.toBe(idle);
  expect(stateOfKey(settings('asked for'), QUICK)).toBe(asked);
});

it('takes over the latest limits of the credential', async () => {
  const { limiter } = stateOfKey({ ...settings('changing'), requestsPerDay: 1 }, QUICK);
  const send = async () => {
    await limiter.run(() => Promise.resolve(), { run: 'one', again: false });
  };
  await send();
  await expect(send()).rejects.toMatchObject({ code: 'daily_limit_reached' });
  stateOfKey({ ...settings('changing'), requestsPerDay: 2 }, QUICK);
  await expect(send()).resolves.toBeUndefined();
});

describe('of two credentials with one key', () => {
  const send = () => Promise.resolve();

  it('the lower pace holds while it is in use, whichever was opened last', async () => {
    const slow = { ...settings('two paces'), requestsPerMinute: 10 };
    const fast = { ...slow, requestsPerMinute: 1_000 };
    const { paces, limiter } = stateOfKey(slow, QUICK);
    const set = jest.spyOn(limiter, 'setPace');
    let answered: () => void = () => undefined;
    const underWay = paces.during(slow, async () => {
      await new Promise<void>((resolve) => (answered = resolve));
    });
    stateOfKey(fast, QUICK);
    await paces.during(fast, send);
    expect(set).not.toHaveBeenCalled();
    answered();
    await underWay;
    // What was sent at that pace still counts for a minute.
    await paces.during(fast, send);
    expect(set).not.toHaveBeenCalled();
    const now = performance.now();
    jest.spyOn(performance, 'now').mockReturnValue(now + QUICK.windowMs);
    await paces.during(fast, send);
    expect(set.mock.calls).toEqual([[{ requestsPerMinute: 1_000, requestsPerDay: 100_000 }]]);
    await paces.during(slow, send);
    expect(set).toHaveBeenLastCalledWith(expect.objectContaining({ requestsPerMinute: 10 }));
  });

  it('a daily limit that was raised holds with the next request', async () => {
    const low = { ...settings('raised'), requestsPerDay: 1 };
    const { paces, limiter } = stateOfKey(low, QUICK);
    await paces.during(low, send);
    const set = jest.spyOn(limiter, 'setPace');
    await paces.during({ ...low, requestsPerDay: 9 }, send);
    expect(set).toHaveBeenLastCalledWith(expect.objectContaining({ requestsPerDay: 9 }));
  });
});
