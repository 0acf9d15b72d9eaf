'use strict';

// Threads do not go through jest's transform.
require('tsx/cjs/api').register();
require('../src/drawing/picture-worker.ts');
