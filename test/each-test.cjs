'use strict';

// Jest has one `testTimeout` for all projects; this
// file sets the one of each project in jest.config.mjs.
const { testTimeoutInMs } = /** @type {{ testTimeoutInMs?: number }} */ (globalThis);
if (testTimeoutInMs !== undefined) jest.setTimeout(testTimeoutInMs);

// A test without an assertion cannot fail.
beforeEach(() => {
  expect.hasAssertions();
});
