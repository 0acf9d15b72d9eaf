import { expectAfterKillBetween, killable, testEveryTrigger } from './every-trigger';
import { useRealHost } from './harness';
import { WatchedAccounts } from './trigger-memory';

/** Triggers with n8n's durable poll cursors. n8n abandons their polls after 45 seconds. */

const host = useRealHost({
  sandboxArgs: ['--companies', '400'],
  env: {
    ...killable,
    N8N_SCHEDULER_ENABLED: 'true',
    N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
    N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
  },
});
let watched: WatchedAccounts;

afterAll(async () => {
  await watched.service.stop();
});

test('emits each change once when polls take longer than 45 seconds and n8n is killed', async () => {
  watched = await WatchedAccounts.publish(host);
  watched.adopt('second');
  expect(await watched.until(1)).toEqual(['second']);
  await host.kill();
  watched.service.delayMs = 50_000;
  watched.adopt('third');
  await host.restart();
  expect(await watched.until(2)).toEqual(['second', 'third']);
  watched.service.delayMs = 0;
  await host.kill();
  await host.restart();
  watched.adopt('fourth');

  expect(await watched.until(3)).toEqual(['second', 'third', 'fourth']);
  expect((await watched.executions()).map(({ length }) => length)).toEqual([60, 60, 60]);
});

testEveryTrigger(host, async (every) => {
  // `atOnce` is 1, because one transaction of n8n's database waits for the other.
  await expectAfterKillBetween(host, every, { atOnce: 1, isFirstTold: true });
});
