/**
 * Company Lookup, Get: accepted forms of a company, and input that is rejected before it costs
 * credits.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { json, TestService } from '../../src/client/support/service';
import { running } from '../shared/nodes';
import { sentTo, useSandbox, trackedDomains, type NodeSettings } from '../shared/service';

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

it('shows what was typed beside the company, and refuses no host that a list holds', async () => {
  const [domain = ''] = trackedDomains(sandbox, 1);
  const typed = [`cloud.${domain}`, 'yahoo.com', 'web.de', 'test.com', 'me.com'];
  const run = await get(
    typed.map((company) => ({ company })),
    { options: { ifNotFound: 'item' } },
  );

  expect(foundBy(run).map(({ input }) => input)).toEqual(typed);
  expect(foundBy(run)[0]).toMatchObject({ input: `cloud.${domain}`, domain });
  expect(foundBy(run).map(({ reason }) => reason)).not.toContain('invalid');
  expect(paths()).toEqual([domain, ...typed.slice(1)].map((sent) => `/v1/companies/${sent}`));

  const kept = await get([{ company: `cloud.${domain}` }], { options: { subdomains: 'keep' } });
  expect(kept.error?.message).toContain(`cloud.${domain}`);
});

it.each<[unknown, boolean]>([
  [{ error: 'company_not_found' }, true],
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

it('fails only the item whose option is invalid', async () => {
  const companies = trackedDomains(sandbox, 2);
  const rows = companies.map((company, id) => ({ id, company, keys: ['no key!', 'hubspot'][id] }));
  const run = await get(
    rows,
    { options: { technologyColumns: '={{ $json.keys }}', output: 'result' } },
    { onError: 'continueRegularOutput' },
  );

  expect(run.json(NAME)).toMatchObject([
    { message: expect.stringContaining('"key!" is not a tech key') },
    { domain: companies[1], has_hubspot: expect.any(Boolean) },
  ]);
});

it('waits no longer than Request Timeout for a response, and sends the request again', async () => {
  sandbox.addFault({ preset: 'neverAnswer', when: 'first' });
  const [company = ''] = trackedDomains(sandbox, 1);
  const run = await get([{ company }], { options: { requestTimeoutSeconds: 1 } });

  expect(foundBy(run)).toMatchObject([{ domain: company }]);
  expect(paths()).toHaveLength(2);
});

it('fails at once when the rate limit resets after Max Rate Limit Wait', async () => {
  sandbox.addFault({ preset: 'rateLimit', options: { seconds: 60 }, when: 'every' });
  const run = await get([{ company: 'a.com' }], { options: { maxRateLimitWaitMinutes: 0.5 } });

  expect(run.error?.message).toMatch(/resets at .*, longer than this run may wait/);
});
