/** Company Lookup, Get Many: filters, sort order and firmographics in the requests. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runNode } from '../shared/nodes';
import { hubs } from '../shared/partners';
import { sentTo, useSandbox } from '../shared/service';

const NAME = 'Company Lookup';

const sandbox = useSandbox();

const getMany = async (parameters: INodeParameters, items: readonly IDataObject[] = [{}]) =>
  await runNode(sandbox, 'companyLookup', { operation: 'getMany', limit: 5, ...parameters }, items);

const queries = () => sentTo(sandbox).map(({ query }) => query);

it('sends every filter under its API name and outputs the returned rows', async () => {
  const [hub = ''] = hubs(sandbox);
  const run = await getMany({
    filters: {
      q: ' a ',
      partnerWith: `https://www.${hub}/partners`,
      partnershipTypes: ['technology', 'channel'],
      partnerCountMin: 2,
      partnerCountMax: 60,
      hasPartnerPage: true,
    },
    sort: 'name',
    include: ['firmographics'],
  });

  expect(queries()).toEqual([
    {
      q: 'a',
      partner_with: hub,
      partnership_types: 'technology,channel',
      partner_count_min: '2',
      partner_count_max: '60',
      has_partner_page: 'true',
      sort: 'name',
      include: 'firmographics',
      page: '1',
      limit: '5',
    },
  ]);
  expect(run.json(NAME).map(({ industry }) => typeof industry)).toEqual(Array(5).fill('string'));
});

it('sends a filter even if its value is false or 0', async () => {
  await getMany({ filters: { hasPartnerPage: false, partnerCountMax: 0 } });

  expect(queries()[0]).toMatchObject({ has_partner_page: 'false', partner_count_max: '0' });
});

it('does not carry a filter from one item into the next', async () => {
  await getMany(
    {
      filters: { q: '={{ $json.q }}', hasPartnerPage: '={{ $json.page }}' },
      sort: '={{ $json.sort }}',
      limit: '={{ $json.limit }}',
    },
    [
      { q: 'north', page: true, sort: '-name', limit: 2 },
      { q: '', page: false, sort: 'partnership_count', limit: 3 },
      { limit: 4 },
    ],
  );

  expect(queries()).toEqual([
    { q: 'north', has_partner_page: 'true', sort: '-name', page: '1', limit: '2' },
    { has_partner_page: 'false', sort: 'partnership_count', page: '1', limit: '3' },
    { sort: '-partnership_count', page: '1', limit: '4' },
  ]);
});

it.each([{ q: 'no company has this name' }, { partnerWith: 'nobody-tracks-this.com' }])(
  'outputs no items and no error when nothing matches: %j',
  async (filters) => {
    const run = await getMany({ filters, returnAll: true });

    expect(run.error).toBeUndefined();
    expect(run.json(NAME)).toEqual([]);
    expect(sandbox.report()).toMatchObject({ requests: 1, charged: 0 });
  },
);

const REFUSED: Array<[string, INodeParameters, RegExp]> = [
  [
    'a minimum above the maximum',
    { filters: { partnerCountMin: 5, partnerCountMax: 4 } },
    /Minimum Number of Partners is larger/,
  ],
  ['an invalid partner', { filters: { partnerWith: 'x/y' } }, /"Partner With" is neither/],
];

it.each(REFUSED)('refuses %s before anything is sent', async (_what, parameters, message) => {
  const run = await getMany(parameters);

  expect(run.error).toMatchObject({
    name: 'NodeOperationError',
    message: expect.stringMatching(message),
    context: { itemIndex: 0 },
  });
  expect(run.error?.description).toMatch(/\w/);
  expect(sandbox.report().requests).toBe(0);
});
