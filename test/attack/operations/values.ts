/**
 * What the attack fills in: one value for each name of a parameter, whatever operation has it. They
 * are expressions on the fields of {@link itemsFor}, so that every item asks for its own.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox';
import { REGISTRY_VERSION } from '../../../sandbox/lists/catalogue';
import { connectedPairs, hubs } from '../../engine/shared/partners';

const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const condition = { field: 'partnership_count', operator: 'gte', value: '1', valueType: 'auto' };

/** Where a request of each method goes; those that change something create, rename and delete lists. */
const PATHS: Readonly<Record<string, string>> = {
  // Each item its own list: the second time there is none any more.
  DELETE: '={{ "lists/" + $json.ownList }}',
  GET: '={{ "companies/" + $json.company }}',
  HEAD: '={{ "companies/" + $json.company }}',
  PATCH: '={{ "lists/" + $json.list }}',
  POST: 'lists',
  PUT: '={{ "lists/" + $json.list + "/definition" }}',
};

/** A filter tree with the version that the catalogue has, which API Request does not fill in. */
const DEFINITION = `={{ { "registry_version": "${REGISTRY_VERSION}", "root": { "field": "partnership_count", "operator": "gte", "value": $json.number } } }}`;

type Value = INodeParameters[string];

/** Values by parameter; a function where they depend on the node's other parameters. */
const VALUES: Readonly<Record<string, Value | ((others: INodeParameters) => Value)>> = {
  body: ({ method }) => (method === 'PUT' ? DEFINITION : '={{ { "name": $json.name } }}'),
  definition: DEFINITION,
  description: '={{ "This is not right: " + $json.name }}',
  domain: '={{ $json.company }}',
  groups: { group: [{ combinator: 'and', conditions: { condition: [condition] } }] },
  identifier: '={{ $json.company }}',
  identifierA: '={{ $json.a }}',
  identifierB: '={{ $json.b }}',
  include: ({ operation }) =>
    operation === 'get' || operation === 'enrichCompanies'
      ? ['firmographics', 'technologies']
      : ['firmographics'],
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
  // Where it only filters, everything passes.
  q: ({ operation }) => (operation === 'searchTechnologies' ? '={{ $json.text }}' : ''),
  techKey: byId('={{ $json.tech }}'),
  user: 'user-colleague',
  vendorDomain: '={{ $json.vendor }}',
};

/** Parameters that may stay as they come out of the node panel, although that is empty. */
const MAY_BE_EMPTY = new Set(['searchNameOrDomain', 'query', 'filters', 'compareWith']);

/** Parameters that change nothing about how an operation fails: one of their choices is enough. */
export const ONE_CHOICE_IS_ENOUGH = new Set([
  'accessLevel',
  'authentication',
  'combinator',
  'depth',
  'sort',
  'tier',
]);

/** Operations whose answer the interface does not show: any success counts. */
export const ANSWER_NOT_SHOWN: ReadonlySet<string> = new Set([
  'addDomains',
  'delete',
  'grant',
  'removeDomain',
  'rename',
  'revoke',
  'transferOwnership',
]);

/** Entries of Options that an operation is also run with, one at a time. */
export const OPTIONS_THAT_MATTER: Readonly<Record<string, readonly Value[]>> = {
  companyName: ['Acme'],
  enrichAfterwards: [['firmographics']],
  header: ['addToRows', 'only'],
  ifNotFound: ['item'],
  ifStillRunning: ['error'],
  maxCredits: [1000],
  offset: [1],
  onConflict: ['overwrite'],
  onlyFirstCompanies: [1],
  onlyIfOlderThanDays: [30],
  output: ['columns', 'result'],
  runReport: [true],
  spendRemainingCredits: [true],
  technologyColumns: ['hubspot, google-analytics'],
};

/** Those that go the same way in all lists of a node, and in all its other operations: one of each is enough. */
export const ONE_OPERATION_IS_ENOUGH = new Set(['maxCredits', 'offset']);

/** All other entries of Options, and why no fault makes a difference to them. */
export const OPTIONS_THAT_DO_NOT_MATTER: Readonly<Record<string, string>> = {
  acceptDomains: 'Which rows are asked for; decided before anything is sent.',
  additionalFields: 'What is merged into what is sent.',
  byteOrderMark: 'Three bytes before whatever is in the file.',
  candidatesPerName: 'How many companies a search by name returns.',
  columnPrefix: 'The beginning of the names of whatever comes out.',
  checkDefinition: 'Turned off, a check of the input is left out.',
  companyCountry: 'Decides between companies that have arrived well.',
  dates: 'How a text is written that has arrived well.',
  delimiter: 'What is between texts that have arrived well.',
  escapeFormulas: 'How a text is written that has arrived well.',
  fileName: 'The name of whatever comes out.',
  ignoreDomains: 'Which rows are asked for; decided before anything is sent.',
  lastSeenAt: 'Saves a request of Only If Older Than, which is sent here.',
  listSeparator: 'What is between names that have arrived well.',
  maxRateLimitWaitMinutes: 'Faults ask for a wait of seconds, or of hours, which is more than any.',
  maxWaitMinutes: 'Every run has the shortest.',
  overwriteColumns: 'The rows here have no such columns.',
  rejectFreeMail: 'Which rows are asked for; decided before anything is sent.',
  requestTimeoutSeconds: 'Every run against what never answers has the shortest.',
  resultField: 'The name of the field of whatever comes out.',
  startPage: 'An offset of whole pages.',
  subdomains: 'What is asked for; decided before anything is sent.',
  wrapIn: 'The name of the field around what is sent.',
  waitMode: 'Waits as short as those here are always in the execution.',
};

/** Options that every run has: what takes seconds by itself is as short as it may be. */
export function shortestWaits(options: ReadonlySet<string>): INodeParameters {
  return {
    ...(options.has('maxWaitMinutes') ? { maxWaitMinutes: 0.03 } : {}),
  };
}

/**
 * The value of a parameter; undefined leaves it at its default.
 *
 * @param what names the operation, for the error.
 * @throws when the parameter needs a value and has none here.
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
 * Three items: two that ask for different things, and one that asks for the same as the first. Each
 * has a field of its own, by which it is recognized.
 *
 * @param made ids of what was made for this run.
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
    name: `List ${String(index)} of this run`,
    number: index + 1,
  });
  return [one(0), one(1), one(0)].map((item, id) => ({
    ...item,
    id,
    ownList: made.lists[id] ?? '',
    own: `own field ${String(id)}`,
  }));
}
