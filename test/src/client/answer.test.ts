import { answerNotTooDeep, parseJson } from '../../../src/client/answer';

it('what is nested 200,000 deep is refused, and nothing overflows', () => {
  const rows: unknown = JSON.parse(`${'['.repeat(200_000)}1${']'.repeat(200_000)}`);
  expect(() => answerNotTooDeep({ rows })).toThrow('nested more than 200 levels');
});

it.each(['', ' \n'])('of an empty text gives nothing (%p)', (text) => {
  expect(parseJson(text)).toBeUndefined();
});
