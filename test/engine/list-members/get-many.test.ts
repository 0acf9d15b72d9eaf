/**
 * List Members, Get Many: every member once and in order, whatever page sizes the service returns.
 */
import { parse } from 'csv-parse/sync';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { toFlatCompany } from '../../../src/service/flat-company';
import { alignColumns } from '../../../src/n8n/rows/sheet';
import { sentTo, type NodeSettings } from '../shared/service';
import { byId } from '../shared/nodes';
import {
  createList,
  fileOf,
  listMembers,
  membersOf,
  NAME,
  useLists,
  type Member,
} from './list-members';

/** Enough members for twelve pages of 100. */
const COUNT = 1200;

const sandbox = useLists({ companies: COUNT });
let listId: string;
let all: Member[];

/** Returns members in the form in which the node outputs them. */
const flat = (members: readonly Member[]) =>
  alignColumns(
    members.map((member) => toFlatCompany({ ...member }) as IDataObject),
    [],
  );

beforeAll(async () => {
  all = await membersOf(sandbox, await createList(sandbox, 0));
});
beforeEach(async () => {
  listId = await createList(sandbox, 0);
});

const RETURN_ALL = { operation: 'getMany', returnAll: true };
/** Reads the whole list, unless the parameters say otherwise. */
const read = async (parameters: INodeParameters = {}, settings: NodeSettings = {}) =>
  await listMembers(
    sandbox,
    { ...RETURN_ALL, listId: byId(listId), ...parameters },
    [{}],
    settings,
  );
const requests = () => sentTo(sandbox).filter(({ path }) => path.endsWith(`${listId}/members`));

/** Returns a function that lists only the requests sent after this call. The lists stay. */
const startCounting = () => {
  const before = requests().length;
  return () => requests().slice(before);
};

it.each([1, 50, 100, 101, 9999])('returns the first members with Limit %i', async (limit) => {
  const sent = startCounting();
  const run = await read({ returnAll: false, limit });
  const ranges = sent().map(({ query }) => [Number(query['offset']), Number(query['limit'])]);

  expect(run.json(NAME)).toEqual(flat(all.slice(0, limit)));
  const wanted = Math.min(limit, COUNT);
  expect(ranges).toEqual(
    Array.from({ length: Math.ceil(wanted / 100) }, (_unused, page) => [
      page * 100,
      Math.min(100, limit - page * 100),
    ]),
  );
});

const isMedia = ({ name, primary_domain: domain }: Member) =>
  `${name.toLowerCase()}\n${domain}`.includes('media');

it.each<[INodeParameters, (member: Member) => boolean]>([
  ...['high', 'medium', 'exploratory'].map(
    (tier): [INodeParameters, (member: Member) => boolean] => [
      { tier },
      (member) => member.tier === tier,
    ],
  ),
  [{ searchNameOrDomain: ' media ' }, isMedia],
])('returns only members that match %j', async (parameters, matches) => {
  const run = await read(parameters);

  expect(run.json(NAME)).toEqual(flat(all.filter(matches)));
  expect(run.json(NAME).length).toBeGreaterThan(0);
});

it('sends Recompute Members only with the first page', async () => {
  const sent = startCounting();
  await read({ forceRefresh: true });

  expect(sent().map(({ query }) => [query['offset'], query['force_refresh']])).toEqual([
    ['0', 'true'],
    ...sent()
      .slice(1)
      .map(({ query }) => [query['offset'], undefined]),
  ]);
  expect(sent().length).toBeGreaterThan(1);
});

describe('files of members', () => {
  it('contain every member as CSV, with one item that describes the file', async () => {
    const run = await read({ output: 'csv' });
    const rows = parse<Record<string, string>>(fileOf(run), { columns: true, bom: true });

    expect(run.json(NAME)).toMatchObject([{ list_id: listId, rows: COUNT, total_results: COUNT }]);
    expect(rows.map((row) => [row['company_id'], row['company_name'], row['tier']])).toEqual(
      all.map(({ company_id, name, tier }) => [String(company_id), name, tier]),
    );
  });

  it.each([
    [{}, 0, COUNT],
    [{ options: { offset: 1003 } }, 1003, COUNT],
    [{ returnAll: false, limit: 20, options: { offset: 150 } }, 150, 170],
  ])('contain the members from the Offset on as NDJSON: %j', async (parameters, from, to) => {
    const lines = fileOf(await read({ output: 'ndjson', ...parameters }))
      .trimEnd()
      .split('\n');

    expect(lines.map((line): unknown => JSON.parse(line))).toEqual(flat(all.slice(from, to)));
  });
});

describe('when the service charges for members', () => {
  beforeEach(() => {
    sandbox.setChoices({ membersCharged: true });
  });

  it.each([
    ['getMany', { limit: 10 }, 10],
    ['getMany', { returnAll: true }, COUNT],
    ['getMany', { returnAll: true, output: 'csv' }, COUNT],
    ['getMany', { countOnly: true }, 1],
    ['exportCsv', {}, COUNT],
    ['exportCsv', { output: 'items' }, COUNT],
  ])('reports the cost of %s with %j', async (operation, parameters, credits) => {
    const run = await read({ returnAll: false, operation, ...parameters });
    const { charged } = sandbox.report();

    expect(charged).toBe(credits);
    expect(run.customData).toMatchObject({
      company_intelligence_credits_at_most: String(charged),
      company_intelligence_rows: String(run.json(NAME).length),
    });
    expect(run.hints(NAME).at(-1)?.message).toContain(
      `Cost: up to ${charged.toLocaleString('en-US')} credit`,
    );
  });

  it('reports the cost of Return All when Limit applies', async () => {
    const run = await read({ returnAll: false, limit: 10 });

    expect(run.hints(NAME).at(-1)?.message).toMatch(
      /^10 of 1,200 rows \(1%\), 1 request\. Cost: up to 10 credits[,.].* Return All would cost up to 1,200 credits\.$/,
    );
  });

  it.each<[INodeParameters, number]>([
    [{ returnAll: false, limit: 30 }, 30],
    [{}, COUNT],
  ])('outputs the members that Max Credits covers: %j', async (parameters, wanted) => {
    const run = await read({ ...parameters, options: { maxCredits: 20 } });

    expect(run.json(NAME)).toEqual(flat(all.slice(0, 20)));
    expect(sandbox.report().charged).toBe(20);
    expect(run.messages(NAME).join()).toContain(
      `The credits covered 20 of ${wanted.toLocaleString('en-US')} rows.`,
    );
  });
});
