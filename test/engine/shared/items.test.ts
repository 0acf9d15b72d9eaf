/**
 * Every read outputs the result of each item in order, linked to the item, and sends equal requests
 * once.
 */
import { isDeepStrictEqual } from 'node:util';

import { READS, runCase } from './operations';
import { sentTo, useSandbox, userCredential } from './service';

// The clock stands still, so that lists have the same age before and after a reset.
const sandbox = useSandbox({ now: () => Date.UTC(2026, 0, 1) });

describe.each(READS)('$title', (one) => {
  it('outputs the same rows for several items as for each alone, in order and linked', async () => {
    const items = one.items(sandbox);
    const alone = [];
    for (const item of items) alone.push((await runCase(sandbox, one, [item])).json(one.name));
    sandbox.reset();
    // The first response arrives last. An output in the order of the responses would therefore
    // fail.
    sandbox.addFault({ fault: { kind: 'drip', everyMs: 1 } });
    const run = await runCase(sandbox, one, [...items].reverse());

    expect(run.error).toBeUndefined();
    expect(run.json(one.name)).toEqual([...alone].reverse().flat());
    expect(run.traced()).toEqual([...alone].reverse().flatMap((rows, id) => rows.map(() => id)));
    expect(isDeepStrictEqual(alone[0], alone[1])).toBe(false);
  });

  it('sends equal requests once, but outputs separate objects for each item', async () => {
    const [first = {}, second = {}] = one.items(sandbox);
    const run = await runCase(sandbox, one, [first, second, first]);
    const output = run.output(one.name);
    const of = (id: number) => output.filter((_item, index) => run.traced()[index] === id);

    expect(sentTo(sandbox)).toHaveLength(2 * (one.requests ?? 1));
    expect(of(2).length).toBeGreaterThan(0);
    expect(of(2).map(({ json }) => json)).toEqual(of(0).map(({ json }) => json));
    expect(of(2)[0]?.json).not.toBe(of(0)[0]?.json);
  });

  it(`costs ${String(one.credits)} credits for one item, and nothing when repeated`, async () => {
    const items = one.items(sandbox).slice(0, 1);
    await runCase(sandbox, one, items);
    expect(sandbox.report().charged).toBe(one.credits);
    await runCase(sandbox, one, items);
    expect(sandbox.report().charged).toBe(one.credits);
  });
});

describe.each(READS.filter(({ userKeyOnly }) => userKeyOnly !== true))('$title', (one) => {
  it('returns the same rows with a user key and an organization key', async () => {
    const items = one.items(sandbox).slice(0, 1);
    const { companyIntelligenceUserApi: organization } = userCredential(sandbox, 'organization');
    const credentials = {
      ...userCredential(sandbox),
      companyIntelligenceOrganizationApi: organization,
    };
    const byUser = await runCase(sandbox, one, items, { credentials });
    const byOrganization = await runCase(sandbox, one, items, {
      credentials,
      parameters: { authentication: 'organizationKey' },
    });

    expect(byOrganization.json(one.name)).toEqual(byUser.json(one.name));
    expect(Object.keys(sandbox.report().byKey)).toEqual(['user', 'organization']);
  });
});
