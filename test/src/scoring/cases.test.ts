/** Tests which features and which deal outcome the scoring finds in a row. */
import { parseDealOutcome, extractFeatures } from '../../../src/scoring/cases';

it.each([
  ['won', ['won', ' Won ', 'Closed Won', 'closedwon', 'CLOSED-WON', true, 'yes', 1]],
  ['lost', ['lost', 'Closed Lost', 'closedlost', false, 'No', 0]],
  [undefined, ['', null, undefined, 'Negotiation', 'wonderful', 'almost lost', 2, {}]],
])('parses every spelling of the outcome %s', (outcome, given) => {
  expect(given.map(parseDealOutcome)).toEqual(given.map(() => outcome));
});

it('finds a field in the row, in a nested object, and behind a prefix', () => {
  const found = [
    { industry: 'Retail', enrichment: { industry: 'Software' } },
    { enrichment: { industry: 'Retail', status: 'tracked' } },
    { enriched_industry: 'Retail', crm_industry: 'Software' },
    { subindustry: 'Software' },
    { enrichment: { industry: null } },
  ].map((row) => extractFeatures(row, ['industry']).map(({ value }) => value));

  expect(found).toEqual([['Retail'], ['Retail'], ['Retail'], [], []]);
});

it('splits lists and joined text into features, and turns single values into text', () => {
  const names = ['HubSpot', 'Google Analytics'];
  const objects = names.map((display_name) => ({ display_name }));
  const expected = names.map((value) => ({ field: 'technologies', value }));

  for (const technologies of [names, names.join('; '), objects]) {
    expect(extractFeatures({ technologies }, ['technologies'])).toEqual(expected);
  }
  const row = { size: 50, customer: true, empty: '' };
  expect(extractFeatures(row, ['size', 'customer', 'empty'])).toEqual([
    { field: 'size', value: '50' },
    { field: 'customer', value: 'true' },
  ]);
});
