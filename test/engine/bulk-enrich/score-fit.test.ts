/** Bulk Enrich, Score Fit: scores each row by won and lost rows, without a request. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runWorkflow, source } from '../harness';
import { bulkEnrich, NAME, ON_ERROR } from './bulk-enrich';

/** Runs Score Fit without a credential, because this operation sends no request. */
async function score(
  rows: readonly IDataObject[],
  parameters: INodeParameters = {},
  onError: (typeof ON_ERROR)[number] = 'stopWorkflow',
) {
  return await runWorkflow({
    nodes: [
      source(rows),
      bulkEnrich(
        { operation: 'scoreFit', outcome: '={{ $json.stage }}', fields: 'industry', ...parameters },
        { onError },
      ),
    ],
    trace: { node: NAME, expression: "={{ $('Source').item.json.id }}" },
  });
}

function deals(count: number, stage: string, industry: string): IDataObject[] {
  return Array.from({ length: count }, () => ({ stage, enrichment: { industry } }));
}

const DEALS = [
  ...deals(16, 'closedwon', 'Software'),
  ...deals(4, 'Closed Won', 'Retail'),
  ...deals(4, 'lost', 'Software'),
  ...deals(16, 'lost', 'Retail'),
  ...deals(1, 'Negotiation', 'Software'),
  ...deals(1, '', 'Retail'),
  ...deals(1, '', 'Mining'),
].map((deal, id): IDataObject => ({ id, ...deal }));

it('scores each row by its similarity to won rows, with reasons', async () => {
  const run = await score(DEALS);
  const rows = run.json(NAME);

  expect(rows).toEqual(DEALS.map((deal) => ({ ...deal, fit: expect.any(Object) })));
  expect(rows.slice(-3).map(({ fit }) => fit)).toEqual([
    { score: 1.2, score_100: 77, grade: 'B', reasons: 'Software +1.2' },
    { score: -1.2, score_100: 23, grade: 'C', reasons: 'Retail -1.2' },
    { score: 0, score_100: 50, grade: 'C', reasons: '' },
  ]);
  expect(run.traced()).toEqual(DEALS.map(({ id }) => id));
  expect(run.messages(NAME)).toEqual([
    'Learned from 20 won rows and 20 lost rows. In 76% of pairs of a won and a lost row, the won row has the higher score; chance alone gives 50%.',
  ]);
});

it('adds columns or outputs only the result, depending on Output', async () => {
  const columns = await score(DEALS, { options: { output: 'columns' } });
  const alone = await score(DEALS, { options: { output: 'result' } });

  expect(columns.json(NAME).at(-2)).toEqual({
    ...DEALS.at(-2),
    fit_score: -1.2,
    fit_score_100: 23,
    fit_grade: 'C',
    fit_reasons: 'Retail -1.2',
  });
  expect(alone.json(NAME).at(-2)).toEqual({
    score: -1.2,
    score_100: 23,
    grade: 'C',
    reasons: 'Retail -1.2',
  });
});

it('warns when the rows are too few or the scores are no better than chance', async () => {
  const few = await score(DEALS.filter((_deal, at) => at % 3 === 0));
  const blind = await score(DEALS, { fields: 'nothing' });

  for (const run of [few, blind]) {
    expect(run.messages(NAME)).toEqual([
      expect.stringContaining('That is not enough to rely on these scores.'),
    ]);
  }
});

describe.each(ON_ERROR)('On Error: %s', (onError) => {
  it.each([
    ['lost row', { outcome: 'won' }, 'No row is lost, so there is nothing to learn from'],
    ['won row', { outcome: 'no' }, 'No row is won, so there is nothing to learn from'],
    ['field name', { fields: ' , ' }, '"Fields" contains no field name'],
  ])('reports an error when there is no %s', async (_name, parameters, message) => {
    const run = await score(DEALS.slice(0, 2), parameters, onError);
    if (onError === 'stopWorkflow') {
      expect(run.error).toMatchObject({ message });
      return;
    }
    const errors = run.json(NAME, onError === 'continueErrorOutput' ? 1 : 0);
    expect(errors.map((item) => item['message'] ?? item['error'])).toEqual([message, message]);
  });
});
