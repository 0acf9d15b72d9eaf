import { formatOutcomes, summarize, type ResponseFacts } from '../../../../src/n8n/rows/hints';
import { toFailure, toSuccess } from '../../../../src/n8n/rows/output-items';

const rowsOf = (rows: number) => ({
  counts: { rows, distinct_companies: 1, duplicate_rows: 0 },
  invalid: [],
  hasSeveralFields: false,
});

const reportOf = (domains: number, requests: number): ResponseFacts => ({ domains, requests });

it.each([
  [0.01, 'in 0.01 requests (other executions shared one).'],
  [0.001, 'in 0.01 requests (other executions shared one).'],
  [2.333, 'in 2.33 requests (other executions shared one).'],
  [1, 'in 1 request.'],
])('counts only the share of this execution in a shared request: %d', (requests, words) => {
  expect(summarize(rowsOf(1), reportOf(1, requests))[0]!.message).toContain(words);
});

it('names a reason that many rows share, with their hosts and what to do', () => {
  const linkedIn = { reason: 'profile_page', about: 'linkedin.com' } as const;
  const rows = { ...rowsOf(100), invalid: Array.from({ length: 38 }, () => linkedIn) };
  const messagesOf = (given: typeof rows) =>
    summarize(given, reportOf(62, 1)).map(({ message }) => message);
  const words = '38 rows hold profile pages (linkedin.com).';
  expect(messagesOf(rows)).toContain(`${words} Drag the website or email column into Domain too.`);
  expect(messagesOf({ ...rows, hasSeveralFields: true })).toContain(words);
  expect(messagesOf({ ...rows, invalid: rows.invalid.slice(0, 9) })).toHaveLength(1);
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

it('lists only the first of many reasons', () => {
  const reasons = Array.from({ length: 9 }, (_one, index) => `Reason ${index}`);
  const { message } = formatOutcomes(reasons.map(failure));
  expect(message).toMatch(/^Result for 9 rows: 9 failed\. Reason 0 \(1 row\)\..*Other rows failed/);
  expect(message).not.toContain('Reason 5');
});
