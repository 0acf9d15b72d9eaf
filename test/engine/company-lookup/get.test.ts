/**
 * Company Lookup, Get: accepted forms of a company, and input that is rejected before it costs
 * credits.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { json, TestService } from '../../src/client/support/service';
import { running } from '../shared/nodes';
import { ON_ERROR, sentTo, useSandbox, trackedDomains, type NodeSettings } from '../shared/service';
import { errorItemOf } from '../shared/error-items';

const NAME = 'Company Lookup';

const sandbox = useSandbox();

const lookUp = running('companyLookup', NAME, { identifier: '={{ $json.company }}' });
const get = async (
  items: readonly IDataObject[],
  parameters: INodeParameters = {},
  settings: NodeSettings = {},
) => await lookUp(sandbox, parameters, items, settings);

const foundBy = (run: Awaited<ReturnType<typeof get>>) =>
  run.json(NAME).map(({ enrichment }) => enrichment as IDataObject);

const paths = () => sentTo(sandbox).map(({ path }) => path);

it('adds the company to the fields of its item', async () => {
  const [company] = sandbox.world.companies;
  const run = await get([{ company: company?.primaryDomain }], { include: [] });
  const [found] = foundBy(run);

  expect(run.json(NAME)).toEqual([{ id: 0, company: company?.primaryDomain, enrichment: found }]);
  expect(found).toMatchObject({
    company_name: company?.name,
    domain: company?.primaryDomain,
    partnership_count: expect.any(Number),
  });
  expect(found).not.toHaveProperty('technology_names');
  expect(found).not.toHaveProperty('found');
  expect(sentTo(sandbox)).toEqual([
    {
      method: 'GET',
      path: `/v1/companies/${company?.primaryDomain ?? ''}`,
      query: {},
      status: 200,
    },
  ]);
});

it('requests the sections of each item, and none of an earlier item', async () => {
  const [a = '', b = '', c = ''] = trackedDomains(sandbox, 3);
  const run = await get(
    [
      { company: a, sections: ['technologies', 'firmographics'] },
      { company: b, sections: [] },
      { company: c, sections: 'firmographics' },
    ],
    { include: '={{ $json.sections }}' },
  );

  expect(foundBy(run).map((row) => ['technology_names' in row, 'industry' in row])).toEqual([
    [true, true],
    [false, false],
    [false, true],
  ]);
  const included = Object.fromEntries(sentTo(sandbox).map(({ path, query }) => [path, query]));
  expect(included).toEqual({
    [`/v1/companies/${a}`]: { include: 'technologies,firmographics' },
    [`/v1/companies/${b}`]: {},
    [`/v1/companies/${c}`]: { include: 'firmographics' },
  });
});

it('finds a company by domain, URL, email address or slug and is charged once', async () => {
  const company = sandbox.world.companies.find(({ slug }) => slug !== null);
  const domain = company?.primaryDomain ?? '';
  const run = await get([
    { company: domain },
    { company: `https://www.${domain.toUpperCase()}/about?x=1#y` },
    { company: `jo@${domain}` },
    { company: `  ${domain}.  ` },
    { company: `app.${domain}` },
    { company: company?.slug },
  ]);

  expect(foundBy(run).map((row) => row['company_name'])).toEqual(
    Array.from({ length: 6 }, () => company?.name),
  );
  expect(paths()).toEqual([`/v1/companies/${domain}`, `/v1/companies/${company?.slug ?? ''}`]);
  expect(sandbox.report().charged).toBe(1);
});

it('strips or keeps subdomains as each item says', async () => {
  const [domain = ''] = trackedDomains(sandbox, 1);
  const company = `shop.${domain}`;
  await get(
    [
      { company, how: 'keep' },
      { company, how: 'strip' },
    ],
    { options: { subdomains: '={{ $json.how }}', ifNotFound: 'item' } },
  );

  expect(paths()).toEqual([`/v1/companies/${company}`, `/v1/companies/${domain}`]);
});

it.each<[unknown, boolean]>([
  [{ error: 'company_not_found' }, true],
  [{ errors: [{ code: 'company_not_found' }] }, true],
  // The API spec defines an error code for this 404. Without the code, the Base URL may be wrong.
  [{ detail: 'shop.example is not tracked' }, false],
  [{ detail: 'Not Found' }, false],
  [{ message: 'Cannot GET /v1/companies/shop.example' }, false],
])('with If Not Found, a 404 with %j is output as an item: %s', async (body, isItem) => {
  const service = await TestService.start(json(body, 404));
  const parameters = { identifier: 'shop.example', options: { ifNotFound: 'item' } };
  const run = await lookUp(service, parameters, [{}], { onError: 'continueErrorOutput' });

  expect(foundBy(run).map(({ found, identifier }) => [found, identifier])).toEqual(
    isItem ? [[false, 'shop.example']] : [],
  );
  expect(run.json(NAME, 1)).toHaveLength(isItem ? 0 : 1);
});

const REFUSED: Array<[unknown, RegExp]> = [
  ['', /"Company" is empty/],
  ['a/b', /neither a domain nor a slug/],
  ['10.0.0.1', /IP address/],
];

it.each(REFUSED)('refuses %j before anything is sent', async (company, message) => {
  const [fine = ''] = trackedDomains(sandbox, 1);
  const stopped = await get([{ company: fine }, { company: company as string }]);

  expect(stopped.error).toMatchObject({
    name: 'NodeOperationError',
    message: expect.stringMatching(message),
    description: expect.stringMatching(/^Enter a (company )?domain like example\.com/),
    context: { itemIndex: 1 },
  });
  expect(sandbox.report().requests).toBe(0);

  const continued = await get(
    [{ company: fine }, { company: company as string }],
    {},
    { onError: 'continueErrorOutput' },
  );
  expect(continued.traced(0)).toEqual([0]);
  expect(continued.traced(1)).toEqual([1]);
  expect(continued.json(NAME, 1)[0]).toMatchObject(
    errorItemOf('invalid_input', expect.stringMatching(message)),
  );
  expect(sandbox.report().requests).toBe(1);
});

describe.each(ON_ERROR)('an item with a failing expression, On Error: %s', (onError) => {
  it('fails alone, or with Stop before anything is sent', async () => {
    const [a, b] = trackedDomains(sandbox, 2);
    const run = await get(
      [{ company: a }, {}, { company: b }],
      {
        identifier: "={{ $json.id === 1 ? $('Nowhere').first().json.x : $json.company }}",
      },
      { onError },
    );

    if (onError === 'stopWorkflow') {
      expect(run.error?.message).toMatch(/Nowhere|referenced node/i);
      expect(sandbox.report().requests).toBe(0);
      return;
    }
    const failed = run.json(NAME, onError === 'continueErrorOutput' ? 1 : 0);
    expect(
      failed.filter((json) => 'error' in { ...json, ...(json['enrichment'] as object) }),
    ).toHaveLength(1);
    expect(sandbox.report().requests).toBe(2);
  });
});

it('fails only the item whose option is invalid', async () => {
  const companies = trackedDomains(sandbox, 2);
  const rows = companies.map((company, id) => ({ id, company, keys: ['no key!', 'hubspot'][id] }));
  const run = await get(
    rows,
    { options: { technologyColumns: '={{ $json.keys }}', output: 'result' } },
    { onError: 'continueRegularOutput' },
  );

  expect(run.json(NAME)).toMatchObject([
    { message: expect.stringContaining('"key!" is not a technology key') },
    { domain: companies[1], has_hubspot: expect.any(Boolean) },
  ]);
});
