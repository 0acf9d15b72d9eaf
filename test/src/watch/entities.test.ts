import { assertPlausible } from '../../../src/watch/change';
import {
  compareStates,
  compareList,
  toCompanies,
  toSaved,
  type Entity,
} from '../../../src/watch/entities';

it.each<[string, Entity, Entity, boolean]>([
  ['its slug is the same', { slug: 'a', domain: 'a.com' }, { slug: 'a', domain: 'b.com' }, true],
  ['its domain is the same', { slug: 'a', domain: 'a.com' }, { slug: 'b', domain: 'a.com' }, true],
  ['only one field came', { slug: 'a', domain: 'a.com' }, { domain: 'a.com' }, true],
  ['both differ', { slug: 'a', domain: 'a.com' }, { slug: 'b', domain: 'b.com' }, false],
  ['a slug looks like a domain', { slug: 'a.com' }, { domain: 'a.com' }, false],
  ['neither has a slug', { domain: 'a.com' }, { domain: 'b.com' }, false],
])('recognizes a company, or not, when %s', (_what, before, now, isSame) => {
  const { appeared, removed, stayed } = compareStates([before], [now]);

  expect([appeared.length, removed.length, stayed.length]).toEqual(isSame ? [0, 0, 1] : [1, 1, 0]);
});

it('recognizes each company once, by its slug before its domain', () => {
  const before = [
    { slug: 'a', domain: 'one.com' },
    { slug: 'b', domain: 'two.com' },
  ];
  const now = [{ slug: 'a', domain: 'two.com' }, { domain: 'one.com' }];
  const { appeared, removed, stayed, current } = compareStates(before, now);

  expect([appeared, removed, current]).toEqual([[now[1]], [before[1]], now]);
  expect(stayed).toEqual([{ before: before[0], after: now[0] }]);
});

it('saves companies in the order of their slugs, whatever the order of the service', () => {
  const [one, other] = [
    { slug: 'a', domain: 'b.com' },
    { slug: 'b', domain: 'a.com' },
  ];
  expect(toSaved([other, one])).toEqual([one, other]);
});

it('prefers the company with the same slug, and keeps fields that a later poll lacks', () => {
  const before = [
    { slug: 'a', domain: 'one.com', tier: 'high' },
    { slug: 'b', domain: 'two.com', name: 'B' },
  ];
  const { stayed, current } = compareStates(before, [
    { domain: 'one.com' },
    { slug: 'b', domain: 'one.org' },
  ]);

  expect(stayed.map((one) => one.before)).toEqual(before);
  expect(stayed.map((one) => one.after)).toEqual(current);
  expect(current).toEqual([before[0], { slug: 'b', domain: 'one.org', name: 'B' }]);
});

it.each([
  [{ domain: 'acme.com' }, 'www.acme.com'],
  [{ domain: 'acme.com' }, 'ACME.com.'],
  [{ company: { primary_domain: 'müller.de' } }, 'xn--mller-kva.de'],
])('recognizes the company of the row %j when it is sent as %s', (row, domain) => {
  const { stayed } = compareStates(toCompanies([row]), toCompanies([{ domain }]));

  expect(stayed).toHaveLength(1);
});

it('reads each company once, and skips rows without a slug and a domain', () => {
  const rows = [
    { slug: 'a', company: { name: 'A' } },
    { company_id: 7, name: 'B', primary_domain: '' },
    { slug: 'a', domain: 'a.com' },
    { slug: 'c', domain: 'a.com' },
    { slug: 'd', domain: 'd.com' },
  ];

  expect(toSaved(toCompanies(rows))).toEqual([
    { slug: 'a', name: 'A' },
    { slug: 'd', domain: 'd.com' },
  ]);
});

it.each<[string, string[], number, number, string[], number]>([
  ['the total no longer includes it', ['b'], 0, 0, ['a'], 0],
  ['the total still includes it', ['b'], 1, 0, [], 0],
  ['the total was one too high before', ['b'], 1, 1, ['a'], 1],
  ['more are removed than rows are missing', [], 1, 0, ['a', 'b'], 1],
  ['no company is removed', ['a', 'b'], 1, 0, [], 1],
])(
  'tells a company as removed, or keeps it, when %s',
  (_what, slugs, missing, known, told, then) => {
    const earlier = { table: [{ slug: 'a' }, { slug: 'b' }], missing: known };
    const list = { companies: slugs.map((slug) => ({ slug })), missing };
    const compared = compareList(list, earlier);

    expect(compared.removed.map(({ slug }) => slug)).toEqual(told);
    expect(compared.missing).toBe(then);
    expect(compared.current.length).toBe(2 - told.length);
  },
);

const range = (from: number, to: number) =>
  Array.from({ length: to - from }, (_one, index) => `c${String(from + index)}`);
const NONE: readonly string[] = [];

it.each<[string, number, readonly string[], readonly string[], boolean]>([
  ['half of the companies are missing', 40, range(0, 20), NONE, false],
  ['more than half are missing', 40, range(0, 21), NONE, true],
  ['fewer than ten are missing', 9, range(0, 9), NONE, false],
  ['the poll before found the same', 40, range(0, 21), range(0, 21), false],
  ['the poll before found nearly the same', 400, range(0, 300), range(20, 310), false],
  ['the poll before found others', 400, range(0, 300), range(100, 400), true],
  ['the poll before found fewer', 400, range(0, 400), range(0, 300), true],
])('refuses a loss, or not, when %s', (_what, before, ids, refused, isRefused) => {
  const check = () => {
    assertPlausible(
      [
        { what: 'members', before, ids },
        { what: 'accounts', before: 0, ids: [] },
      ],
      new Set(refused),
    );
  };

  if (isRefused) expect(check).toThrow(/would be removed/);
  else expect(check).not.toThrow();
});
