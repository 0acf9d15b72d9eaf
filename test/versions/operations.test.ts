/** Every operation on every engine: a good item on one output, a failed one on the other, both paired. */
import type { INodeParameters } from 'n8n-workflow';

import { ask } from '../engine/shared/nodes';
import { runWorkflow, source } from '../engine/harness';
import { useFastSandbox, startJob } from '../engine/refresh-and-wait/refresh-and-wait';
import { errorItemOf } from '../engine/shared/error-items';
import { connectedPairs } from '../engine/shared/partners';
import { packageNode, trackedDomains, userCredential } from '../engine/shared/service';
import { API_REQUEST, OPERATIONS } from '../nodes/contracts';

const sandbox = useFastSandbox();

/** A field that the good item has and the other has not, for which the expression fails. */
const FIELD = "={{ $json.field ?? $('Nowhere').first().json.field }}";
const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const LIST = { listId: byId(FIELD) };
const PAIR = (): INodeParameters => {
  const [pair] = connectedPairs(sandbox);
  return { identifierA: FIELD, identifierB: pair?.b ?? '' };
};

const company = () => trackedDomains(sandbox, 1)[0] ?? '';
const firstOfPair = () => connectedPairs(sandbox)[0]?.a ?? '';
const list = () => 'lst_000002';
const listWithCompany = async () => {
  await ask(sandbox, 'POST', `lists/${list()}/domains`, { domains: [company()] });
  return list();
};
const job = async () => await startJob(sandbox, [company()]);
const technology = () => 'hubspot';
const vendor = () => 'google.com';
const text = () => 'media';

/** What the good item's field holds, and the parameters that read it. */
type Case = readonly [
  field: () => string | Promise<string>,
  parameters: INodeParameters | (() => INodeParameters),
];

/** By node, resource and operation. */
const CASES: Readonly<Record<string, Case>> = {
  'bulkEnrich enrichCompanies': [company, { domain: FIELD }],
  'bulkEnrich enrichPartnerships': [company, { domain: FIELD }],
  'bulkEnrich estimateCost': [company, { domain: FIELD }],
  'bulkEnrich normalizeDomains': [company, { domain: FIELD }],
  'companyLookup compare': [firstOfPair, PAIR],
  'companyLookup get': [company, { identifier: FIELD }],
  'companyLookup getMany': [text, { limit: 1, filters: { q: FIELD } }],
  'techUsers searchTechnologies': [technology, { q: FIELD, limit: 1 }],
  'techUsers getByTechnology': [technology, { techKey: byId(FIELD), limit: 1 }],
  'techUsers getByVendor': [vendor, { vendorDomain: FIELD, limit: 1 }],
  'techUsers count': [vendor, { countBy: 'vendor', vendorDomain: FIELD }],
  'partnerGraph getPartners': [firstOfPair, { identifier: FIELD, limit: 1 }],
  'partnerGraph getReversePartners': [firstOfPair, { partnerDomain: FIELD, limit: 1 }],
  'partnerGraph getPartnership': [firstOfPair, PAIR],
  'partnerGraph getSharedPartners': [firstOfPair, () => ({ ...PAIR(), limit: 1 })],
  'partnerGraph getGraph': [firstOfPair, { identifier: FIELD, maxNodes: 4, graphOutput: 'dot' }],
  'partnerGraph getPairGraph': [firstOfPair, () => ({ ...PAIR(), maxNodes: 4 })],
  'listMembers addDomains': [list, () => ({ ...LIST, domain: company() })],
  'listMembers exportCsv': [list, LIST],
  'listMembers getMany': [list, { ...LIST, limit: 1 }],
  'listMembers materialize': [list, LIST],
  'listMembers removeDomain': [listWithCompany, () => ({ ...LIST, domain: company() })],
  'refreshAndWait refreshAndWait': [company, { domain: FIELD }],
  'refreshAndWait startRefresh': [company, { domain: FIELD }],
  'refreshAndWait getJob': [job, { jobId: FIELD }],
  'refreshAndWait waitForJob': [job, { jobId: FIELD }],
  'flagData create': [company, { identifier: FIELD, description: 'Closed' }],
  'companyList list create': [text, { name: FIELD }],
  'companyList list delete': [list, LIST],
  'companyList list get': [list, LIST],
  'companyList list getMany': [() => '1', { limit: FIELD }],
  'companyList list rename': [list, { ...LIST, name: 'New' }],
  'companyList list transferOwnership': [list, { ...LIST, user: 'user-colleague' }],
  'companyList definition get': [list, LIST],
  'companyList definition getFilterFields': [text, {}],
  'companyList definition previewCount': [
    () => '{ "root": { "field": "industry", "operator": "equals", "value": "Media" } }',
    { definitionMode: 'json', definition: FIELD },
  ],
  'companyList definition replace': [
    list,
    { ...LIST, definitionMode: 'json', definition: '{ "root": null }' },
  ],
  'companyList permission getMany': [() => 'lst_000001', { ...LIST, limit: 1 }],
  'companyList permission grant': [list, { ...LIST, user: 'user-colleague' }],
  'companyList permission revoke': [() => 'lst_000001', { ...LIST, permissionId: byId('1') }],
  apiRequest: [() => 'lists', { path: FIELD }],
};

/** No item of theirs fails: one has nothing that an item could get wrong, one counts such items. */
const NEVER_WRONG = ['companyList definition getFilterFields', 'bulkEnrich estimateCost'];

const ALL = [
  ...OPERATIONS.map((one) => ({
    key: [one.node.description.name, one.resource, one.operation].filter(Boolean).join(' '),
    ...one,
    parameters: {
      operation: one.operation,
      ...(one.resource === undefined ? {} : { resource: one.resource }),
    },
  })),
  { ...API_REQUEST, key: 'apiRequest', parameters: {} },
];

it('has an item for every operation', () => {
  expect(Object.keys(CASES).sort()).toEqual(ALL.map(({ key }) => key).sort());
});

it.each(ALL.filter(({ key }) => !NEVER_WRONG.includes(key)))('$key', async (one) => {
  const [field, given] = CASES[one.key] ?? [text, {}];
  const parameters: INodeParameters = typeof given === 'function' ? given() : given;
  const run = await runWorkflow({
    nodes: [
      source([{ id: 0, field: await field() }, { id: 1 }]),
      packageNode(
        one.node.description.name,
        { ...(one.parameters as INodeParameters), ...parameters },
        { onError: 'continueErrorOutput' },
      ),
    ],
    credentials: userCredential(sandbox),
    trace: { node: one.displayName, expression: "={{ $('Source').item.json.id }}" },
  });

  expect(run.error).toBeUndefined();
  expect([...new Set(run.traced(0))]).toEqual([0]);
  expect(run.json(one.displayName, 1)).toEqual([{ id: 1, ...errorItemOf('invalid_input') }]);
  expect(run.traced(1)).toEqual([1]);
});

it.each(ALL.filter(({ key }) => NEVER_WRONG.includes(key)))('$key', async (one) => {
  const [field, parameters] = CASES[one.key] ?? [text, {}];
  const run = await runWorkflow({
    nodes: [
      source([{ field: await field() }]),
      packageNode(one.node.description.name, {
        ...(one.parameters as INodeParameters),
        ...(parameters as INodeParameters),
      }),
    ],
    credentials: userCredential(sandbox),
  });

  expect(run.error).toBeUndefined();
  expect(run.json(one.displayName).length).toBeGreaterThan(0);
});
