/**
 * Every read, also of many companies at the same time, when the service or the network fails. The
 * node retries as long as that can help, and no longer.
 */
import type { FaultRequest, Sandbox } from '../../../sandbox';
import type { Change } from './nodes';
import { READS, runCase, type OperationCase } from './operations';
import { hubs } from './partners';
import { startUnlimitedSandbox } from './service';

const BATCHES = ['enrichCompanies', 'enrichPartnerships'].map((operation): OperationCase => ({
  title: `Bulk Enrich: ${operation}`,
  type: 'bulkEnrich',
  name: 'Bulk Enrich',
  parameters: { operation, domain: '={{ $json.company }}', include: [] },
  items: (sandbox) => hubs(sandbox).map((company) => ({ company })),
  credits: 1,
}));

/** One service per operation, so that all operations wait for their retries at the same time. */
let services: Array<{ readonly one: OperationCase; readonly sandbox: Sandbox }>;
beforeAll(async () => {
  services = await Promise.all(
    [...READS, ...BATCHES].map(async (one) => ({
      one,
      // The clock stands still, so that lists have the same age before and after a reset.
      sandbox: await startUnlimitedSandbox({ now: () => Date.UTC(2026, 0, 1) }),
    })),
  );
});
beforeEach(() => {
  for (const { sandbox } of services) sandbox.reset();
});
afterAll(async () => {
  await Promise.all(services.map(async ({ sandbox }) => await sandbox.close()));
});

/** Runs every operation with one item. */
async function runAll(options = {}, change: Change = {}) {
  return await Promise.all(
    services.map(async ({ one, sandbox }) => ({
      one,
      sandbox,
      run: await runCase(sandbox, one, one.items(sandbox).slice(0, 1), { options, ...change }),
    })),
  );
}

function faultEverywhere(fault: FaultRequest): void {
  for (const { sandbox } of services) sandbox.addFault(fault);
}

it('retries when a request gets no response within Request Timeout', async () => {
  faultEverywhere({ preset: 'neverAnswer', when: 'first' });
  for (const { one, run } of await runAll({ requestTimeoutSeconds: 1 })) {
    expect([one.title, run.error]).toEqual([one.title, undefined]);
    expect(run.json(one.name).length).toBeGreaterThan(0);
  }
});

const TOO_LONG =
  /resets in \d minutes?, at (?:\S+ )?\d\d:\d\d Asia\/Kolkata \((?:\S+ )?\d\d:\d\d UTC\), longer than this run/;

it('states the reset time in two time zones when Max Rate Limit Wait is too short', async () => {
  faultEverywhere({ preset: 'rateLimit', options: { seconds: 60 }, when: 'every' });
  const options = { maxRateLimitWaitMinutes: 0.5 };
  const change = { onError: 'continueErrorOutput', timezone: 'Asia/Kolkata' } as const;
  for (const { one, run } of await runAll(options, change)) {
    expect([one.title, run.json(one.name, 1)]).toEqual([
      one.title,
      [expect.objectContaining({ message: expect.stringMatching(TOO_LONG) })],
    ]);
  }
});
