import {
  formatMismatches,
  formatOutcomes,
  summarize,
  type ResponseFacts,
} from '../../../src/n8n/run-hints';
import { toFailure, toSuccess } from '../../../src/n8n/items/row-result';

const rowsOf = (rows: number) => ({
  counts: { rows, distinct_companies: 1, duplicate_rows: 0 },
  invalid: [],
  hasSeveralFields: false,
  isExpressionText: false,
});

const reportOf = (domains: number, requests: number): ResponseFacts => ({ domains, requests });

it('names a reason that many rows share, with their hosts and what to do', () => {
  const linkedIn = { reason: 'profile_page', about: 'linkedin.com' } as const;
  const rows = { ...rowsOf(100), invalid: Array.from({ length: 38 }, () => linkedIn) };
  const messagesOf = (given: typeof rows) =>
    summarize(given, reportOf(62, 1)).map(({ message }) => message);
  const words = '38 rows hold profile pages (linkedin.com).';
  expect(messagesOf(rows)).toContain(`${words} Drag the website or email column into Domain too.`);
  expect(messagesOf({ ...rows, hasSeveralFields: true })).toContain(words);
  expect(messagesOf({ ...rows, invalid: rows.invalid.slice(0, 9) })).toHaveLength(1);
});

it('counts the values of an unexpected type and names the first field', () => {
  const field = { field: 'data.*.slug', problem: 'a number instead of text' };
  expect(formatMismatches({ ...field, count: 2_000 })).toMatch(
    /2,000 values of .* the first one in data\.\*\.slug \(a number instead of text\)/,
  );
});

const ONE_BY_ONE = '3 rows: 0 distinct domains in 0 requests.';
const NONE = 'No usable domain in 3 rows, which cost nothing.';

it.each([
  [
    'a column of names',
    { reason: 'no_dot' },
    { usesNames: false },
    [
      `${ONE_BY_ONE} ${NONE}`,
      'No row has a usable domain. 3 rows hold no domain. If Domain holds a column of names, add the website or email column, or drag it into Company Name.',
    ],
  ],
] as const)('says once what to do about %s in every row', (_what, reason, more, messages) => {
  const rows = { ...rowsOf(3), ...more, invalid: [reason, reason, reason] };
  expect(summarize(rows, reportOf(0, 0)).map(({ message }) => message)).toEqual(messages);
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
