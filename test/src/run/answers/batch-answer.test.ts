import { z } from 'zod/v4';

import { readBatchAnswer } from '../../../../src/run/answers/batch-answer';
import { InvalidResponseError } from '../../../../src/client/errors';

const shape = z.looseObject({ domain: z.string(), slug: z.string().nullish() });
const read = (json: unknown) => readBatchAnswer(json, 'data', shape);

it('rows are found by the domain that was sent, however the answer spells it', () => {
  const { rows } = read({
    data: [{ domain: 'WWW.Acme.com ' }, { domain: 'münchen.de' }, { domain: 'b.com', extra: [1] }],
  });
  expect([...rows.keys()]).toEqual(['acme.com', 'xn--mnchen-3ya.de', 'b.com']);
  expect(rows.get('acme.com')).toEqual({ domain: 'WWW.Acme.com ' });
  expect(rows.get('b.com')).toEqual({ domain: 'b.com', extra: [1] });
});

it('order and number of the rows mean nothing', () => {
  const { rows } = read({ data: [{ domain: 'b.com' }, { domain: 'a.com' }, { domain: 'b.com' }] });
  expect([...rows.keys()].sort()).toEqual(['a.com', 'b.com']);
});

it('a row with an odd field is kept, and the field is told', () => {
  const { rows, oddities } = read({ data: [{ domain: 'a.com', slug: 7 }] });
  expect(rows.get('a.com')).toEqual({ domain: 'a.com', slug: 7 });
  expect(oddities).toEqual([{ field: 'slug', problem: expect.any(String) }]);
});

it('what is no row, or belongs to no domain, is left out', () => {
  const { rows } = read({ data: [null, 'a.com', 5, [], {}, { domain: 3 }, { domain: 'a.com' }] });
  expect([...rows.keys()]).toEqual(['a.com']);
});

it.each([null, undefined, [], {}, { data: 'x' }, { results: [] }])(
  '%j is not an answer',
  (json) => {
    expect(() => read(json)).toThrow(InvalidResponseError);
  },
);
