import {
  expectAfterKillBetween,
  expectEachOnce,
  killable,
  publishTriggers,
  type EveryTrigger,
} from './every-trigger';
import { startRealHost, type HostOptions } from './harness';

interface Mode extends HostOptions {
  readonly andThen?: (every: EveryTrigger) => Promise<void>;
}

const MODES: Readonly<Record<string, Mode>> = {
  'one process': {
    env: killable,
    // Only changes whose state was saved, and whose execution was not stored, are lost.
    andThen: async (every) => {
      await expectAfterKillBetween(every, { atOnce: 3, isFirstTold: false });
    },
  },
  // Executions on workers must not change the triggers' saved state.
  'queue mode': { workers: 1 },
  'durable poll cursors': {
    env: {
      ...killable,
      N8N_SCHEDULER_ENABLED: 'true',
      N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
      N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
    },
    andThen: async (every) => {
      // `atOnce` is 1, because one transaction of n8n's database waits for the other.
      await expectAfterKillBetween(every, { atOnce: 1, isFirstTold: true });
    },
  },
};

const stops: Array<() => Promise<void>> = [];
let starting: Promise<unknown> = Promise.resolve();

afterAll(async () => {
  await Promise.all(stops.map(async (stop) => await stop()));
});

/** Tells the story on a real n8n of its own. The n8ns start one after the other. */
async function tell({ andThen, ...options }: Mode): Promise<void> {
  const started = starting.then(
    async () => await startRealHost({ sandboxArgs: ['--companies', '400'], ...options }),
  );
  starting = started.catch(() => undefined);
  const host = await started;
  stops.push(host.stop);
  const every = await publishTriggers(host);
  stops.push(async () => await every.stop());
  for (const trigger of every.all) expect(await trigger.emitted()).toEqual([]);
  await expectEachOnce(every);
  await andThen?.(every);
}

test('every trigger emits each change once in each mode, however n8n is killed', async () => {
  const told = Object.entries(MODES).map(async ([name, mode]) => {
    await tell(mode).catch((error: unknown) => {
      throw new Error(`In ${name}: ${String(error)}`, { cause: error });
    });
  });
  const failures = (await Promise.allSettled(told)).filter(({ status }) => status === 'rejected');

  expect(failures).toEqual([]);
});
