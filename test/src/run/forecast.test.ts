import fc from 'fast-check';

import { secondsFor } from '../../../src/run/forecast';

it('as many requests as the limit allows take no time, each further limit a minute or a day', () => {
  const count = fc.integer({ min: 1, max: 10_000 });
  fc.assert(
    fc.property(count, count, fc.nat(50), (requestsPerMinute, requestsPerDay, times) => {
      const pace = { requestsPerMinute, requestsPerDay };
      const free = Math.min(requestsPerMinute, requestsPerDay);

      expect(secondsFor(0, pace)).toBe(0);
      expect(secondsFor(free, pace)).toBe(0);
      expect(secondsFor(requestsPerMinute * times + 1, pace)).toBeGreaterThanOrEqual(60 * times);
      expect(secondsFor(requestsPerDay * times + 1, pace)).toBeGreaterThanOrEqual(86_400 * times);
    }),
  );
});
