/** Shows that Bottleneck keeps the rate: in its place is a double that starts every job at once. */
import { REAL_TIME } from '../../../../src/client/settings';
import type * as LimitedService from '../support/limited-service';

class PassThrough {
  readonly _store = { _nextRequest: 0, storeOptions: { minTime: 0 } };
  readonly schedule = async (job: () => Promise<void>) => {
    await job();
  };
  readonly incrementReservoir = () => undefined;
  readonly updateSettings = () => undefined;
}

// A copy of its own of the limiter, because other tests can run in this process.
let limited: typeof LimitedService.limited;
beforeAll(() => {
  jest.doMock('bottleneck/light', () => PassThrough);
  jest.isolateModules(() => {
    ({ limited } = jest.requireActual<typeof LimitedService>('../support/limited-service'));
  });
});
afterAll(() => {
  jest.dontMock('bottleneck/light');
});

afterEach(() => {
  jest.useRealTimers();
});

it.each(['burst', 'after a 429'])('breaks the rate, %s', async (when) => {
  jest.useFakeTimers();
  const { limiter, service } = limited(600, REAL_TIME);
  if (when !== 'burst') limiter.throttle(1, undefined);
  service.work('long', 50);
  await jest.advanceTimersByTimeAsync(10_000);
  expect(service.arrivals.length).toBeGreaterThan(10_000);
});
