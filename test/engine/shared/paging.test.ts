/** Every list requests exactly the rows that the user wants, because rows are billed. */
import { LISTS, placeIn, rowsOfService, runList, settled } from './lists';
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

describe.each(LISTS)('$title', (one) => {
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

  it.each([1, 100, 101, 257])(
    'reads only the first rows, each once, with Limit %i',
    async (limit) => {
      const run = await runList(sandbox, one, { limit });
      const ranges = requestedRanges().sort((a, b) => a.from - b.from);
      const last = Math.min(limit, one.pages * one.pageSize);

      expect(run.json(one.name)).toEqual(all.slice(0, limit));
      expect([...ranges.map(({ from }) => from), last]).toEqual([0, ...ranges.map(({ to }) => to)]);
      expect(ranges.every(({ from, to }) => to - from <= one.pageSize)).toBe(true);
      expect(sandbox.report().charged).toBe(one.billed ? Math.min(limit, all.length) : 0);
    },
  );

  it.each<[number, { limit?: number; returnAll?: boolean }]>([
    [1, { returnAll: true }],
    [7, { limit: 101 }],
    [137, { limit: 130 }],
    [one.pageSize, { returnAll: true }],
    [100_000, {}],
  ])('reads and pays for only the rows with Offset %i and %j', async (offset, parameters) => {
    const run = await runList(sandbox, one, { ...parameters, options: { offset } });
    const wanted = all.slice(offset, offset + (parameters.limit ?? Infinity));

    expect([run.error, run.json(one.name)]).toEqual([undefined, wanted]);
    expect(sandbox.report().charged).toBe(one.billed ? wanted.length : 0);
  });
});

describe.each(LISTS.filter(({ pages }) => pages > 1))('$title of several pages', (one) => {
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
      expect(run.json(one.name, 1)).toEqual(
        split ? [{ ...placeIn(sandbox), ...errorItemOf('forbidden') }] : [],
      );
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

const PAGED = LISTS.filter(({ pages, billed }) => billed && pages > 1);

describe.each(PAGED)('$title, Max Credits', (one) => {
  it.each([
    [10, { limit: 11 }],
    [one.pageSize + 10, { returnAll: true }],
    [120, { limit: 120 }],
  ])('of %i works like Limit with %j, and a hint says so', async (maxCredits, parameters) => {
    const all = await rowsOfService(sandbox, one);
    sandbox.reset();
    const run = await runList(sandbox, one, { ...parameters, options: { maxCredits } });
    const wanted = Math.min(all.length, 'limit' in parameters ? parameters.limit : Infinity);

    expect(run.error).toBeUndefined();
    expect(run.json(one.name)).toEqual(all.slice(0, maxCredits));
    expect(sandbox.report().charged).toBe(maxCredits);
    const [n, of] = [maxCredits, wanted].map((count) => count.toLocaleString('en-US'));
    const isCut = wanted > maxCredits;
    expect(run.messages(one.name).join().includes('The credits covered')).toBe(isCut);
    if (isCut)
      expect(run.messages(one.name).join()).toContain(`The credits covered ${n} of ${of} rows.`);
  });
});
