import type { RowResult } from '../../../../src/n8n/bulk/items';
import { outcomesHint } from '../../../../src/n8n/bulk/outcomes';

const result = (status: string): RowResult => ({ kind: 'result', result: { status } });
const failure = (message: string): RowResult => ({
  kind: 'failure',
  failure: new Error(message),
  domain: null,
});

it('counts what became of the rows, the most frequent first, and says why some failed', () => {
  const results = [
    result('not_tracked'),
    result('tracked'),
    result('tracked'),
    failure('Not enough credits'),
    failure('Not enough credits'),
    failure('Another reason'),
  ];

  expect(outcomesHint(results)).toEqual({
    type: 'warning',
    location: 'outputPane',
    message:
      'What became of 6 rows: 2 tracked, 1 not tracked, 3 failed. Not enough credits (2 rows). Another reason (1 row).',
  });
});

it('without failures it is no warning', () => {
  expect(outcomesHint([result('succeeded')])).toMatchObject({
    type: 'info',
    message: 'What became of 1 row: 1 succeeded.',
  });
});

it('many reasons are not all told', () => {
  const { message } = outcomesHint(Array.from({ length: 9 }, (_one, i) => failure(`Reason ${i}`)));

  expect(message).toMatch(
    /^What became of 9 rows: 9 failed\. Reason 0 \(1 row\)\..*Other rows failed/,
  );
  expect(message).not.toContain('Reason 5');
});
