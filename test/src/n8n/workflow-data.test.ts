/** What n8n keeps with a workflow of the companies that its runs have read. */
import fc from 'fast-check';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { FREE_MS, Reads, type Read } from '../../../src/client/keys';
import { FEWEST_KEPT, keepReads, keptReads } from '../../../src/n8n/workflow-data';

const DAY_MS = 24 * 60 * 60_000;

function contextWith(data: IDataObject): IExecuteFunctions {
  return {
    getWorkflow: () => ({}),
    getWorkflowStaticData: () => data,
  } as unknown as IExecuteFunctions;
}

const namesOf = (count: number, prefix = 'company') =>
  Array.from({ length: count }, (_one, at) => `${prefix}-${String(at)}.com`);

it('gives back what was kept, with a time that is not later', () => {
  fc.assert(
    fc.property(fc.integer({ min: FEWEST_KEPT, max: 300 }), fc.nat(29), (count, daysAgo) => {
      const context = contextWith({});
      const at = Date.now() - daysAgo * DAY_MS;
      const { news } = new Reads('secret', 0).note(namesOf(count), at);
      keepReads(context, news);
      const kept = keptReads(context);

      expect(kept.map(([hash]) => hash)).toEqual(news.map(([hash]) => hash));
      for (const [, time] of kept) expect(at - time).toBeGreaterThanOrEqual(0);
      for (const [, time] of kept) expect(at - time).toBeLessThan(DAY_MS);
    }),
  );
});

it('serves a process that has forgotten', () => {
  const context = contextWith({});
  keepReads(context, new Reads('secret', 0).note(namesOf(60), Date.now()).news);
  const fresh = new Reads('secret', Date.now());
  fresh.recall(keptReads(context));

  expect(namesOf(60).every((name) => fresh.knows(name, Date.now()))).toBe(true);
  expect(namesOf(60, 'other').some((name) => fresh.knows(name, Date.now()))).toBe(false);
});

it('is bounded, forgets after 30 days, and is not written for a few companies', () => {
  const data: IDataObject = {};
  const context = contextWith(data);
  const reads = (count: number, at: number): Read[] =>
    new Reads('s', 0).note(namesOf(count), at).news;
  keepReads(context, reads(FEWEST_KEPT - 1, Date.now()));
  expect(data).toEqual({});
  keepReads(context, reads(100, Date.now() - FREE_MS));
  expect(keptReads(context)).toEqual([]);
  keepReads(context, reads(30_000, Date.now()));
  expect(keptReads(context)).toHaveLength(20_000);
  expect(JSON.stringify(data).length).toBeLessThan(250_000);
});

it('takes whatever else stands there for nothing', () => {
  fc.assert(
    fc.property(fc.anything(), (anything) => {
      const context = contextWith({ companyIntelligenceReads: anything } as IDataObject);
      expect(Array.isArray(keptReads(context))).toBe(true);
    }),
  );
});
