/** What holds for every list: rows are billed, so exactly those that are wanted are asked for. */
import { setImmediate } from 'node:timers/promises';

import { LISTS, rowsOfService, runList, SHORT_LISTS } from './lists';
import { sentTo, useSandbox } from './service';
import { errorItemOf } from './error-items';

// Enough for several pages of 10,000.
const sandbox = useSandbox({ companies: 26_000 });

/** First and last row of each page asked for, counted from 0, last excluded. */
function rangesAsked() {
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

  it('Return All: every row of the service once, in its order', async () => {
    const run = await runList(sandbox, one, { returnAll: true });

    expect(run.error).toBeUndefined();
    expect(run.json(one.name)).toEqual(all);
    expect(Math.ceil(all.length / one.pageSize)).toBe(one.pages);
    expect(sandbox.report().requests).toBe(one.pages);
    expect(sandbox.report().charged).toBe(one.billed ? all.length : 0);
  });

  it.each([1, 50, 100, 101, 250, 257])(
    'Limit %i: reads the first rows only, requests none beyond them and none twice',
    async (limit) => {
      const run = await runList(sandbox, one, { limit });
      const asked = rangesAsked().sort((a, b) => a.from - b.from);

      expect(run.json(one.name)).toEqual(all.slice(0, limit));
      expect(asked[0]?.from).toBe(0);
      expect(asked.slice(1).map(({ from }) => from)).toEqual(
        asked.slice(0, -1).map(({ to }) => to),
      );
      expect(asked.at(-1)?.to).toBe(limit);
      expect(asked.every(({ from, to }) => to - from <= one.pageSize)).toBe(true);
      expect(sandbox.report().charged).toBe(one.billed ? limit : 0);
    },
  );

  it.each<[number, { limit?: number; returnAll?: boolean }]>([
    [1, { returnAll: true }],
    [7, { limit: 101 }],
    [101, { limit: 1 }],
    [137, { limit: 130 }],
  ])(
    'Offset %i, %j: reads exactly those rows and pays for no others',
    async (offset, parameters) => {
      const run = await runList(sandbox, one, { ...parameters, options: { offset } });
      const end = Math.min(all.length, offset + (parameters.limit ?? Infinity));

      expect(run.json(one.name)).toEqual(all.slice(offset, end));
      expect(sandbox.report().charged).toBe(one.billed ? end - offset : 0);
    },
  );

  it('an Offset behind the last row is no error', async () => {
    const run = await runList(sandbox, one, { options: { offset: all.length + 5 } });

    expect([run.error, run.json(one.name)]).toEqual([undefined, []]);
  });

  it('pages after the first are fetched at the same time', async () => {
    sandbox.setLatency(100);
    await runList(sandbox, one, one.pages > 2 ? { returnAll: true } : { limit: all.length - 1 });

    expect(sandbox.report().peakConcurrency).toBeGreaterThan(1);
  });

  it.each(['continueRegularOutput', 'continueErrorOutput', 'stopWorkflow'] as const)(
    'one page that fails, %s: what was paid for comes out where the user said Continue',
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
      // Pages that were under way belong to this test.
      while (sandbox.report().recent.some(({ status }) => status === null)) await setImmediate();
    },
  );
});

describe.each(LISTS.filter(({ billed }) => billed))('$title, Max Credits', (one) => {
  it.each([
    [10, { limit: 11 }],
    [one.pageSize + 10, { returnAll: true }],
  ])('of %i is never exceeded by %j', async (maxCredits, parameters) => {
    const run = await runList(
      sandbox,
      one,
      { ...parameters, options: { maxCredits } },
      { onError: 'continueRegularOutput' },
    );

    expect(run.json(one.name).at(-1)).toEqual(errorItemOf('max_credits_reached'));
    // Nothing that was paid for is left out.
    const { charged } = sandbox.report();
    expect(run.json(one.name).length - 1).toBe(charged > 1 ? charged : 0);
    expect(charged).toBeLessThanOrEqual(maxCredits);
  });

  it('may be spent to the last credit', async () => {
    const run = await runList(sandbox, one, { limit: 120, options: { maxCredits: 120 } });

    expect(run.json(one.name)).toHaveLength(120);
  });
});

describe.each(SHORT_LISTS)('$title', (one) => {
  it('Offset leaves out the first rows, which are not paid', async () => {
    const all = await rowsOfService(sandbox, one);
    sandbox.reset();
    const run = await runList(sandbox, one, { limit: 2, options: { offset: 1 } });

    expect(run.json(one.name)).toEqual(all.slice(1, 3));
    expect(sandbox.report().charged).toBe(2);
  });

  it.each([{ limit: 1 }, { limit: 3 }, { returnAll: true }])('%j', async (parameters) => {
    const all = await rowsOfService(sandbox, one);
    sandbox.reset();
    const run = await runList(sandbox, one, parameters);
    const wanted = 'limit' in parameters ? parameters.limit : all.length;

    expect(all.length).toBeGreaterThan(3);
    expect(run.json(one.name)).toEqual(all.slice(0, wanted));
    expect(sandbox.report()).toMatchObject({ requests: 1, charged: wanted });
  });
});

const WITH_HEADER = [...LISTS, ...SHORT_LISTS].filter(({ header }) => header.length > 0);

describe.each(WITH_HEADER)('$title, Header', (one) => {
  it('Leave Out: rows alone', async () => {
    const run = await runList(sandbox, one, { limit: 2 });

    for (const name of one.header) expect(run.json(one.name)[0]).not.toHaveProperty(name);
  });

  it('Add to Each Row: every row has its own fields and the header', async () => {
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

  it('Return Alone: one item with the total, one row asked for and paid, whatever Limit and Offset say', async () => {
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
    expect(sentTo(sandbox).map(({ query }) => query)).toEqual([
      expect.objectContaining({ page: '1', limit: '1' }),
    ]);
    expect(sandbox.report().charged).toBe(1);
  });
});
