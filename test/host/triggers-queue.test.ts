import { setTimeout as sleep } from 'node:timers/promises';

import { testEveryTrigger } from './every-trigger';
import { useRealHost } from './harness';
import { WatchedAccounts } from './trigger-memory';

/** Triggers in queue mode: executions on workers must not change the triggers' saved state. */

const host = useRealHost({ workers: 1, sandboxArgs: ['--companies', '400'] });
let watched: WatchedAccounts;

afterAll(async () => {
  await watched.service.stop();
});

test('emits each change once when a worker runs the workflow and the main process is killed', async () => {
  watched = await WatchedAccounts.publish(host);
  watched.adopt('second');
  expect(await watched.until(1)).toEqual(['second']);
  // By then, the worker has ended its execution.
  await sleep(10_000);
  watched.adopt('third');
  await host.kill();
  await host.restart();
  expect(await watched.until(2)).toEqual(['second', 'third']);
  await host.kill();
  await host.restart();
  watched.adopt('fourth');

  expect(await watched.until(3)).toEqual(['second', 'third', 'fourth']);
  expect((await watched.executions()).map(({ length }) => length)).toEqual([60, 60, 60]);
});

testEveryTrigger(host);
