import { RATE_LIMITS } from '../../../src/client/settings';

it("knows the interface's limits", () => {
  expect(RATE_LIMITS).toEqual({ requestsPerMinute: 600, requestsPerDay: 100_000 });
});
