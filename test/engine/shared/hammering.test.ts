/**
 * The node does not send 1,000 requests if the key is rejected or every request is redirected.
 */
import { runCase, READS } from './operations';
import { sentTo, useSandbox } from './service';

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
