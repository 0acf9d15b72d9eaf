/** List Members, Add Domains: a status for each item. */
import type { INodeParameters } from 'n8n-workflow';

import { json, TestService } from '../../src/client/support/service';
import { sentTo, trackedDomains } from '../shared/service';
import { byId, resultIn } from '../shared/nodes';
import { createList, listMembers, membersOf, NAME, useLists } from './list-members';

const sandbox = useLists({ companies: 500 });
let listId: string;
beforeEach(async () => {
  listId = await createList(sandbox);
});

const RETRY = { retryOnFail: true, maxTries: 5, waitBetweenTries: 1 } as const;
const add = ({ options = {}, ...parameters }: INodeParameters = {}): INodeParameters => ({
  operation: 'addDomains',
  listId: byId(listId),
  domain: '={{ $json.site }}',
  ...parameters,
  options,
});
const memberDomains = async () =>
  (await membersOf(sandbox, listId)).map(({ primary_domain }) => primary_domain).sort();

it('adds 250 domains in 3 requests and outputs a status for each item', async () => {
  const domains = trackedDomains(sandbox, 250);
  const items = [
    ...domains.map((site) => ({ site: `https://www.${site}/about` })),
    { site: domains[0] },
    { site: 'nobody-tracks-this.com' },
    { site: 'n/a' },
    { site: 'jo@gmail.com' },
  ];
  const run = await listMembers(sandbox, add({ options: { rejectFreeMail: true } }), items);

  expect(await memberDomains()).toEqual([...domains].sort());
  expect(sentTo(sandbox).filter(({ path }) => path.endsWith('/domains'))).toHaveLength(3);
  expect(run.traced()).toEqual(items.map((_item, id) => id));
  // The column of list_id is list_id, too.
  const of = (domain: string | undefined, status: string) => ({ id: listId, domain, status });
  expect(run.json(NAME).map((json) => resultIn(json, 'list_'))).toEqual([
    ...domains.map((domain) => of(domain, 'added')),
    of(domains[0], 'added'),
    of('nobody-tracks-this.com', 'not_tracked'),
    {
      status: 'invalid',
      reason: 'placeholder',
      message: expect.any(String) as unknown,
    },
    expect.objectContaining({ status: 'invalid', reason: 'free_mail' }),
  ]);
  expect(run.json(NAME)[0]).toMatchObject({
    id: 0,
    site: `https://www.${domains[0] ?? ''}/about`,
  });
  expect(sandbox.report().charged).toBe(0);
});

it('adds batches one after the other, and fails only the row of a refused domain', async () => {
  const domains = trackedDomains(sandbox, 250);
  sandbox.addFault({
    preset: 'errorShape',
    options: { status: 400, code: 'invalid_domain' },
    match: { path: '/v1/lists/*/domains', bodyIncludes: `"${domains[0] ?? ''}"` },
    when: 'every',
  });
  const items = domains.map((site) => ({ site }));
  const settings = { ...RETRY, onError: 'continueErrorOutput' } as const;
  const run = await listMembers(sandbox, add(), items, settings);

  expect(sandbox.report().peakConcurrency).toBe(1);
  expect(await memberDomains()).toEqual(domains.slice(1).sort());
  expect(run.traced(0)).toEqual([...domains.keys()].slice(1));
  expect(run.traced(1)).toEqual([0]);
});

it('adds to the list of each item, and resends nothing when another list is retried', async () => {
  const service = await TestService.start((request, response) => {
    const isFirst = service.received.filter(({ url }) => url === request.url).length === 1;
    const fails = isFirst && request.url.includes('lst_2');
    json(fails ? { error: 'forbidden' } : [{ domain: 'a.com' }], fails ? 403 : 200)(
      request,
      response,
    );
  });
  const run = await listMembers(
    service,
    add({ listId: byId('={{ $json.list }}') }),
    ['lst_1', 'lst_2'].flatMap((list) => ['a.com', 'b.com'].map((site) => ({ site, list }))),
    RETRY,
  );

  const body = JSON.stringify({ domains: ['a.com', 'b.com'] });
  expect(service.received.map((one) => [one.method, one.url, one.body]).sort()).toEqual(
    [1, 2, 2].map((list) => ['POST', `/v1/lists/lst_${String(list)}/domains`, body]),
  );
  // The response names only a.com.
  expect(run.json(NAME)).toMatchObject(
    ['accepted', 'not_mentioned', 'accepted', 'not_mentioned'].map((status) => ({
      list_status: status,
    })),
  );
});
