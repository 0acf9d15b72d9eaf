/** Account Changes Trigger in n8n's poll context, against a service whose data changes. */
import type { IDataObject } from 'n8n-workflow';

import { json } from '../../src/client/support/service';
import { PolledWorkflow } from '../harness';
import { byId } from '../shared/nodes';
import { credentialFor, packageNode, useService } from '../shared/service';
import { answerFrom, useTriggerData, type Account, type TriggerData } from '../shared/trigger-data';

const service = useService();
const data = useTriggerData(service);

const company = (technologies: string[], partners: string[] = []) => ({ technologies, partners });

const EVENTS = ['partnershipGained', 'partnershipLost', 'technologyAdopted', 'technologyDropped'];

function watching({ options, ...parameters }: IDataObject = {}): PolledWorkflow {
  return new PolledWorkflow({
    node: packageNode('accountChangesTrigger', {
      domains: 'alpha.com, beta.com',
      events: EVENTS,
      ...parameters,
      options: { minMinutesBetweenReads: 0, ...(options as IDataObject) },
    }),
    credentials: credentialFor(service.baseUrl),
  });
}

/** Activates a trigger whose first poll records these accounts. */
async function watched(
  accounts: TriggerData['accounts'],
  parameters?: IDataObject,
): Promise<PolledWorkflow> {
  data.accounts = accounts;
  const workflow = watching(parameters);
  await workflow.activate();
  return workflow;
}

const brief = ({ items }: PolledWorkflow) =>
  items.map((item) => [item['event'], item['domain'], item['tech_key'] ?? item['partner']]);

const domainsOf = (count: number) =>
  Array.from({ length: count }, (_one, index) => `a${String(index)}.com`);

it('emits each technology and partnership change once, even when n8n restarts', async () => {
  const workflow = await watched({
    'alpha.com': company(['crm', 'shop'], ['one.com', 'two.com']),
    'beta.com': company(['mail']),
  });
  expect(workflow.executions).toEqual([]);

  data.accounts = {
    'alpha.com': company(['chat', 'crm'], ['one.com', 'three.com']),
    'beta.com': company(['mail']),
  };
  await workflow.poll();
  workflow.kill();
  await workflow.activate();

  expect(brief(workflow)).toEqual([
    ['technology_adopted', 'alpha.com', 'chat'],
    ['technology_dropped', 'alpha.com', 'shop'],
    ['partnership_gained', 'alpha.com', 'three.com'],
    ['partnership_lost', 'alpha.com', 'two.com'],
  ]);
  expect(workflow.items[0]).toMatchObject({ display_name: 'chat', vendor_name: 'chat' });
  expect(workflow.items[1]).toMatchObject({ company_name: 'alpha.com', display_name: 'shop' });
  expect(workflow.items[3]).toMatchObject({
    company_name: 'alpha.com',
    partner_domain: 'two.com',
    partner_name: 'Partner two.com',
  });
});

it('emits nothing when an account is new, becomes tracked or comes back', async () => {
  const workflow = await watched({ 'alpha.com': company(['shop']) });
  // From here on, the service tracks beta.com, and a new account is watched.
  const others = { 'beta.com': company(['mail']), 'gamma.com': company(['chat']) };
  data.accounts = { ...data.accounts, ...others };
  await workflow.activate({ parameters: { domains: 'alpha.com, beta.com, gamma.com' } });
  for (const again of [others, { ...others, 'alpha.com': company(['shop']) }]) {
    data.accounts = again;
    await workflow.poll();
  }
  expect(workflow.items).toEqual([]);

  data.accounts = { ...data.accounts, 'beta.com': company(['mail', 'shop']) };
  await workflow.poll();
  expect(brief(workflow)).toEqual([['technology_adopted', 'beta.com', 'shop']]);
});

it.each([
  ['a rotated key', () => credentialFor(service.baseUrl, 'ci_user_rotated'), {}],
  [
    'the organization key of the same Base URL',
    () => ({
      companyIntelligenceOrganizationApi: {
        ...credentialFor(service.baseUrl, 'ci_org_key').companyIntelligenceUserApi,
      },
    }),
    { authentication: 'organizationKey' },
  ],
])('goes on comparing with %s', async (_what, credentials, parameters) => {
  const workflow = await watched({ 'alpha.com': company(['crm']) });
  data.accounts = { 'alpha.com': company(['chat', 'crm']) };
  await workflow.activate({ credentials: credentials(), parameters });

  expect(brief(workflow)).toEqual([['technology_adopted', 'alpha.com', 'chat']]);
  expect(workflow.logsWith('started over')).toEqual([]);
});

it.each([
  [['technologyDropped'], ['technologies']],
  [['partnershipLost'], ['partnerships']],
  [
    ['technologyAdopted', 'partnershipGained'],
    ['technologies', 'partnerships'],
  ],
])('when the events are %j, requests only the sections %j', async (events, sections) => {
  const workflow = watching({ events, domains: domainsOf(250).join('\n') });
  await workflow.activate();

  const included = service.received.map(
    ({ body }) => (JSON.parse(body) as { include: string[] }).include,
  );
  expect(included).toEqual([sections, sections, sections]);
  expect(workflow.logsWith('3 requests, up to 0 credits')).toHaveLength(1);
});

it('names accounts that it skips or that are not tracked, and shortened sections', async () => {
  const many: Account = { ...company([], ['one.com']), partnershipCount: 80 };
  const workflow = await watched({ 'alpha.com': many }, { domains: 'alpha.com beta.com oops' });
  data.accounts = { 'alpha.com': { ...many, ...company(['chat']) } };
  await workflow.poll();

  const note = 'Skipped 1 of 3 accounts, because they contain no domain: "oops"';
  expect(workflow.items).toMatchObject([
    { event: 'technology_adopted', domain: 'alpha.com', tech_key: 'chat', note },
  ]);
  expect(workflow.logsWith(note)).toHaveLength(2);
  const said = '1 of 2 accounts';
  expect(workflow.logsWith(`${said} have a section that the service shortened`)).toHaveLength(2);
  expect(workflow.logsWith(`${said} are mistyped or not tracked`).join()).toContain('beta.com');
});

it('fails the poll when most technologies are removed at the same time', async () => {
  const workflow = await watched({ 'alpha.com': company(Array.from('abcdefghijkl')) });
  data.accounts = { 'alpha.com': company([]) };
  await expect(workflow.poll()).rejects.toThrow(
    '12 of 12 technologies and partnerships of the accounts would be removed since the last poll',
  );
  data.accounts = { 'alpha.com': company(Array.from('abcdefghijklm')) };
  await workflow.poll();

  expect(brief(workflow)).toEqual([['technology_adopted', 'alpha.com', 'm']]);
});

it.each([
  ['is emitted', ['beta.com'], ['technology_adopted', 'alpha.com', 'chat'], undefined],
  ['makes the poll fail', ['alpha.com', 'beta.com'], undefined, /validation_failed|rejected/],
])('a change %s when the accounts %j cannot be read', async (_what, unreadable, found, failure) => {
  const workflow = await watched({ 'alpha.com': company(['crm']), 'beta.com': company(['crm']) });
  data.accounts = { 'alpha.com': company(['chat', 'crm']), 'beta.com': company(['crm']) };
  service.answer((request, response) => {
    const isRefused = unreadable.some((domain) => request.body.includes(domain));
    const answer = isRefused ? json({ error: 'validation_failed' }, 422) : answerFrom(data);
    answer(request, response);
  });
  const polled = workflow.poll();

  if (failure === undefined) await polled;
  else await expect(polled).rejects.toThrow(failure);
  expect(brief(workflow)).toEqual(found === undefined ? [] : [found]);
});

it('watches the members of a saved list, and says how many have no domain', async () => {
  data.users = ['alpha', 'no-domain'].map((slug) => ({ slug, lastSeen: '' }));
  data.accounts = { 'alpha.com': company(['crm']) };
  const workflow = watching({
    accounts: 'list',
    listId: byId('lst_7'),
    options: { emitExisting: true },
  });
  await workflow.activate();

  expect(brief(workflow)).toEqual([['technology_adopted', 'alpha.com', 'crm']]);
  expect(service.received[0]?.url).toContain('/v1/lists/lst_7/members?');
  const note = '1 members of the list have no domain and are not watched';
  expect(workflow.logsWith(note)).toHaveLength(1);
});
