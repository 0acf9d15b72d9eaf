/** Successes that are none, or not what was asked for. */
import {
  answer,
  everyLeaf,
  everyList,
  everyObject,
  healthy,
  isObject,
  nested,
  page,
  paginated,
  rewrite,
  spoil,
  type Fault,
} from './fault';

const DEEP = nested(20_000);

/** Bodies that hold no result, whatever was asked; some at most the one field that is named. */
const NO_RESULT: ReadonlyArray<readonly [string, string, string?]> = [
  ['a number', '42', 'job_id'],
  ['a text', '"company"', 'job_id'],
  ['nothing', ''],
  ['spaces', '  \n'],
  ['null', 'null'],
  ['true', 'true'],
  ['{error, message}', '{"error":"company_not_found","message":"No such company."}'],
  ['{detail}', '{"detail":{"error":"company_not_found","message":"No such company."}}'],
  ['NaN', 'NaN'],
  ['deep lists', DEEP],
  ['deep objects', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`],
];

const NOT_A_NUMBER: ReadonlyArray<readonly [string, unknown]> = [
  ['9007199254740991', 9007199254740991],
  ['2147483647', 2147483647],
  ['-1', -1],
  ['"many"', 'many'],
  ['1e308', 1e308],
  ['null', null],
  ['0.5', 0.5],
];

/** The same first page for whatever was asked. */
const alwaysFirstPage = (pagination: (given: Record<string, unknown>) => Record<string, unknown>) =>
  (async (blow) => {
    const { asked } = blow;
    const url = new URL(asked.path, 'http://front.test');
    for (const name of ['page', 'offset'])
      if (url.searchParams.has(name)) url.searchParams.set(name, name === 'page' ? '1' : '0');
    (asked as { path: string }).path = `${url.pathname}${url.search}`;
    await paginated(pagination)(blow);
  }) satisfies Fault['strike'];

/** Serves no page of more than 40 rows, and says so. */
const smallPages: Fault['strike'] = async (blow) => {
  const { asked } = blow;
  const url = new URL(asked.path, 'http://front.test');
  const limit = Number(url.searchParams.get('limit'));
  if (limit > 40) url.searchParams.set('limit', '40');
  (asked as { path: string }).path = `${url.pathname}${url.search}`;
  await healthy(blow);
};

/** The last row of the last answer that a key got. */
const lastRows = new Map<string, unknown>();

/** A row that is added ahead of all others before each page: the last row of a page comes again on the next. */
const moving = spoil((value, { key, asked }) =>
  everyList(value, (rows) => {
    if (!rows.some(isObject)) return rows;
    const came = asked.number === 1 ? undefined : lastRows.get(key);
    lastRows.set(key, rows.at(-1));
    return came === undefined ? rows : [came, ...rows.slice(0, -1)];
  }),
);

/** Each list of rows as two that stand beside each other, under names that nobody knows. */
function inGroups(value: unknown): unknown {
  if (!isObject(value)) return value;
  const parts = Object.entries(value).flatMap(([name, list]) =>
    Array.isArray(list) && list.some(isObject)
      ? [0, 1].map((half) => [
          `x_${name}_${String(half)}`,
          list.filter((_row, at) => at % 2 === half),
        ])
      : [[name, list]],
  );
  return Object.fromEntries(parts) as unknown;
}

const million = { total_results: 1_000_000, total_pages: 10_000, total_count: 1_000_000 };

const PAGING: readonly Fault[] = [
  ...NOT_A_NUMBER.map(([name, total]): Fault => ({
    name: `total ${name}`,
    kind: 'total',
    strike: paginated((given) => ({ ...given, total_results: total, total_count: total })),
    fewerRows: true,
  })),
  {
    name: 'has_next false, a million claimed',
    strike: paginated((given) => ({ ...given, ...million, has_next: false })),
    fewerRows: true,
  },
  {
    name: 'a page is repeated, a million claimed',
    strike: alwaysFirstPage((given) => ({ ...given, ...million, has_next: true })),
    fewerRows: true,
  },
  {
    name: 'a page is repeated, no total',
    strike: alwaysFirstPage(() => ({ has_next: true, has_more: true })),
    fewerRows: true,
  },
  {
    name: 'empty pages that claim more',
    strike: spoil((value) => {
      const empty = everyList(value, () => []);
      return isObject(empty)
        ? { ...empty, pagination: { ...million, page: 1, limit: 100, has_next: true } }
        : empty;
    }),
    fewerRows: true,
  },
  { name: 'no pagination', strike: paginated(() => ({})), fewerRows: true },
  {
    name: 'pagination of wrong types',
    strike: paginated(() => ({ page: {}, limit: [], total_results: true, has_next: 'no' })),
    fewerRows: true,
  },
  { name: 'pages smaller than asked', strike: smallPages },
  { name: 'rows move from page to page', strike: moving, fewerRows: true },
  {
    name: 'pages of limit 0',
    strike: paginated((given) => ({ ...given, limit: 0 })),
    fewerRows: true,
  },
  {
    name: 'next_url to a stranger',
    strike: spoil((value, { strangerUrl, asked }) =>
      isObject(value) && isObject(value['pagination'])
        ? {
            ...value,
            pagination: { ...value['pagination'], next_url: `${strangerUrl}${asked.path}` },
            next_url: `${strangerUrl}/x`,
          }
        : value,
    ),
  },
];

const SPOILED: readonly Fault[] = [
  {
    name: 'numbers as text, names as numbers',
    strike: spoil((value) =>
      everyLeaf(value, (leaf, name) =>
        typeof leaf === 'number' ? String(leaf) : /name$|slug$/.test(name) ? 42 : leaf,
      ),
    ),
    alike: true,
    fewerRows: true,
  },
  {
    name: 'unknown fields everywhere',
    strike: spoil((value) =>
      everyObject(value, (object) => ({ ...object, x_unknown: { nested: [1, 'two', null] } })),
    ),
  },
  {
    name: 'rows under other domains, as addresses',
    strike: spoil((value) =>
      everyLeaf(value, (leaf, name) =>
        name.endsWith('domain') && typeof leaf === 'string' ? `https://now-${leaf}/about` : leaf,
      ),
    ),
    fewerRows: true,
  },
  {
    name: 'every value null',
    strike: spoil((value) => everyLeaf(value, () => null)),
    fewerRows: true,
  },
  {
    name: 'every value an object',
    strike: spoil((value) => everyLeaf(value, () => ({}))),
    fewerRows: true,
  },
  {
    name: 'every value a list',
    strike: spoil((value) => everyLeaf(value, () => [])),
    fewerRows: true,
  },
  {
    name: 'every number 1e308',
    strike: spoil((value) => everyLeaf(value, (leaf) => (typeof leaf === 'number' ? 1e308 : leaf))),
    fewerRows: true,
  },
  {
    name: 'every number -1',
    strike: spoil((value) => everyLeaf(value, (leaf) => (typeof leaf === 'number' ? -1 : leaf))),
    fewerRows: true,
  },
  {
    name: 'every text with lone surrogates',
    strike: rewrite((text) => text.replace(/"(?=[,}\]])/g, '\\ud800"')),
    fewerRows: true,
  },
  {
    name: 'every text 5 KB',
    strike: spoil((value) =>
      everyLeaf(value, (leaf) => (typeof leaf === 'string' ? `${leaf}${'x'.repeat(5_000)}` : leaf)),
    ),
    fewerRows: true,
  },
  {
    name: 'prototype names in every object',
    strike: rewrite((text) =>
      text.replaceAll(
        '{"',
        '{"__proto__":{"a":1},"constructor":1,"toString":2,"hasOwnProperty":3,"',
      ),
    ),
    fewerRows: true,
  },
  {
    name: 'rows null',
    strike: spoil((value) => everyList(value, (rows) => rows.map(() => null))),
    fewerRows: true,
  },
  {
    name: 'rows that are texts',
    strike: spoil((value) => everyList(value, (rows) => rows.map(() => 'row'))),
    fewerRows: true,
  },
  {
    name: 'rows that are empty',
    strike: spoil((value) => everyList(value, (rows) => rows.map(() => ({})))),
    fewerRows: true,
  },
  {
    name: 'rows that are lists',
    strike: spoil((value) => everyList(value, (rows) => rows.map((row) => [row]))),
    fewerRows: true,
  },
  { name: 'no rows', strike: spoil((value) => everyList(value, () => [])), fewerRows: true },
  {
    name: 'every other row missing',
    strike: spoil((value) =>
      everyList(value, (rows) => rows.filter((_row, index) => index % 2 === 1)),
    ),
    fewerRows: true,
  },
  {
    name: 'rows backwards',
    strike: spoil((value) => everyList(value, (rows) => rows.toReversed())),
  },
  {
    name: 'rows twice',
    strike: spoil((value) => everyList(value, (rows) => [...rows, ...rows])),
    fewerRows: true,
  },
  {
    name: 'rows of somebody else',
    strike: spoil((value) =>
      everyList(value, (rows) =>
        rows.map((row) =>
          isObject(row)
            ? {
                ...row,
                domain: 'somebody-else.com',
                primary_domain: 'somebody-else.com',
                slug: 'somebody-else',
              }
            : row,
        ),
      ),
    ),
    alike: true,
    fewerRows: true,
  },
  {
    name: 'lists that are objects',
    strike: spoil((value) => everyList(value, (rows) => Object.fromEntries(rows.entries()))),
    fewerRows: true,
  },
  { name: 'rows in groups', strike: spoil(inGroups) },
  { name: 'wrapped', strike: spoil((value) => ({ data: { result: value } })), fewerRows: true },
  { name: 'in a list', strike: spoil((value) => [value]), fewerRows: true },
  {
    name: 'deep in every object',
    strike: rewrite((text) =>
      text.replace('{', `{"deep":${DEEP}${text.startsWith('{}') ? '' : ','}`),
    ),
    fewerRows: true,
  },
  {
    name: 'deep in every row',
    strike: rewrite((text) => text.replace('[{', `[{"deep":${DEEP},`)),
    fewerRows: true,
  },
  { name: 'a byte order mark', strike: rewrite((text) => `\ufeff${text}`), fewerRows: true },
  {
    name: 'bytes that are not UTF-8',
    strike: rewrite((text) => Buffer.from(text.replaceAll('a', '\u00e9'), 'latin1')),
    fewerRows: true,
  },
  {
    name: 'half the JSON',
    strike: rewrite((text) => text.slice(0, Math.floor(text.length / 2))),
    fewerRows: true,
  },
  { name: 'something behind the JSON', strike: rewrite((text) => `${text}{}`), fewerRows: true },
  {
    name: 'another content type',
    strike: async ({ real, reply }) => {
      const { status, body } = await real();
      reply(status, { 'content-type': 'image/png' }, body);
    },
  },
];

/** Answers to what starts a job: where the job is, in every wrong way. */
const LOCATIONS = ['/v1/jobs/%zz', '/v1/jobs/', '', 'http://%zz', '//', '/v1/jobs/a%2Fb', '\u00e9'];

export const ANSWERS: readonly Fault[] = [
  ...NO_RESULT.map(([name, body, butFor]): Fault => ({
    name: `200 with ${name}`,
    strike: answer(200, body),
    hopeless: true,
    butFor,
  })),
  {
    name: '200 with {}',
    strike: answer(200, '{}'),
    hopeless: true,
    fewerRows: true,
    butFor: 'definition',
    enoughFor: /^returnAll$/,
  },
  { name: '200 with []', strike: answer(200, '[]'), fewerRows: true },
  { name: '200 with a page', strike: page(200, 'Welcome'), hopeless: true },
  {
    name: '204',
    strike: answer(204, ''),
    hopeless: true,
    fewerRows: true,
    enoughFor: /^(?:returnAll|description)$/,
  },
  {
    name: '206',
    strike: async ({ real, reply }) => {
      const { headers, body } = await real();
      reply(206, headers, body);
    },
    fewerRows: true,
  },
  {
    name: 'the key in every text',
    strike: spoil((value, { key }) =>
      everyLeaf(value, (leaf) => (typeof leaf === 'string' ? `${leaf} ${key}` : leaf)),
    ),
    fewerRows: true,
  },
  ...LOCATIONS.map((location): Fault => ({
    name: `202, Location "${location}"`,
    kind: '202, Location',
    strike: answer(202, '{}', { location }),
    fewerRows: true,
  })),
  ...PAGING.map((fault): Fault => ({ ...fault, paging: true })),
  ...SPOILED,
];
