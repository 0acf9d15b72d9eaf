/** Costs that every billed operation reports, compared with what the service billed. */
import { runWorkflow, source } from '../harness';
import { BILLED_READS, runCase } from './operations';
import { packageNode, useSandbox, userCredential } from './service';

const sandbox = useSandbox();

describe.each(BILLED_READS)('$title', (one) => {
  it('reports rows, requests and maximum credits in a hint and in the execution data', async () => {
    const items = one.items(sandbox);
    const run = await runCase(sandbox, one, items);
    const { charged, requests } = sandbox.report();
    const atMost = Number(run.customData['company_intelligence_credits_at_most']);

    expect(atMost).toBeGreaterThanOrEqual(charged);
    expect(atMost).toBeLessThanOrEqual(items.length * (one.atMost ?? one.credits));
    expect(run.customData).toMatchObject({
      company_intelligence_requests: String(requests),
      company_intelligence_rows: String(run.json(one.name).length),
    });
    expect(run.messages(one.name).join()).toContain(`Cost: up to ${String(atMost)} credit`);
  });
});

/** Billed reads that have a Limit, so that a run can omit rows. */
const LISTS = BILLED_READS.filter(({ parameters }) => 'limit' in parameters);

describe.each(LISTS)('$title', (one) => {
  it('charges no more for Return All than the hint and Count Only say', async () => {
    const items = one.items(sandbox).slice(0, 1);
    const limited = await runCase(sandbox, one, items, { parameters: { limit: 1 } });
    const counted = await runCase(sandbox, one, items, { parameters: { countOnly: true } });
    sandbox.reset();
    const all = await runCase(sandbox, one, items, { parameters: { returnAll: true } });
    const rows = all.json(one.name).length;
    const { charged } = sandbox.report();

    expect(limited.messages(one.name).join()).toMatch(
      rows === 1
        ? /^1 row,/
        : new RegExp(
            `^1 of ${rows.toLocaleString('en-US')} .* Return All would cost up to ${rows.toLocaleString('en-US')} credits\\.$`,
          ),
    );
    expect(counted.json(one.name)).toEqual([
      expect.objectContaining({
        total_results: rows,
        credits_at_least: 0,
        credits_at_most: rows,
      }),
    ]);
    expect(charged).toBeLessThanOrEqual(rows);
  });

  it('sends one request for up to 1 credit with Count Only', async () => {
    const items = one.items(sandbox).slice(0, 1);
    await runCase(sandbox, one, items, { parameters: { countOnly: true, returnAll: true } });

    expect(sandbox.report().requests).toBe(1);
    expect(sandbox.report().charged).toBeLessThanOrEqual(1);
  });
});

it('adds up the requests of two nodes in the same execution', async () => {
  const [one] = BILLED_READS;
  if (one === undefined) throw new Error('Nothing is billed.');
  const items = one.items(sandbox);
  const node = (name: string) => {
    const spec = packageNode(one.type, { ...one.parameters });
    return { ...spec, options: { ...spec.options, name } };
  };
  const run = await runWorkflow({
    nodes: [source(items), node('First'), node('Second')],
    wires: [
      { from: 'Source', to: 'First' },
      { from: 'Source', to: 'Second' },
    ],
    credentials: userCredential(sandbox),
  });

  expect(run.customData['company_intelligence_requests']).toBe(String(2 * items.length));
});
