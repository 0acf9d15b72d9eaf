/**
 * The node does not send 1,000 requests if the key is rejected, every request is redirected, or
 * nothing listens at the address.
 */
import { Socket } from 'node:net';

import { deserted } from '../../src/client/support/service';
import { runCase, READS } from './operations';
import { sentTo, useSandbox, userCredential } from './service';

const sandbox = useSandbox();

const [get] = READS;
const companies = (count: number) =>
  Array.from({ length: count }, (_one, index) => ({ company: `company-${String(index)}.com` }));

/** Requests of one run that can be in flight when the first response arrives. */
const UNDER_WAY = 90;

it.each([
  ['a 401', { preset: 'unauthorized' as const }, UNDER_WAY],
  ['a redirect', { preset: 'redirect' as const }, UNDER_WAY + 3],
])('skips the rest of 1,000 rows with a reason after %s', async (_what, fault, most) => {
  if (get === undefined) throw new Error('There are no reads.');
  sandbox.addFault({ ...fault, when: 'every' });
  const rows = companies(1_000);
  const run = await runCase(sandbox, get, rows, { onError: 'continueRegularOutput' });

  expect(sentTo(sandbox).length).toBeLessThanOrEqual(most);
  expect(run.traced()).toEqual(rows.map((_row, id) => id));
  const last = JSON.stringify(run.json(get.name).at(-1));
  expect(last).toContain('not_attempted');
  expect(last).toContain('because an earlier request failed');
});

/** Attempts of a request to a service that cannot be reached. */
const ATTEMPTS = 4;

it('skips the rest of 1,000 rows with a reason when the port is closed', async () => {
  if (get === undefined) throw new Error('There are no reads.');
  const baseUrl = await deserted();
  const connect = jest.spyOn(Socket.prototype, 'connect');
  const rows = companies(1_000);
  const run = await runCase(sandbox, get, rows, {
    onError: 'continueRegularOutput',
    credentials: userCredential(sandbox, 'user', { baseUrl }),
  });
  const { port } = new URL(baseUrl);
  const attempts = connect.mock.calls.filter((call) =>
    ([call] as unknown[])
      .flat(2)
      .some((one) => String((Object(one) as { port?: unknown }).port) === port),
  );
  connect.mockRestore();

  // Each request in flight is retried, because the service may only be restarting.
  expect(attempts.length).toBeGreaterThan(UNDER_WAY);
  expect(attempts.length).toBeLessThanOrEqual(UNDER_WAY * ATTEMPTS);
  expect(run.traced()).toEqual(rows.map((_row, id) => id));
  const last = JSON.stringify(run.json(get.name).at(-1));
  expect(last).toContain('not_attempted');
  expect(last).toContain('because an earlier request failed');
});
