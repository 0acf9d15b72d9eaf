/** The object of an answer is found whatever is around it, and nothing beside it is lost. */
import { rowAnywhere } from '../../../../src/run/answers/row-anywhere';
import { InvalidResponseError } from '../../../../src/client/errors';

const list = { list_id: 'l1', name: 'A' };

it.each<[string, unknown, unknown]>([
  ['alone', list, list],
  ['under data', { data: list }, list],
  ['under its name, with more beside it', { list, permissions: [] }, { ...list, permissions: [] }],
  ['deep', { result: { data: { list } }, request_id: 7 }, { ...list, request_id: 7 }],
  ['nowhere', { ok: true }, { ok: true }],
  ['too deep', { a: { b: { c: { d: list } } } }, { a: { b: { c: { d: list } } } }],
  ['with fields of the same name around it', { name: 'answer' }, { name: 'answer' }],
])('%s', (_where, answer, row) => {
  expect(rowAnywhere(answer, ['list_id', 'name'])).toEqual(row);
});

it.each([null, undefined, [], [list], 'text', 7])('%j is no object', (answer) => {
  expect(() => rowAnywhere(answer, ['list_id'])).toThrow(InvalidResponseError);
});
