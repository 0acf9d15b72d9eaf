/** Every list requests exactly the rows that the user wants, because rows are billed. */
import { LISTS, rowsOfService, runList, settled, SHORT_LISTS } from './lists';
import { ON_ERROR, sentTo, useSandbox } from './service';
import { errorItemOf } from './error-items';

// Enough companies for several pages of 10,000.
const sandbox = useSandbox({ companies: 26_000 });

/**
 * Returns the first and the last row of each requested page, counted from 0; the last is excluded.
 */
function requestedRanges() {
  return sentTo(sandbox).map(({ query }) => {
    const [page, limit] = [Number(query['page']), Number(query['limit'])];
    return { from: (page - 1) * limit, to: page * limit };
  });
}

const ALL_LISTS = [...LISTS, ...SHORT_LISTS];

describe.each(ALL_LISTS)('$title', (one) => {
  let all: unknown[];
  beforeAll(async () => {
    all = await rowsOfService(sandbox, one);
  });

  it('returns every row once, in the order of the service, with Return All', async () => {
    const run = await runList(sandbox, one, { returnAll: true });

    expect(run.error).toBeUndefined();
    expect(run.json(one.name)).toEqual(all);
    expect(Math.ceil(all.length / one.pageSize)).toBe(one.pages);
    expect(sandbox.report().requests).toBe(one.pages);
    expect(sandbox.report().charged).toBe(one.billed ? all.length : 0);
  });

  it.each([1, 50, 100, 101, 250, 257])(
    'reads only the first rows, each once, with Limit %i',
    async (limit) => {
      const run = await runList(sandbox, one, { limit });
      const ranges = requestedRanges().sort((a, b) => a.from - b.from);

      expect(run.json(one.name)).toEqual(all.slice(0, limit));
      expect(ranges[0]?.from).toBe(0);
      expect(ranges.slice(1).map(({ from }) => from)).toEqual(
        ranges.slice(0, -1).map(({ to }) => to),
      );
      expect(ranges.at(-1)?.to).toBe(Math.min(limit, one.pages * one.pageSize));
      expect(ranges.every(({ from, to }) => to - from <= one.pageSize)).toBe(true);
      expect(sandbox.report().charged).toBe(one.billed ? Math.min(limit, all.length) : 0);
    },
  );

  it.each<[number, { limit?: number; returnAll?: boolean }]>([
    [1, { returnAll: true }],
    [7, { limit: 101 }],
    [101, { limit: 1 }],
    [137, { limit: 130 }],
  ])(
    'reads and pays for only the requested rows with Offset %i and %j',
    async (offset, parameters) => {
      const run = await runList(sandbox, one, { ...parameters, options: { offset } });
      const wanted = all.slice(offset, offset + (parameters.limit ?? Infinity));

      expect(run.json(one.name)).toEqual(wanted);
      expect(sandbox.report().charged).toBe(one.billed ? wanted.length : 0);
    },
  );

  it('returns no rows and no error when Offset is beyond the last row', async () => {
    const run = await runList(sandbox, one, { options: { offset: all.length + 5 } });

    expect([run.error, run.json(one.name)]).toEqual([undefined, []]);
  });
});

describe.each(LISTS)('$title of several pages', (one) => {
  let all: unknown[];
  beforeAll(async () => {
    all = await rowsOfService(sandbox, one);
  });

  it('fetches several pages at the same time', async () => {
    sandbox.setLatency(100);
    await runList(sandbox, one, one.pages > 2 ? { returnAll: true } : { limit: all.length - 1 });

    expect(sandbox.report().peakConcurrency).toBeGreaterThan(1);
  });

  it.each(ON_ERROR)(
    'outputs the paid rows and an error when a page fails, or only fails with Stop: %s',
    async (onError) => {
      sandbox.addFault({ preset: 'forbidden', when: { nth: one.pages } });
      const run = await runList(sandbox, one, { returnAll: true }, { onError });
      const came = onError === 'stopWorkflow' ? [] : all.slice(0, (one.pages - 1) * one.pageSize);
      const failed = onError === 'stopWorkflow' ? [] : [errorItemOf('forbidden')];
      const split = onError === 'continueErrorOutput';

      expect(run.json(one.name)).toEqual(split ? came : [...came, ...failed]);
      expect(run.json(one.name, 1)).toEqual(split ? failed : []);
      expect(run.error === undefined).toBe(onError !== 'stopWorkflow');
      if (onError === 'stopWorkflow' && one.billed) {
        expect(run.error?.description).toMatch(
          /Spent before this error: up to [\d,]+ credits in \d+ requests\. .* free for 30 days/,
        );
      }
      await settled(sandbox);
    },
  );
});

describe.each(LISTS.filter(({ billed }) => billed))('$title, Max Credits', (one) => {
  it.each([
    [10, { limit: 11 }],
    [one.pageSize + 10, { returnAll: true }],
  ])('of %i works like Limit with %j, and a hint says so', async (maxCredits, parameters) => {
    const all = await rowsOfService(sandbox, one);
    sandbox.reset();
    const run = await runList(sandbox, one, { ...parameters, options: { maxCredits } });
    const wanted = Math.min(all.length, 'limit' in parameters ? parameters.limit : Infinity);

    expect(run.error).toBeUndefined();
    expect(run.json(one.name)).toEqual(all.slice(0, maxCredits));
    expect(sandbox.report().charged).toBe(maxCredits);
    const [n, of] = [maxCredits, wanted].map((count) => count.toLocaleString('en-US'));
    expect(run.messages(one.name).join()).toContain(`The credits covered ${n} of ${of} rows.`);
  });

  it('can be spent to the last credit', async () => {
    const run = await runList(sandbox, one, { limit: 120, options: { maxCredits: 120 } });

    expect(run.json(one.name)).toHaveLength(120);
    expect(run.messages(one.name).join()).not.toContain('The credits covered');
  });
});

describe.each(ALL_LISTS.filter(({ header }) => header.length > 0))(
  '$title, Summary Fields',
  (one) => {
    it('omits the summary fields from rows with Leave Out', async () => {
      const run = await runList(sandbox, one, { limit: 2 });

      for (const name of one.header) expect(run.json(one.name)[0]).not.toHaveProperty(name);
    });

    it('adds the summary fields to every row with Add to Each Row', async () => {
      const parameters = { limit: 2, simplify: false };
      const rows = (await runList(sandbox, one, parameters)).json(one.name);
      const options = { header: 'addToRows' };
      const run = await runList(sandbox, one, { ...parameters, options });

      expect(run.json(one.name)).toEqual(
        rows.map((row): unknown => ({
          ...row,
          ...Object.fromEntries(one.header.map((name) => [name, expect.any(Object)])),
        })),
      );
    });

    it('returns one item with the total for 1 credit with Only the Summary', async () => {
      const all = await rowsOfService(sandbox, one);
      sandbox.reset();
      const run = await runList(sandbox, one, {
        returnAll: true,
        options: { header: 'only', offset: 1 },
      });

      expect(run.json(one.name)).toHaveLength(1);
      expect(Object.keys(run.json(one.name)[0] ?? {}).sort()).toEqual(
        [...one.header, 'total_results'].sort(),
      );
      expect(run.json(one.name)[0]?.['total_results']).toBe(all.length);
      expect(sentTo(sandbox).map(({ query }) => query)).toMatchObject([{ page: '1', limit: '1' }]);
      expect(sandbox.report().charged).toBe(1);
    });
  },
);
