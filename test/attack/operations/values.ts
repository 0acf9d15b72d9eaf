/**
 * One value for each parameter name, in all operations. They are expressions on the fields of
 * {@link itemsFor}, so that each item makes its own request.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox';
import { REGISTRY_VERSION } from '../../../sandbox/lists/definition';
import { byId } from '../../engine/shared/nodes';
import { connectedPairs, hubs } from '../../engine/shared/partners';

/** Path for each HTTP method. The methods that change something create, rename and delete lists. */
const PATHS: Readonly<Record<string, string>> = {
  // Each item deletes its own list, because a list can only be deleted once.
  DELETE: '={{ "lists/" + $json.ownList }}',
  GET: '={{ "companies/" + $json.company }}',
  HEAD: '={{ "companies/" + $json.company }}',
  PATCH: '={{ "lists/" + $json.list }}',
  POST: 'lists',
  PUT: '={{ "lists/" + $json.list + "/definition" }}',
};

/** A filter tree with the catalog's version, which API Request does not add. */
const DEFINITION = `={{ { "registry_version": "${REGISTRY_VERSION}", "root": { "field": "partnership_count", "operator": "gte", "value": $json.number } } }}`;

type Value = INodeParameters[string];

/** Values by parameter name; a function if the value depends on the node's other parameters. */
const VALUES: Readonly<Record<string, Value | ((others: INodeParameters) => Value)>> = {
  body: ({ method }) => (method === 'PUT' ? DEFINITION : '={{ { "name": $json.name } }}'),
  definition: DEFINITION,
  description: '={{ "This is not right: " + $json.name }}',
  domain: '={{ $json.company }}',
  identifier: '={{ $json.company }}',
  identifierA: '={{ $json.a }}',
  identifierB: '={{ $json.b }}',
  include: ({ operation }) =>
    operation === 'get' || operation === 'enrichCompanies'
      ? ['firmographics', 'technologies']
      : ['firmographics'],
  fieldsToKeep: 'id',
  jobId: '={{ $json.job }}',
  limit: 2,
  listId: byId('={{ $json.list }}'),
  maxNodes: 4,
  name: '={{ $json.name }}',
  outcome: '={{ $itemIndex % 2 === 0 ? "won" : "lost" }}',
  partnerDomain: '={{ $json.company }}',
  partners: 2,
  path: ({ method }) => PATHS[typeof method === 'string' ? method : 'GET'] ?? '',
  permissionId: byId('={{ $json.permission }}'),
  // If the text only filters, the empty text lets every row pass.
  q: ({ operation }) => (operation === 'searchTechnologies' ? '={{ $json.text }}' : ''),
  techKey: byId('={{ $json.tech }}'),
  user: 'user-colleague',
  vendorDomain: '={{ $json.vendor }}',
};

/** Parameters that can keep their empty default. */
const MAY_BE_EMPTY = new Set([
  'companyCountry',
  'companyName',
  'filters',
  'query',
  'searchNameOrDomain',
]);

/** Parameters that do not change how an operation fails, so one choice is enough. */
export const ONE_CHOICE_IS_ENOUGH = new Set([
  'accessLevel',
  'authentication',
  'depth',
  'sort',
  'tier',
]);

/** Operations whose response the API spec does not show: any success counts. */
export const ANSWER_NOT_SHOWN: ReadonlySet<string> = new Set([
  'addDomains',
  'delete',
  'grant',
  'removeDomain',
  'rename',
  'revoke',
  'transferOwnership',
]);

/** Entries of Options to test with each operation, one at a time. */
export const OPTIONS_THAT_MATTER: Readonly<Record<string, readonly Value[]>> = {
  countOnly: [true],
  forceRefresh: [true],
  ifNotFound: ['item'],
  maxCredits: [1000],
  offset: [1],
  simplify: [false],
  output: ['columns', 'result'],
  technologyColumns: ['hubspot, google-analytics'],
};

/**
 * Options that behave the same in all lists of a node, and in
 * all its other operations: one test of each kind is enough.
 */
export const ONE_OPERATION_IS_ENOUGH = new Set(['maxCredits', 'offset']);

/** All other entries of Options, by the reason why faults do not affect them. */
export const OPTIONS_THAT_DO_NOT_MATTER: Readonly<Record<string, readonly string[]>> = {
  'Decides what is sent, before anything is.': [
    ...['acceptDomains', 'candidatesPerName', 'rejectFreeMail', 'subdomains'],
  ],
  'Decides how a response is written that has arrived well.': [
    ...['byteOrderMark', 'columnPrefix', 'delimiter', 'escapeFormulas', 'fileName'],
  ],
  'Every run that needs it has the shortest.': ['maxWaitMinutes'],
};

/**
 * Returns the value of a parameter, or undefined to keep its default.
 *
 * @param what The operation, for the error message.
 * @throws {Error} If the parameter needs a value and has none here.
 */
export function valueOf(
  parameter: { readonly name: string; readonly empty: boolean },
  others: INodeParameters,
  what: string,
): Value | undefined {
  const { name, empty } = parameter;
  if (Object.hasOwn(VALUES, name)) {
    const value = VALUES[name];
    return typeof value === 'function' ? value(others) : value;
  }
  if (!empty || MAY_BE_EMPTY.has(name)) return undefined;
  throw new Error(
    `${what}: the attack has no value for the parameter "${name}". Add one to VALUES, or the name to MAY_BE_EMPTY, in test/attack/operations/values.ts.`,
  );
}

/**
 * Returns three items. The first two make different requests, and the third repeats the first. A
 * field of its own identifies each item.
 *
 * @param made IDs of the objects created for this run.
 */
export function itemsFor(
  sandbox: Sandbox,
  made: Readonly<Record<'jobs' | 'permissions' | 'lists', readonly string[]>>,
): IDataObject[] {
  const companies = hubs(sandbox);
  const pairs = connectedPairs(sandbox);
  const one = (index: number): IDataObject => ({
    company: companies[index] ?? '',
    a: pairs[index]?.a ?? '',
    b: pairs[index]?.b ?? '',
    tech: ['hubspot', 'stripe'][index] ?? '',
    vendor: ['google.com', 'stripe.com'][index] ?? '',
    text: ['google', 'adobe'][index] ?? '',
    list: made.lists[index] ?? '',
    job: made.jobs[index] ?? '',
    permission: made.permissions[index] ?? '',
    name: `List ${index} of this run`,
    number: index + 1,
  });
  return [one(0), one(1), one(0)].map((item, id) => ({
    ...item,
    id,
    ownList: made.lists[id] ?? '',
    own: `own field ${id}`,
  }));
}
