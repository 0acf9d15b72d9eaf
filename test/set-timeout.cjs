'use strict';

// jest reads `testTimeout` for all projects at once; this gives each project of jest.config.mjs its own.
const { testTimeoutInMs } = /** @type {{ testTimeoutInMs?: number }} */ (globalThis);
if (testTimeoutInMs !== undefined) jest.setTimeout(testTimeoutInMs);
