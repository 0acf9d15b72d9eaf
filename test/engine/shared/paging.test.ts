/** Every list requests exactly the rows that the user wants, because rows are billed. */
import { LISTS, placeIn, rowsOfService, runList, settled } from './lists';
import { useSandbox } from './service';
import { errorItemOf } from './error-items';

// Enough companies for several pages of 10,000.
const sandbox = useSandbox({ companies: 26_000 });

describe.each(LISTS)('$title', (one) => {
  let all: unknown[];
  beforeAll(async () => {
    all = (await runList(sandbox, one, { returnAll: true })).json(one.name);
  });

  it('returns every row once, in the order of the service, with Return All', async () => {
    const run = await runList(sandbox, one, { returnAll: true, simplify: false });
    const { requests, charged } = sandbox.report();
    const rows = await rowsOfService(sandbox);

    expect([run.error, run.json(one.name)]).toEqual([undefined, rows]);
    expect([requests, Math.ceil(rows.length / one.pageSize)]).toEqual([one.pages, one.pages]);
    expect(charged).toBe(one.billed ? rows.length : 0);
    expect(all).toHaveLength(rows.length);
  });

  it.each<[number, { limit?: number; returnAll?: boolean }]>([
    [0, { limit: 1 }],
    [0, { limit: 257 }],
    [137, { limit: 130 }],
    [one.pageSize, { returnAll: true }],
    [100_000, {}],
  ])('reads and pays for only the rows with Offset %i and %j', async (offset, parameters) => {
    const run = await runList(sandbox, one, { ...parameters, options: { offset } });
    const wanted = all.slice(offset, offset + (parameters.limit ?? Infinity));

    expect([run.error, run.json(one.name)]).toEqual([undefined, wanted]);
    expect(sandbox.report().charged).toBe(one.billed ? wanted.length : 0);
  });

  if (one.pages === 1) return;
  it.each([
    ['continueRegularOutput', 0],
    ['continueErrorOutput', 1],
  ] as const)(
    'outputs the paid rows and an error when a page fails: %s',
    async (onError, output) => {
      sandbox.addFault({ preset: 'forbidden', when: { nth: one.pages } });
      const run = await runList(sandbox, one, { returnAll: true }, { onError });
      const came = all.slice(0, (one.pages - 1) * one.pageSize);
      const failed = errorItemOf('forbidden');

      expect(run.json(one.name)).toEqual(output === 0 ? [...came, failed] : came);
      expect(run.json(one.name, 1)).toEqual(
        output === 0 ? [] : [{ ...placeIn(sandbox), ...failed }],
      );
      await settled(sandbox);
    },
  );
});
