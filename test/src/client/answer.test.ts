import { answerNotTooDeep, parseJson } from '../../../src/client/answer';

it.each([
  ['lists', '[', ']'],
  ['objects', '{"a":', '}'],
  ['both', '[{"a":', '}]'],
])('%s nested 200,000 deep are refused, and nothing overflows', (_how, open, close) => {
  const text = `${open.repeat(200_000)}1${close.repeat(200_000)}`;
  expect(() => parseJson(text)).toThrow('nested more than 200 levels');
  expect(() => answerNotTooDeep({ rows: [JSON.parse(text)] })).toThrow(
    'nested more than 200 levels',
  );
});

it.each(['', ' \n'])('of an empty text gives nothing (%p)', (text) => {
  expect(parseJson(text)).toBeUndefined();
});

it('brackets in texts and in names are no levels', () => {
  const value = { ['['.repeat(1_000)]: '{'.repeat(1_000) };
  expect(parseJson(JSON.stringify(value))).toEqual(value);
});
