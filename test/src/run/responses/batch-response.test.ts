import { readBatchResponse } from '../../../../src/run/responses/batch-response';
import { InvalidResponseError } from '../../../../src/client/errors';

const AB = ['a.com', 'b.com'];
const DOMAINS = [...AB, 'acme.com', 'xn--mnchen-3ya.de'];
const read = (json: unknown, domains = DOMAINS) => readBatchResponse(json, 'data', domains);

it('finds rows by the requested domain, however the response spells it', () => {
  const { rows } = read({
    data: [{ domain: 'WWW.Acme.com ' }, { domain: 'münchen.de' }, { domain: 'b.com', extra: [1] }],
  });
  expect([...rows.keys()]).toEqual(['acme.com', 'xn--mnchen-3ya.de', 'b.com']);
  expect(rows.get('acme.com')).toEqual({ domain: 'WWW.Acme.com ' });
  expect(rows.get('b.com')).toEqual({ domain: 'b.com', extra: [1] });
});

it.each<[string, unknown, string[]]>([
  ['in any order, each once', [{ domain: 'b.com' }, { domain: 'a.com' }, { domain: 'b.com' }], AB],
  [
    'but no other entries',
    [null, 'a.com', 5, [], {}, { domain: 3 }, { domain: 'b.com' }],
    ['b.com'],
  ],
  ['and none of null, as Go writes an empty list', null, []],
])('reads rows %s', (_what, data, domains) => {
  expect([...read({ data }).rows.keys()].sort()).toEqual(domains);
});

it('throws for anything but a batch response', () => {
  for (const json of [null, undefined, [], {}, { data: 'x' }, { results: [] }]) {
    expect(() => read(json)).toThrow(InvalidResponseError);
  }
});

it.each([
  { primary_domain: 'www.acme.com' },
  { company: { primary_domain: 'acme.com' } },
  { company: { domain: 'acme.com' }, domain: 'now.com' },
  { domain: 'now.com', domains: ['other.com', 'acme.com'] },
  { domain: 7, company: { domains: 'acme.com.' } },
])('assigns the row %j to acme.com', (row) => {
  const { rows, unrequestedRows } = read({ data: [row] }, ['acme.com']);
  expect([[...rows], unrequestedRows]).toEqual([[['acme.com', row]], []]);
});

it('assigns a row to each of its domains, and returns other rows as unrequested', () => {
  const merged = { domain: 'acme.com', domains: ['acme.com', 'b.com'] };
  const foreign = [{ domain: 'now.com' }, { domain: 'com' }, { slug: 'x' }];
  const answer = read({ data: [...foreign, merged] }, ['acme.com', 'b.com', 'c.com']);
  expect([...answer.rows]).toEqual([
    ['acme.com', merged],
    ['b.com', merged],
  ]);
  expect(answer.unrequestedRows).toEqual(foreign);
});

it('assigns no domain by a subdomain or another field, which do not identify a company', () => {
  const data = [{ domain: 'shop.acme.com' }, { url: 'acme.com' }, { query: 'acme.com' }];
  expect(read({ data }, ['acme.com'])).toMatchObject({ unrequestedRows: data });
});
