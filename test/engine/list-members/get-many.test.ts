/** List Members, Get Many: filters, files and cost. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { toFlatCompany } from '../../../src/service/flat-company';
import { alignColumns } from '../../../src/n8n/items/write';
import { json, TestService } from '../../src/client/support/service';
import type { Sandbox } from '../../../sandbox';
import { sentTo } from '../shared/service';
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

/** Enough members for ten pages of 100. */
const COUNT = 1000;

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

/** Reads the whole list, unless the parameters say otherwise. */
const read = async (parameters: INodeParameters = {}) =>
  await listMembers(sandbox, {
    operation: 'getMany',
    returnAll: true,
    listId: byId(listId),
    ...parameters,
  });

const isMedia = ({ name, primary_domain: domain }: Member) =>
  `${name.toLowerCase()}\n${domain}`.includes('media');

it.each<[INodeParameters, (member: Member) => boolean]>([
  [{ tier: 'high' }, ({ tier }) => tier === 'high'],
  [{ tier: 'exploratory' }, ({ tier }) => tier === 'exploratory'],
  [{ searchNameOrDomain: ' media ' }, isMedia],
])('returns only members that match %j', async (parameters, matches) => {
  const run = await read(parameters);

  expect(run.json(NAME)).toEqual(flat(all.filter(matches)));
  expect(run.json(NAME).length).toBeGreaterThan(0);
});

it('outputs the domain and the slug of members that name them in other words', async () => {
  const members = [
    { company_domain: 'ACME.com', company_slug: 'acme', tier: 'high' },
    { company: { website: 'https://www.zenith.io/about' }, tier: 'high' },
    { primary_domain: 'one.com', website: 'two.com', tier: 'high' },
  ];
  const { baseUrl } = await TestService.start(json({ members, total_count: 3 }));
  const service = { baseUrl, keys: sandbox.keys } as Sandbox;
  const run = await listMembers(service, { operation: 'getMany', listId: byId('lst_1') });

  expect(run.json(NAME).map(({ domain, slug }) => [domain, slug])).toEqual([
    ['acme.com', 'acme'],
    ['zenith.io', ''],
    ['one.com', ''],
  ]);
});

it('sends Recompute Members only with the first page', async () => {
  await read({ options: { forceRefresh: true } });
  const sent = sentTo(sandbox).filter(({ path }) => path.endsWith(`${listId}/members`));

  expect(sent.length).toBeGreaterThan(1);
  for (const { query } of sent) {
    expect(query['force_refresh']).toBe(query['offset'] === '0' ? 'true' : undefined);
  }
});

it.each([
  [{}, 0, COUNT],
  [{ options: { offset: 803 } }, 803, COUNT],
  [{ returnAll: false, limit: 20, options: { offset: 150 } }, 150, 170],
])('writes the members from the Offset on to an NDJSON file: %j', async (parameters, from, to) => {
  const run = await read({ output: 'ndjson', ...parameters });
  const lines = fileOf(run).trimEnd().split('\n');

  expect(run.json(NAME)).toMatchObject([{ list_id: listId, total_results: COUNT }]);
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual(flat(all.slice(from, to)));
});

describe('when the service charges for members', () => {
  beforeEach(() => {
    sandbox.setChoices({ membersCharged: true });
  });

  it.each([
    ['getMany', { limit: 10 }, 10],
    ['getMany', { returnAll: true }, COUNT],
    ['getMany', { returnAll: true, output: 'csv' }, COUNT],
    ['getMany', { options: { countOnly: true } }, 1],
    ['exportCsv', {}, COUNT],
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

  it.each<[string, INodeParameters, number]>([
    ['getMany', {}, 20],
    ['getMany', { output: 'csv' }, 20],
    ['getMany', { output: 'ndjson' }, 20],
    ['exportCsv', {}, 0],
  ])('skips an item of %s of which nothing was read: %j', async (operation, more, charged) => {
    const parameters = { operation, listId: byId('={{ $json.list }}'), returnAll: true, ...more };
    const items = [listId, await createList(sandbox, 0)].map((list) => ({ list }));
    const options = { maxCredits: 20 };
    const run = await listMembers(sandbox, { ...parameters, options }, items);
    const last = run.output(NAME).at(-1);

    expect(run.error).toBeUndefined();
    expect(last?.json).toMatchObject({ status: 'skipped', reason: 'max_credits' });
    expect(items).toContainEqual({ list: last?.json['list_id'] });
    expect(last?.binary).toBeUndefined();
    expect(sandbox.report().charged).toBe(charged);
  });
});
