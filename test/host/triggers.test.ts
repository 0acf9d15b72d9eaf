/** Triggers in one process: each change once, also after kill -9. */
import { EveryTrigger, expectAfterKillBetween, expectEachOnce, killable } from './every-trigger';
import { useRealHost } from './harness';

const host = useRealHost({ sandboxArgs: ['--companies', '400'], env: killable });
let every: EveryTrigger;

beforeAll(async () => {
  every = await EveryTrigger.publish(host);
});
afterAll(async () => {
  await every.stop();
});

test('the first poll emits nothing; then each change is emitted once, also after kill -9', async () => {
  for (const trigger of every.all) expect(await trigger.emitted()).toEqual([]);

  await expectEachOnce(host, every);
});

test('only a crash after n8n has saved what is remembered and before it has stored the execution loses changes', async () => {
  await expectAfterKillBetween(host, every, { atOnce: 3, isFirstTold: false });
});

test('Fetch Test Event shows an item of every event', async () => {
  for (const trigger of every.all) {
    const { status } = await host.rest.run(trigger.workflowId, { triggerName: trigger.node });
    expect(status).toBe('success');
    const items = (await trigger.emitted()).filter((item) =>
      String(item['change_id']).startsWith('test-event-'),
    );
    expect(items).toHaveLength(3);
  }
});
