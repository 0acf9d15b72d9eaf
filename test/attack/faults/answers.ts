/** Faults with a success status: the body is no result, or not the requested one. */
import {
  answer,
  DEEP,
  faultsThat,
  first,
  forEach,
  healthy,
  page,
  paginated,
  rewrite,
  spoil,
  spoilLeaves,
  spoilLists,
  spoilObject,
  type Fault,
} from './fault';
import { isJsonObject } from '../../../src/values/json';
import type { Strike } from '../service/front';

/** Bodies without a usable result for any request, by name. */
const NO_RESULT: Readonly<Record<string, string>> = {
  nothing: '',
  spaces: '  \n',
  null: 'null',
  true: 'true',
  '{error, message}': '{"error":"company_not_found","message":"No such company."}',
  '{detail}': '{"detail":{"error":"company_not_found","message":"No such company."}}',
  NaN: 'NaN',
  'deep lists': DEEP,
  'deep objects': `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
};

/** Invalid forms of the `Location` header in a response that starts a job. */
const LOCATIONS = ['/v1/jobs/%zz', '/v1/jobs/', '', 'http://%zz', '//', '/v1/jobs/a%2Fb', '\u00e9'];

/**
 * Responds with 202 only to reads: for a change, 202
 * can mean success, and for a job, that it still runs.
 */
const notReady: Strike = async (blow) => {
  const { method, path } = blow.asked;
  const isRead = method === 'GET' && !path.includes('/jobs/');
  const wait = { 'retry-after': '1' };
  await (isRead ? answer(202, '{"status":"materializing"}', wait)(blow) : healthy(blow));
};

/** Puts fields next to the rows of lists whose envelope the API spec does not show. */
const siblings = spoilObject((value) =>
  // Only these lists: for other responses, the node outputs the fields next to the rows too.
  !('list_id' in value) && ['members', 'lists', 'permissions'].some((name) => name in value)
    ? {
        owner: { id: 1, name: 'Jo' },
        history: [{ at: 1 }, { at: 2 }],
        tiers: [{ tier: 'high', count: 2 }],
        ...value,
      }
    : value,
);

/** Splits each list of rows into two lists with unknown names. */
const inGroups = spoilObject((value) => {
  const parts = Object.entries(value).flatMap(([name, list]) =>
    Array.isArray(list) && list.some(isJsonObject)
      ? [0, 1].map((half) => [
          `x_${name}_${half}`,
          list.filter((_row, index) => index % 2 === half),
        ])
      : [[name, list]],
  );
  return Object.fromEntries(parts) as unknown;
});

/** Lets the service process a request with another query. */
function asIfAsked(change: (query: URLSearchParams) => void, strike: Strike): Strike {
  return async (blow) => {
    const url = new URL(blow.asked.path, 'http://front.test');
    change(url.searchParams);
    blow.asked.path = `${url.pathname}${url.search}`;
    await strike(blow);
  };
}

/** Always returns the first page, whichever page is requested. */
const alwaysFirstPage = (strike: Strike) =>
  asIfAsked((query) => {
    if (query.has('page')) query.set('page', '1');
    if (query.has('offset')) query.set('offset', '0');
  }, strike);

/** Returns at most 40 rows per page, and reports that limit. */
const smallPages = asIfAsked((query) => {
  if (Number(query.get('limit')) > 40) query.set('limit', '40');
}, healthy);

/** The last row of the last response, by API key. */
const lastRows = new Map<string, unknown>();

/**
 * Inserts a row before all others ahead of each page, so
 * that a page begins with the last row of the previous one.
 */
const moving = spoilLists((rows, { key, asked }) => {
  if (!rows.some(isJsonObject)) return rows;
  const came = asked.number === 1 ? undefined : lastRows.get(key);
  lastRows.set(key, rows.at(-1));
  return came === undefined ? rows : [came, ...rows.slice(0, -1)];
});

const MILLION = { total_results: 1_000_000, total_pages: 10_000, total_count: 1_000_000 };

const emptyPages = spoilObject((value) => ({
  ...Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, Array.isArray(inner) ? [] : inner]),
  ),
  pagination: { ...MILLION, page: 1, limit: 100, has_next: true },
}));

/** Sends counts of the whole list next to a part of its rows. */
const wholeCounts = spoilObject((value) =>
  'total_count' in value
    ? { ...value, total_count: 1_200, high_count: 400, medium_count: 400, exploratory_count: 400 }
    : value,
);

const nextAtStranger = spoilObject((value, { strangerUrl, asked }) => {
  if (!isJsonObject(value['pagination'])) return value;
  const pagination = { ...value['pagination'], next_url: `${strangerUrl}${asked.path}` };
  return { ...value, pagination, next_url: `${strangerUrl}/x` };
});

const claims = (more: object) => paginated((given) => ({ ...given, ...more }));
const insteadOfPagination = (value: object) => paginated(() => value);

const PAGING: readonly Fault[] = [
  ...faultsThat(['fewerRows', 'paging'], {
    ...forEach([9007199254740991, 2147483647, -1, 'many', 1e308, null, 0.5], (total) => [
      `total ${JSON.stringify(total).replace('+', '')}`,
      claims({ total_results: total, total_count: total }),
    ]),
    'has_next false, a million claimed': claims({ ...MILLION, has_next: false }),
    'a page is repeated, a million claimed': alwaysFirstPage(
      claims({ ...MILLION, has_next: true }),
    ),
    'a page is repeated, no total': alwaysFirstPage(
      insteadOfPagination({ has_next: true, has_more: true }),
    ),
    'empty pages that claim more': emptyPages,
    'no pagination': insteadOfPagination({}),
    'pagination of wrong types': insteadOfPagination({
      ...{ page: {}, limit: [], total_results: true, has_next: 'no' },
    }),
    'rows move from page to page': moving,
    'pages of limit 0': claims({ limit: 0 }),
    'counts of the whole list': wholeCounts,
  }),
  ...faultsThat(['paging'], {
    'pages smaller than asked': smallPages,
    'next_url to a stranger': nextAtStranger,
  }),
];

const STRANGER = {
  domain: 'somebody-else.com',
  primary_domain: 'somebody-else.com',
  slug: 'somebody-else',
};
/** Inserts fields at the beginning of every object. */
const inEveryObject = (fields: string) => rewrite((text) => text.replaceAll('{"', `{${fields},"`));
const spoilRows = (change: (row: unknown) => unknown) => spoilLists((rows) => rows.map(change));
const spoilTexts = (change: (text: string, name: string) => unknown) =>
  spoilLeaves((leaf, name) => (typeof leaf === 'string' ? change(leaf, name) : leaf));
const everyNumber = (number: number) =>
  spoilLeaves((leaf) => (typeof leaf === 'number' ? number : leaf));

const SPOILED: readonly Fault[] = [
  ...faultsThat(['fewerRows', 'alike'], {
    'numbers as text, names as numbers': spoilLeaves((leaf, name) =>
      typeof leaf === 'number' ? String(leaf) : /name$|slug$/.test(name) ? 42 : leaf,
    ),
    'rows of somebody else': spoilRows((row) =>
      isJsonObject(row) ? { ...row, ...STRANGER } : row,
    ),
  }),
  ...faultsThat(['fewerRows'], {
    'rows under other domains, as addresses': spoilTexts((text, name) =>
      name.endsWith('domain') ? `https://now-${text}/about` : text,
    ),
    'every value null': spoilLeaves(() => null),
    'every value an object': spoilLeaves(() => ({})),
    'every value a list': spoilLeaves(() => []),
    'every number 1e308': everyNumber(1e308),
    'every number -1': everyNumber(-1),
    'every text with lone surrogates': rewrite((text) => text.replace(/"(?=[,}\]])/g, '\\ud800"')),
    'every text 5 KB': spoilTexts((text) => `${text}${'x'.repeat(5_000)}`),
    'prototype names in every object': inEveryObject(
      '"__proto__":{"a":1},"constructor":1,"toString":2,"hasOwnProperty":3',
    ),
    'rows null': spoilRows(() => null),
    'rows that are texts': spoilRows(() => 'row'),
    'rows that are empty': spoilRows(() => ({})),
    'rows that are lists': spoilRows((row) => [row]),
    'no rows': spoilLists(() => []),
    // Go encodes a nil slice as null.
    'lists that are null': spoilLists(() => null),
    'every other row missing': spoilLists((rows) => rows.filter((_row, index) => index % 2 === 1)),
    'rows twice': spoilLists((rows) => [...rows, ...rows]),
    'lists that are objects': spoilLists((rows) => Object.fromEntries(rows.entries())),
    wrapped: spoil((value) => ({ data: { result: value } })),
    'in a list': spoil((value) => [value]),
    'deep in every object': rewrite((text) =>
      text.replace('{', `{"deep":${DEEP}${text.startsWith('{}') ? '' : ','}`),
    ),
    'deep in every row': rewrite((text) => text.replace('[{', `[{"deep":${DEEP},`)),
    'a byte order mark': rewrite((text) => `\ufeff${text}`),
    'bytes that are not UTF-8': rewrite((text) =>
      Buffer.from(text.replaceAll('a', '\u00e9'), 'latin1'),
    ),
    'half the JSON': rewrite((text) => text.slice(0, Math.floor(text.length / 2))),
    'something behind the JSON': rewrite((text) => `${text}{}`),
  }),
  ...faultsThat([], {
    'unknown fields everywhere': inEveryObject('"x_unknown":{"nested":[1,"two",null]}'),
    'rows backwards': spoilLists((rows) => rows.toReversed()),
    'another content type': rewrite((text) => text, { 'content-type': 'image/png' }),
  }),
];

export const ANSWERS: readonly Fault[] = [
  ...faultsThat(['same'], { 'siblings next to the rows': siblings }),
  ...faultsThat(['hopeless'], {
    '200 with a page': page(200, 'Welcome'),
    ...forEach(Object.entries(NO_RESULT), ([name, body]) => [
      `200 with ${name}`,
      answer(200, body),
    ]),
  }),
  ...faultsThat(
    ['hopeless'],
    { '200 with a number': answer(200, '42'), '200 with a text': answer(200, '"company"') },
    { butFor: 'job_id' },
  ),
  ...faultsThat(
    ['hopeless', 'fewerRows'],
    { '200 with {}': answer(200, '{}') },
    { butFor: 'definition', enoughFor: /^returnAll$/ },
  ),
  ...faultsThat(
    ['hopeless', 'fewerRows'],
    { '204': answer(204, '') },
    { enoughFor: /^(?:returnAll|description)$/ },
  ),
  ...faultsThat(['fewerRows'], {
    '200 with []': answer(200, '[]'),
    '206': async ({ real, reply }) => {
      const { headers, body } = await real();
      reply(206, headers, body);
    },
    'the key in every text': spoilLeaves((leaf, _name, { key }) =>
      typeof leaf === 'string' ? `${leaf} ${key}` : leaf,
    ),
    '202, not ready': answer(202, '{"status":"materializing"}'),
    '202, not ready at first': first(notReady),
    // Which of several lists has the rows is unknown, so the response comes out whole or is an error.
    'rows in groups': inGroups,
    ...forEach(LOCATIONS, (location) => [
      `202, Location "${location}"`,
      answer(202, '{}', { location }),
    ]),
  }),
  ...PAGING,
  ...SPOILED,
];
