'use strict';

// Jest does not transform code that runs in worker threads.
require('tsx/cjs/api').register();
require('../src/graph/picture-worker.ts');
