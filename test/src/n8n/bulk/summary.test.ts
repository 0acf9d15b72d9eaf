import { normalizeDomain } from '../../../../src/input/domains';
import type { DomainRow } from '../../../../src/n8n/bulk/domain-rows';
import { summarize, type Summarized } from '../../../../src/n8n/bulk/summary';

const rowOf = (text: string): DomainRow => {
  const found = normalizeDomain(text, { subdomains: 'strip', rejectFreeMail: false });
  return found.valid ? { kind: 'domain', found, more: undefined } : { kind: 'invalid', found };
};

const reportOf = (domains: number, answers: number, oddFields: string[] = []): Summarized => ({
  domains,
  answers,
  oddities: oddFields.map((field) => ({ field, problem: 'expected number' })),
});

it('says how many rows became how many domains and requests', () => {
  const rows = Array.from({ length: 10_000 }, () => rowOf('acme.com'));
  const hints = summarize(rows, reportOf(2_000, 20));
  expect(hints).toHaveLength(1);
  expect(hints[0]).toMatchObject({ type: 'info', location: 'outputPane' });
  expect(hints[0]!.message).toMatch(/10,000 rows.*2,000 distinct domains.*20 requests/);
  expect(hints[0]!.message).not.toMatch(/usable/);
});

it.each([
  [0.01, 'answered in 0.01 requests (other executions shared one).'],
  [0.001, 'answered in 0.01 requests (other executions shared one).'],
  [2.333, 'answered in 2.33 requests (other executions shared one).'],
  [1, 'answered in 1 request.'],
])('of a shared request it counts this execution’s part: %d', (answers, words) => {
  expect(summarize([rowOf('acme.com')], reportOf(1, answers))[0]!.message).toContain(words);
});

it('says how many rows cost nothing because they held no domain', () => {
  const rows = [rowOf('acme.com'), rowOf('n/a'), rowOf('')];
  const [hint] = summarize(rows, reportOf(1, 1));
  expect(hint!.message).toMatch(/3 rows.*1 distinct domain,.*1 request\..*2 rows without a usable/);
});

it.each([
  ['no row holds a domain', ['website', '', 'n/a'], 1],
  ['one row holds a domain', ['website', 'acme.com'], 0],
  ['there are no rows', [], 0],
])('warns when the wrong field may have been chosen: %s', (_what, texts, warnings) => {
  const hints = summarize(texts.map(rowOf), reportOf(0, 0));
  expect(hints.filter(({ type }) => type === 'warning')).toHaveLength(warnings);
});

it('names fields that came with another type, but not all of a hundred', () => {
  const fields = Array.from({ length: 100 }, (_unused, index) => `field_${index}`);
  const hints = summarize([], reportOf(0, 0, fields));
  expect(hints[1]).toMatchObject({ type: 'warning' });
  expect(hints[1]!.message).toMatch(/field_0 \(expected number\)/);
  expect(hints[1]!.message.length).toBeLessThan(500);
});
