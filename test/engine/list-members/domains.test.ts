/** List Members: adds and removes domains. */
import { json, TestService } from '../../src/client/support/service';
import { ON_ERROR, sentTo, trackedDomains, type NodeSettings } from '../shared/service';
import { byId } from '../shared/nodes';
import { createList, listMembers, membersOf, NAME, useLists } from './list-members';

const sandbox = useLists({ companies: 500 });
let listId: string;
beforeEach(async () => {
  listId = await createList(sandbox);
});

const RETRY = { retryOnFail: true, maxTries: 5, waitBetweenTries: 1 } as const;
const add = (parameters = {}) => ({
  operation: 'addDomains',
  listId: byId(listId),
  domain: '={{ $json.site }}',
  ...parameters,
});
/** Adds each domain with a separate item. */
const addAll = async (domains: readonly string[], settings: NodeSettings = {}) =>
  await listMembers(
    sandbox,
    add(),
    domains.map((site) => ({ site })),
    settings,
  );
const memberDomains = async (id = listId) =>
  (await membersOf(sandbox, id)).map(({ primary_domain }) => primary_domain).sort();
const additions = () => sentTo(sandbox).filter(({ path }) => path.endsWith('/domains'));

describe('Add Domains', () => {
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
    expect(additions()).toHaveLength(3);
    expect(run.traced()).toEqual(items.map((_item, id) => id));
    const of = (domain: string | undefined, status: string) => ({
      list_id: listId,
      domain,
      status,
    });
    expect(run.json(NAME).map(({ list }) => list)).toEqual([
      ...domains.map((domain) => of(domain, 'added')),
      of(domains[0], 'added'),
      of('nobody-tracks-this.com', 'not_tracked'),
      {
        domain: null,
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

  it('adds domains to the list that each item names', async () => {
    const other = await createList(sandbox);
    const [a = '', b = '', c = ''] = trackedDomains(sandbox, 3);
    await listMembers(sandbox, add({ listId: byId('={{ $json.list }}') }), [
      { site: a, list: listId },
      { site: b, list: other },
      { site: c, list: listId },
      { site: a, list: other },
    ]);

    expect(await memberDomains()).toEqual([a, c].sort());
    expect(await memberDomains(other)).toEqual([a, b].sort());
    expect(additions()).toHaveLength(2);
  });

  it('sends Additional Fields with the domains', async () => {
    const service = await TestService.start(json({}));
    const items = [{ site: 'a.com' }, { site: 'b.com' }];
    await listMembers(service, add({ options: { additionalFields: '{"tier":"high"}' } }), items);

    expect(
      service.received.map(({ method, url, body }): unknown[] => [method, url, JSON.parse(body)]),
    ).toEqual([
      ['POST', `/v1/lists/${listId}/domains`, { domains: ['a.com', 'b.com'], tier: 'high' }],
    ]);
  });

  describe.each(ON_ERROR)('On Error: %s', (onError) => {
    it('fails only the row of a refused domain, or the run with Stop', async () => {
      const domains = trackedDomains(sandbox, 250);
      sandbox.addFault({
        preset: 'errorShape',
        options: { status: 400, code: 'invalid_domain' },
        match: { path: '/v1/lists/*/domains', bodyIncludes: `"${domains[0] ?? ''}"` },
        when: 'every',
      });
      const run = await addAll(domains, { ...RETRY, onError });
      const ids = domains.map((_domain, id) => id);

      expect(sandbox.report().peakConcurrency).toBe(1);
      if (onError === 'stopWorkflow') {
        expect(run.error).toMatchObject({ httpCode: '400', context: { itemIndex: 0 } });
        return;
      }
      expect(await memberDomains()).toEqual(domains.slice(1).sort());
      if (onError === 'continueErrorOutput') {
        expect(run.traced(0)).toEqual(ids.slice(1));
        expect(run.traced(1)).toEqual([0]);
      } else {
        expect(run.traced()).toEqual(ids);
        expect(run.json(NAME)[0]).toMatchObject({ site: domains[0], list: { status: 'error' } });
      }
    });
  });

  it('does not resend domains that a response omits when another list is retried', async () => {
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

    expect(service.received).toHaveLength(3);
    expect(run.json(NAME)).toMatchObject(
      ['accepted', 'not_mentioned', 'accepted', 'not_mentioned'].map((status) => ({
        list: { status },
      })),
    );
  });
});

it('fails to remove only the domain that is not in the list, and says why', async () => {
  const [domain = ''] = trackedDomains(sandbox, 1);
  await addAll([domain]);
  const run = await listMembers(
    sandbox,
    { operation: 'removeDomain', listId: byId(listId), domain: '={{ $json.site }}' },
    [{ site: 'nobody-tracks-this.com' }, { site: domain }],
    { onError: 'continueErrorOutput' },
  );

  expect(run.json(NAME, 0)).toHaveLength(1);
  expect(run.json(NAME, 1)).toMatchObject([
    { message: expect.stringMatching(/may not see it, or "nobody-tracks-this.com" is not in it/) },
  ]);
});
