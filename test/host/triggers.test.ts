/** Triggers in one n8n process emit each change once, even after kill -9. */
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

test('emits nothing in the first poll, then each change once when n8n is killed between polls', async () => {
  for (const trigger of every.all) expect(await trigger.emitted()).toEqual([]);

  await expectEachOnce(host, every);
});

test('loses changes only when n8n is killed after saving trigger state and before storing the execution', async () => {
  await expectAfterKillBetween(host, every, { atOnce: 3, isFirstTold: false });
});

test('emits three sample events per trigger when Fetch Test Event is clicked', async () => {
  for (const trigger of every.all) {
    const { status } = await host.rest.run(trigger.workflowId, { triggerName: trigger.node });
    expect(status).toBe('success');
    const items = (await trigger.emitted()).filter((item) =>
      String(item['change_id']).startsWith('test-event-'),
    );
    expect(items).toHaveLength(3);
  }
});
