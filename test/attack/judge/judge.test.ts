/**
 * Tests the judge: for each rule, a record that breaks it is reported, and a good record passes.
 */
import type { Asked } from '../service/front';
import { judge, RULES } from './judge';
import type { CameOut, CellRecord, Happened } from './record';

const given = [0, 1, 2].map((id) => ({ id, own: `own ${id}` }));
const KEY = 'ck+/0.Kq7zVw=9pLm';

const result = (from: unknown, json: CameOut['json'] = {}): CameOut => ({
  from: [from],
  json: { own: `own ${String(from)}`, ...json },
  binary: undefined,
  said: undefined,
});
const failure = (
  from: unknown,
  message = 'The service says no',
  hint = 'Ask it again.',
): CameOut => ({
  ...result(from, { error: { code: 'no', hint }, message }),
  said: { message, hint },
});
const asked = (method: string, path: string, body = '', fate: Asked['fate'] = 'done'): Asked => ({
  number: 1,
  method,
  path,
  headers: {},
  body,
  fate,
  answered: 200,
});

const good: Happened = {
  inTime: true,
  items: given.map(({ id }) => result(id)),
  stopped: undefined,
  hints: [],
  asked: [asked('GET', '/v1/companies/a.com')],
  created: { flags: 0, jobs: 0, lists: 0, domains: 0, grants: 0 },
  charged: 2,
  transcript: 'nothing to see',
  heardByStranger: [],
};

/** The good run, but with a list that was read in two requests. */
const paged: Happened = {
  ...good,
  asked: [1, 2].map((page) => asked('GET', `/v1/companies?page=${page}`)),
};

function complaints(happened: Partial<Happened>, more: Partial<CellRecord> = {}): string[] {
  return judge({
    given,
    key: KEY,
    tries: 1,
    fault: {},
    usual: good,
    happened: { ...good, ...happened },
    ...more,
  });
}

/** Title, the differences to a good run, and the differences to the default record. */
type Case = [string, Partial<Happened>, Partial<CellRecord>?];

const begins = (item: CameOut) => ({ items: [item, result(1), result(2)] });
const stopped = { message: 'The service says no', description: 'Ask it again.', itemIndex: 1 };
const refused = asked('POST', '/v1/lists', 'x', 'refused');

const GOOD: Case[] = [
  ['a successful run', {}],
  ['an item that failed with a message and a hint', { items: [result(0), failure(1), result(2)] }],
  ['a run that stopped with a message and a hint', { items: [], stopped }],
  [
    'an item with found: false at any level',
    { items: [result(0, { found: false }), result(1, { more: { found: false } }), failure(2)] },
    { fault: { hopeless: true } },
  ],
  [
    'one more credit per item when the rows of a list look alike',
    { charged: 5 },
    { fault: { alike: true }, usual: paged },
  ],
  ['a repeat of a refused request', { asked: [refused, asked('POST', '/v1/lists', 'x')] }],
];

// Without the default value, Jest would pass a callback as `more`.
it.each(GOOD)('reports no violation for %s', (_what, happened, more = {}) => {
  expect(complaints(happened, more)).toEqual([]);
});

const BAD: Case[] = [
  ['time: it did not end', { inTime: false }],
  ['rows: item 1 came out', { items: [result(0), result(2)] }],
  ['rows: item 1 came out', { items: [result(0), result(1), failure(1), result(2)] }],
  ['rows: item 1 came out', { items: [result(0), result(1), result(1), result(2)] }],
  ['rows: an item is paired with', { items: [...good.items, result('nobody')] }],
  [
    'rows: the error names no item',
    { items: [], stopped: { message: 'It says no', description: 'Ask.', itemIndex: undefined } },
  ],
  ['fields: item [1] lost', { items: [result(0), result(1, { own: 'own 2' }), result(2)] }],
  ['same: not the usual', begins(result(0, { x: 1 })), { fault: { same: true } }],
  ['hopeless: counts as a result', {}, { fault: { hopeless: true } }],
  ['words: raw words', begins(failure(0, 'Cannot read properties of null'))],
  ['words: no message', begins(failure(0, ''))],
  ['words: no cure', begins(failure(0, 'It says no', ''))],
  ['words: 3014 characters', begins(failure(0, 'no '.repeat(1000)))],
  [
    'effects: 2 times done',
    { asked: [asked('POST', '/v1/lists', 'x'), asked('POST', '/v1/lists', 'x', 'maybe')] },
  ],
  [
    'effects: 2 times done',
    {
      asked: ['["a.co"]', '["b.co","a.co"]'].map((domains) =>
        asked('POST', '/v1/companies/refresh', `{"domains":${domains}}`),
      ),
    },
  ],
  ['effects: 1 flags made', { created: { ...good.created, flags: 1 } }],
  ['charges: 3 credits', { charged: 3 }],
  ['charges: 3 credits', { charged: 3 }, { fault: { alike: true } }],
  ['charges: 6 credits', { charged: 6 }, { fault: { alike: true }, usual: paged }],
  ['requests: 100 requests', { asked: Array.from({ length: 100 }, () => good.asked[0]!) }],
  ['secrecy: a stranger heard', { heardByStranger: ['GET /'] }],
  ['secrecy: the key is stored, spelled as plain', { transcript: `x${KEY}x` }],
  ['secrecy: the key is stored, spelled as URL', { transcript: encodeURIComponent(KEY) }],
];

it.each(BAD)('reports the violation "%s"', (complaint, happened, more = {}) => {
  expect(complaints(happened, more)).toEqual(
    expect.arrayContaining([expect.stringContaining(complaint)]),
  );
});

it('has a violation of every rule', () => {
  const violated = BAD.map(([complaint]) => complaint.split(':', 1)[0]);

  expect([...new Set(violated)].sort()).toEqual(Object.keys(RULES).sort());
});
