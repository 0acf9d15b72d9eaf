/** Flag Data: a flag is created once, whatever n8n repeats and whatever answer is lost. */
import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';

import type { FaultRequest } from '../../../sandbox';
import { node, runWorkflow, source } from '../harness';
import {
  credentialFor,
  packageNode,
  useSandbox,
  trackedDomains,
  userCredential,
} from '../shared/service';
import { deserted } from '../../src/client/support/service';
import { flag, NAME } from './flag-data';
import { errorItemOf } from '../shared/error-items';

const sandbox = useSandbox();

const RETRY = { retryOnFail: true, maxTries: 5, waitBetweenTries: 1 } as const;
const sentFor = (company: string | undefined) =>
  sandbox.report().recent.filter(({ path }) => path.includes(company ?? '?'));
const flagsOf = (company: string | undefined) =>
  sentFor(company).filter(({ status }) => status === 201).length;

describe.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
  'with Retry On Fail, On Error: %s',
  (onError) => {
    const settings = { ...RETRY, onError };

    it.each([
      ['the first', 0],
      ['a later', 1],
      ['the last', 2],
    ])('%s item fails each time: the others are flagged once', async (_which, failing) => {
      const domains = trackedDomains(sandbox, 3);
      sandbox.addFault({
        preset: 'forbidden',
        match: { path: `/v1/companies/${domains[failing] ?? ''}/flags` },
        when: 'every',
      });
      await flag(
        sandbox,
        {},
        domains.map((company) => ({ company, text: 'Closed' })),
        settings,
      );

      // n8n runs the node again when it throws, and under Continue when its first item failed.
      const again = onError === 'stopWorkflow' || failing === 0;
      expect(sentFor(domains[failing])).toHaveLength(again ? 5 : 1);
      for (const company of domains) expect(flagsOf(company)).toBeLessThanOrEqual(1);
      // With Stop, what was not under way when the item failed is not sent any more.
      const { flags } = sandbox.report().created;
      if (onError === 'stopWorkflow') expect(flags).toBeLessThanOrEqual(2);
      else expect(flags).toBe(2);
    });

    it('the first item fails for a moment: in the end each has its one flag', async () => {
      const domains = trackedDomains(sandbox, 3);
      sandbox.addFault({
        preset: 'forbidden',
        match: { path: `/v1/companies/${domains[0] ?? ''}/flags` },
        when: 'first',
      });
      const run = await flag(
        sandbox,
        {},
        domains.map((company) => ({ company, text: 'Closed' })),
        settings,
      );

      expect(run.error).toBeUndefined();
      expect(run.json(NAME, 0).map((one) => one['identifier'])).toEqual(domains);
      expect(sandbox.report().created.flags).toBe(3);
    });

    it.each<[string, FaultRequest]>([
      ['the connection is reset after it was processed', { preset: 'resetAfter' }],
      ['the answer is cut off', { preset: 'cutConnection' }],
      ['the answer is not whole JSON', { preset: 'truncatedJson' }],
    ])('%s: the outcome is unknown, and no second flag is created', async (_what, fault) => {
      const [a, b] = trackedDomains(sandbox, 2);
      sandbox.addFault({
        ...fault,
        match: { path: `/v1/companies/${a ?? ''}/flags` },
        when: 'first',
      });
      const run = await flag(
        sandbox,
        {},
        [a, b].map((company) => ({ company, text: 'Closed' })),
        settings,
      );
      const unknown = {
        message: expect.stringMatching(/^The service may or may not have done this \(POST/),
      };

      // The first company of the world has the id 1.
      expect(sandbox.flags().filter(({ companyId }) => companyId === 1)).toHaveLength(1);
      expect(sentFor(a)).toHaveLength(1);
      expect(sandbox.report().created.flags).toBeLessThanOrEqual(2);
      if (onError === 'stopWorkflow') {
        expect(run.error).toMatchObject(unknown);
        expect(run.error?.description).toMatch(/not sent again.*Check in the service/);
        return;
      }
      const failed = run.json(NAME, onError === 'continueErrorOutput' ? 1 : 0);
      expect(failed.filter((one) => 'error' in one)).toEqual([
        expect.objectContaining({ ...errorItemOf('unknown_outcome'), ...unknown }),
      ]);
    });
  },
);

it.each<[string, FaultRequest]>([
  ['500', { preset: 'html500' }],
  ['502', { preset: 'html502' }],
  ['503', { preset: 'unavailable' }],
  ['a reset', { preset: 'resetBefore' }],
  ['200 with an HTML page', { preset: 'html200' }],
  ['200 with null', { preset: 'null200' }],
  ['200 with nothing', { preset: 'empty200' }],
])('%s may mean that it was done: sent once, the outcome is unknown', async (_what, fault) => {
  sandbox.addFault({ ...fault, when: 'every' });
  const [company] = trackedDomains(sandbox, 1);
  const run = await flag(sandbox, {}, [{ company, text: 'x' }], RETRY);

  expect(run.error?.message).toMatch(/^The service may or may not have done this/);
  expect(sandbox.report().requests).toBe(1);
});

it('an answer that never comes: given up, the outcome is unknown', async () => {
  sandbox.addFault({ preset: 'neverAnswer', when: 'every' });
  const [company] = trackedDomains(sandbox, 1);
  const run = await flag(
    sandbox,
    { options: { requestTimeoutSeconds: 1 } },
    [{ company, text: 'x' }],
    { ...RETRY },
  );

  expect(run.error?.message).toMatch(/^The service may or may not have done this/);
  expect(sandbox.report().recent).toHaveLength(1);
});

it.each<[string, FaultRequest]>([
  ['Retry-After', { preset: 'rateLimit', options: { seconds: 0.05 } }],
  ['the wait in its body', { preset: 'rateLimitBodyOnly', options: { seconds: 1 } }],
])('429 with %s was surely not processed: sent again', async (_what, fault) => {
  sandbox.addFault({ ...fault, when: 'first' });
  const [company] = trackedDomains(sandbox, 1);
  const run = await flag(sandbox, {}, [{ company, text: 'x' }]);

  expect(run.json(NAME)).toEqual([expect.objectContaining({ status: 'queued' })]);
  expect(sandbox.report()).toMatchObject({
    byStatus: { 429: 1, 201: 1 },
    created: { flags: 1 },
  });
});

it('a connection that is refused was surely not processed: tried again', async () => {
  const port = new URL(await deserted()).port;
  let received = 0;
  const service = createServer((_request, response) => {
    received += 1;
    response.writeHead(201).end('{"flag_id":1,"company_id":2,"status":"queued"}');
  });
  const running = flag(sandbox, {}, [{ company: 'a.com', text: 'x' }], {
    credentials: credentialFor(`http://127.0.0.1:${port}`),
  });
  // Long enough for the first attempt, shorter than all of them.
  await setTimeout(250);
  await new Promise<void>((resolve) => service.listen(Number(port), '127.0.0.1', resolve));
  const run = await running;
  service.close();

  expect(run.json(NAME)).toEqual([expect.objectContaining({ flag_id: 1 })]);
  expect(received).toBe(1);
});

it('nobody there at all: says that it could not be reached, not that the outcome is unknown', async () => {
  const run = await flag(sandbox, {}, [{ company: 'a.com', text: 'x' }], {
    credentials: credentialFor(await deserted()),
  });

  expect(run.error?.message).toContain('could not be reached: it refused the connection');
});

it('the same item in another execution is another flag', async () => {
  const [company] = trackedDomains(sandbox, 1);
  await flag(sandbox, {}, [{ company, text: 'x' }], { executionId: 'one' });
  await flag(sandbox, {}, [{ company, text: 'x' }], { executionId: 'two' });
  await flag(sandbox, {}, [{ company, text: 'x' }], { executionId: 'two' });

  expect(sandbox.report().created.flags).toBe(2);
});

it('the same item when the node runs again, as in a loop, is another flag', async () => {
  const [company] = trackedDomains(sandbox, 1);
  const run = await runWorkflow({
    nodes: [
      source([{ company }]),
      node('harness.passThrough', { name: 'Again' }),
      packageNode('flagData', { identifier: '={{ $json.company }}', description: 'x' }),
    ],
    wires: [
      { from: 'Source', to: NAME },
      { from: 'Source', to: 'Again' },
      { from: 'Again', to: NAME },
    ],
    credentials: userCredential(sandbox),
  });

  expect(run.runs(NAME)).toHaveLength(2);
  expect(sandbox.report().created.flags).toBe(2);
});
