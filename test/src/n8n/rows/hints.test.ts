import { formatOutcomes, summarize, type ResponseFacts } from '../../../../src/n8n/rows/hints';
import { toFailure, toSuccess } from '../../../../src/n8n/rows/output-items';

const rowsOf = (rows: number, invalid = 0) => ({
  counts: { rows, distinct_companies: 1, duplicate_rows: 0 },
  invalid: Array.from({ length: invalid }, () => ({ reason: 'no_dot' as const })),
  hasSeveralFields: false,
});

const reportOf = (domains: number, requests: number): ResponseFacts => ({ domains, requests });

it('states the number of rows, distinct domains and requests', () => {
  const hints = summarize(rowsOf(10_000), reportOf(2_000, 20));
  expect(hints).toHaveLength(1);
  expect(hints[0]).toMatchObject({ type: 'info', location: 'outputPane' });
  expect(hints[0]!.message).toMatch(/10,000 rows.*2,000 distinct domains.*20 requests/);
  expect(hints[0]!.message).not.toMatch(/usable/);
});

it.each([
  [0.01, 'in 0.01 requests (other executions shared one).'],
  [0.001, 'in 0.01 requests (other executions shared one).'],
  [2.333, 'in 2.33 requests (other executions shared one).'],
  [1, 'in 1 request.'],
])('counts only the share of this execution in a shared request: %d', (requests, words) => {
  expect(summarize(rowsOf(1), reportOf(1, requests))[0]!.message).toContain(words);
});

it('states how many rows have no usable domain', () => {
  const [hint] = summarize(rowsOf(3, 2), reportOf(1, 1));
  const parts = /3 rows.*1 distinct domain.*1 request\..*No usable domain in 2 rows/;
  expect(hint!.message).toMatch(parts);
});

it.each([
  ['if no row holds a domain', rowsOf(3, 3), 1],
  ['not if one row holds a domain', rowsOf(2, 1), 0],
  ['not if there are no rows', rowsOf(0), 0],
])('warns of a wrong field %s', (_when, rows, warnings) => {
  const hints = summarize(rows, reportOf(0, 0));
  expect(hints.filter(({ type }) => type === 'warning')).toHaveLength(warnings);
});

it('names a reason that many rows share, with their hosts and what to do', () => {
  const linkedIn = { reason: 'profile_page', about: 'linkedin.com' } as const;
  const rows = { ...rowsOf(100), invalid: Array.from({ length: 38 }, () => linkedIn) };
  expect(summarize(rows, reportOf(62, 1)).map(({ message }) => message)).toContain(
    '38 rows hold profile pages (linkedin.com). Drag the website or email column into Domain too.',
  );
  const several = { ...rows, hasSeveralFields: true };
  expect(summarize(several, reportOf(62, 1)).map(({ message }) => message)).toContain(
    '38 rows hold profile pages (linkedin.com).',
  );
  const few = { ...rows, invalid: rows.invalid.slice(0, 9) };
  expect(summarize(few, reportOf(91, 1))).toHaveLength(1);
  const own = { reason: 'ignored', about: 'acme.com' } as const;
  expect(summarize({ ...rowsOf(3), invalid: [own, own, own] }, reportOf(0, 1))).toHaveLength(1);
});

const status = (word: string) => toSuccess({ status: word });
const failure = (message: string) => toFailure(new Error(message));

it('counts the statuses of the rows, the most frequent first, and states why rows failed', () => {
  const results = ['not_tracked', 'tracked', 'tracked'].map(status);
  const failures = ['Not enough credits', 'Not enough credits', 'Another reason'].map(failure);

  expect(formatOutcomes([...results, ...failures])).toEqual({
    type: 'warning',
    location: 'outputPane',
    message:
      'Result for 6 rows: 2 tracked, 1 not tracked, 3 failed. Not enough credits (2 rows). Another reason (1 row).',
  });
});

it('returns an info hint when no row failed', () => {
  const message = 'Result for 1 row: 1 succeeded.';
  expect(formatOutcomes([status('succeeded')])).toMatchObject({ type: 'info', message });
});

it('lists only the first of many reasons', () => {
  const reasons = Array.from({ length: 9 }, (_one, index) => `Reason ${index}`);
  const { message } = formatOutcomes(reasons.map(failure));
  expect(message).toMatch(/^Result for 9 rows: 9 failed\. Reason 0 \(1 row\)\..*Other rows failed/);
  expect(message).not.toContain('Reason 5');
});
