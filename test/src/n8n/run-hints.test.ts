import {
  createHint,
  formatMismatches,
  formatOutcomes,
  summarize,
  warnAboutExcess,
  type DomainFacts,
  type ResponseFacts,
} from '../../../src/n8n/run-hints';
import { CreditBudget } from '../../../src/run/run-guards';
import { NO_STATS, type RunStats } from '../../../src/run/run-stats';
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
  const messagesOf = (given: DomainFacts) =>
    summarize(given, reportOf(62, 1)).map(({ message }) => message);
  const words = '38 rows hold profile pages (linkedin.com).';
  expect(messagesOf(rows)).toContain(`${words} Drag the website or email column into Domain too.`);
  expect(messagesOf({ ...rows, hasSeveralFields: true })).toContain(words);
  expect(messagesOf({ ...rows, invalid: rows.invalid.slice(0, 9) })).toHaveLength(1);
  const providers = rows.invalid.map(() => ({ reason: 'free_mail', about: 'bt.com' }) as const);
  const rejected = { ...rows, invalid: providers, rejectsEmailHosts: true };
  expect(messagesOf(rejected)).toContain(
    '38 rows hold free email addresses (bt.com). To accept those given as websites, remove Free Email Hosts.',
  );
});

it('counts the values of an unexpected type and names the first field', () => {
  const field = { field: 'data.*.slug', problem: 'a number instead of text' };
  expect(formatMismatches({ ...field, count: 2_000 })).toMatch(
    /2,000 values of .* the first one in data\.\*\.slug \(a number instead of text\)/,
  );
});

it('says once what to do about a column of names in every row', () => {
  const reason = { reason: 'no_dot' } as const;
  const rows = { ...rowsOf(3), usesNames: false, invalid: [reason, reason, reason] };
  expect(summarize(rows, reportOf(0, 0), NO_STATS).map(({ message }) => message)).toEqual([
    '3 rows, nothing sent. No usable domain in 3 rows. Free.',
    'No row has a usable domain. 3 rows hold no domain. If Domain holds a column of names, add the website or email column, or drag it into Company Name.',
  ]);
});

it.each<[string, Partial<RunStats>, ResponseFacts, string]>([
  [
    'what was sent, if credits ran out',
    { requests: 4, lookedUp: 18, tracked: 18, creditsAtMost: 18 },
    reportOf(18, 4),
    '100 rows, 18 companies read in 4 requests. 18 of 18 companies are tracked (100%). Cost: up to 18 credits; ',
  ],
  [
    'the requests of names and of domains',
    { requests: 5, lookedUp: 4, tracked: 2, creditsAtMost: 3 },
    {
      ...reportOf(2, 1),
      names: { matched: 2, ambiguous: 1, unmatched: 1, unread: 0, searched: 4, credits: 3 },
    },
    '100 rows, 2 companies read in 1 request. 4 names searched in 4 requests: 2 matched, 1 ambiguous, 1 without a match, for up to 3 credits. ',
  ],
  [
    'at least so many credits, if a response with an open price was lost',
    { requests: 1, creditsAtMost: 1, unconfirmed: 1, isLowerBound: true },
    reportOf(0, 1),
    '100 rows, 0 companies read in 1 request. Cost: at least 1 credit; ',
  ],
])('counts %s', (_what, stats, report, start) => {
  const [{ message } = createHint('')] = summarize(rowsOf(100), report, { ...NO_STATS, ...stats });
  expect(message.slice(0, start.length)).toBe(start);
});

it('warns of an exceeded limit with both figures', () => {
  const credits = new CreditBudget(2);
  expect(warnAboutExcess(credits)).toEqual([]);
  credits.settle(0, 43);
  expect(warnAboutExcess(credits)).toMatchObject([
    { type: 'warning', message: expect.stringMatching(/^Max Credits \(2\) .* up to 43 credits,/) },
  ]);
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
