/** What holds for every read when the user presses Stop: it ends at once, and nothing more is sent. */
import { setImmediate, setTimeout } from 'node:timers/promises';

import type { FaultRequest } from '../../../sandbox';
import { source, startWorkflow } from '../harness';
import { READS } from './operations';
import { packageNode, useFreshSandbox, userCredential } from './service';

// A pause belongs to its key.
const sandbox = useFreshSandbox({ companies: 500 });

const WAITING: Array<[string, FaultRequest]> = [
  ['a request is under way', { preset: 'neverAnswer' }],
  ['the key waits for the rate limit', { preset: 'rateLimit', options: { seconds: 60 } }],
  ['a failed request waits for its next attempt', { preset: 'html500' }],
];

describe.each(WAITING)('while %s', (_when, fault) => {
  it.each(READS)('$title', async (one) => {
    sandbox.addFault({ ...fault, when: 'every' });
    const running = await startWorkflow({
      // One item: of several, some could be on their way when the first has arrived.
      nodes: [source(one.items(sandbox).slice(0, 1)), packageNode(one.type, one.parameters)],
      credentials: userCredential(sandbox),
    });
    await running.started(one.name);
    while (sandbox.report().recent.length === 0) await setImmediate();
    const stopped = Date.now();
    running.cancel();
    const run = await running.finished;

    // Long before the limit would let it send again.
    expect(Date.now() - stopped).toBeLessThan(30_000);
    expect(run.status).toBe('canceled');
    const sent = sandbox.report().recent.length;
    await setTimeout(50);
    expect(sandbox.report().recent).toHaveLength(sent);
  });
});
