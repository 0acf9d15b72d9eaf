/**
 * What holds for every read, of many companies at once too, when service or network fail: asked again
 * while that may help, no longer.
 */
import type { FaultRequest, Sandbox } from '../../../sandbox';
import { READS, runCase, type OperationCase } from './operations';
import { hubs } from './partners';
import { startUnlimitedSandbox } from './service';
import { errorItemOf } from './error-items';

const BATCHES = ['enrichCompanies', 'enrichPartnerships'].map((operation): OperationCase => ({
  title: `Bulk Enrich: ${operation}`,
  type: 'bulkEnrich',
  name: 'Bulk Enrich',
  parameters: { operation, domain: '={{ $json.company }}', include: [] },
  items: (sandbox) => hubs(sandbox).map((company) => ({ company })),
  path: '/v1/*',
  credits: 1,
}));

/** A service for each operation, so that all of them wait for their retries at the same time. */
let services: Array<{ readonly one: OperationCase; readonly sandbox: Sandbox }>;
beforeAll(async () => {
  services = await Promise.all(
    [...READS, ...BATCHES].map(async (one) => ({
      one,
      // A time that stands still, so that lists are as old after a reset as before.
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
async function runAll(options = {}, onError: 'stopWorkflow' | 'continueErrorOutput') {
  return await Promise.all(
    services.map(async ({ one, sandbox }) => ({
      one,
      sandbox,
      run: await runCase(sandbox, one, one.items(sandbox).slice(0, 1), { options, onError }),
    })),
  );
}

function faultEverywhere(fault: FaultRequest): void {
  for (const { sandbox } of services) sandbox.addFault(fault);
}

const PASSING: Array<[string, FaultRequest]> = [
  ['reset before it was processed', { preset: 'resetBefore' }],
  ['reset after it was processed', { preset: 'resetAfter' }],
  ['connection cut in the middle of the answer', { preset: 'cutConnection' }],
  ['500 with an HTML page', { preset: 'html500' }],
  ['502 with an HTML page', { preset: 'html502' }],
  ['503', { preset: 'unavailable' }],
  ['503 with Retry-After', { preset: 'unavailableRetryAfter', options: { seconds: 1 } }],
  ['429 with Retry-After', { preset: 'rateLimit', options: { seconds: 1 } }],
  ['429 with the wait in its body only', { preset: 'rateLimitBodyOnly', options: { seconds: 1 } }],
  ['429 with an HTTP date', { preset: 'rateLimitHttpDate', options: { seconds: 1 } }],
  ['truncated JSON', { preset: 'truncatedJson' }],
  ['200 with an HTML page', { preset: 'html200' }],
  ['200 with null', { preset: 'null200' }],
  ['200 with nothing', { preset: 'empty200' }],
];

it.each(PASSING)('%s: asked again, the same answer, paid once', async (_what, fault) => {
  const usual = (await runAll({}, 'stopWorkflow')).map(({ one, run }) => run.json(one.name));
  for (const { sandbox } of services) sandbox.reset();
  faultEverywhere({ ...fault, when: 'first' });
  const after = await runAll({}, 'stopWorkflow');

  expect(after.map(({ one, run }) => run.json(one.name))).toEqual(usual);
  for (const { one, sandbox } of after) {
    expect([one.title, sandbox.report().requests]).toEqual([one.title, (one.requests ?? 1) + 1]);
    expect([one.title, sandbox.report().charged]).toEqual([one.title, one.credits]);
  }
});

const LASTING: Array<[string, FaultRequest, string, RegExp, number]> = [
  ['500', { preset: 'html500' }, 'http_500', /The service failed/, 4],
  ['resets', { preset: 'resetBefore' }, 'no_answer', /the connection was closed/, 4],
  ['HTML', { preset: 'html200' }, 'invalid_response', /HTML page/, 4],
  ['null', { preset: 'null200' }, 'invalid_response', /The answer (is|has) no/, 4],
  [
    'a limit used up for hours',
    { preset: 'rateLimit', options: { seconds: 7200 } },
    'operational_rate_limit_exceeded',
    /used up until \d{4}-/,
    1,
  ],
];

it.each(LASTING)(
  '%s again and again: an error after a few times',
  async (_what, fault, code, message, times) => {
    faultEverywhere({ ...fault, when: 'every' });
    for (const { one, sandbox, run } of await runAll({}, 'continueErrorOutput')) {
      expect([one.title, sandbox.report().requests]).toEqual([one.title, times]);
      expect(run.json(one.name, 1)).toEqual([
        expect.objectContaining(errorItemOf(code, expect.stringMatching(message))),
      ]);
    }
  },
);

it('no answer: given up after Request Timeout and asked again', async () => {
  faultEverywhere({ preset: 'neverAnswer', when: 'first' });
  for (const { one, run } of await runAll({ requestTimeoutSeconds: 1 }, 'stopWorkflow')) {
    expect([one.title, run.error]).toEqual([one.title, undefined]);
    expect(run.json(one.name).length).toBeGreaterThan(0);
  }
});

it('a wait longer than Max Rate Limit Wait fails at once', async () => {
  faultEverywhere({ preset: 'rateLimit', options: { seconds: 60 }, when: 'every' });
  const options = { maxRateLimitWaitMinutes: 0.5 };
  for (const { one, run } of await runAll(options, 'continueErrorOutput')) {
    expect([one.title, run.json(one.name, 1)]).toEqual([
      one.title,
      [expect.objectContaining({ message: expect.stringContaining('longer than this run') })],
    ]);
  }
});
