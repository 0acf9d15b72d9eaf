'use strict';

// Threads do not go through jest's transform.
require('tsx/cjs/api').register();
require('../src/graph/picture-worker.ts');
