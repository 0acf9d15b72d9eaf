'use strict';

const { join } = require('node:path');

// n8n-core reads these variables when it is loaded. Each worker needs its own folder: if two
// workers wrote the same settings file, each would find the other's encryption key.
process.env.N8N_USER_FOLDER = join(
  __dirname,
  `../../../.cache/engine-tests/worker-${process.env.JEST_WORKER_ID ?? '1'}`,
);
process.env.N8N_DIAGNOSTICS_ENABLED = 'false';
process.env.N8N_LOG_LEVEL = 'silent';
