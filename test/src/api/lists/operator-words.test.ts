import { operatorInWords } from '../../../../src/api/lists/operator-words';

it.each([
  ['equals', 'equals', 'Is'],
  ['not_in', 'not_in', 'Is None Of'],
  ['gte', 'gte', 'Is at Least'],
  ['between', 'between', 'Between'],
  ['starts_with', 'starts_with', 'Starts With'],
  ['gte', 'at least', 'at least'],
])('%s, which the catalogue calls %s, is shown as %s', (key, label, words) => {
  expect(operatorInWords(key, label)).toBe(words);
});
