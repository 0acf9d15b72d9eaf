/**
 * Requests that change data in the service are sent once. After any response or failure, the change
 * may have taken effect, so n8n's Retry On Fail must not repeat it.
 */
import type { INodeParameters } from 'n8n-workflow';

import { inTurn, json, reset, text, type Answering } from '../../src/client/support/service';
import { byId, runNode } from './nodes';
import { useService } from './service';

const service = useService();

const RETRY = { retryOnFail: true, maxTries: 4, waitBetweenTries: 1 } as const;
const sent = () => service.received.filter(({ method }) => method !== 'GET');

/** Successful responses that do not name the created object. */
const NOTHING: ReadonlyArray<[string, Answering]> = [
  ['200 with null', json(null)],
  ['200 with an empty body', text('')],
  ['201 with an error', json({ error: 'x', message: 'y' }, 201)],
];

interface Effect {
  readonly title: string;
  readonly name: string;
  readonly type: string;
  /** Parameters that read the field `it` of each item. */
  readonly parameters: INodeParameters;
  /** The response that confirms the change. */
  readonly done: Answering;
  /**
   * How the error tells the user to check the outcome. Undefined if repeating the change does no
   * harm.
   */
  readonly check?: RegExp;
  readonly also?: typeof NOTHING;
}

const CHECK = /didn't retry.*Check in the service/;
const IT = '={{ $json.it }}';
const FLAG = { flag_id: 1, company_id: 2, status: 'queued' };
const JOB = { job_id: 'j1', status: 'completed', completed_at: '2026-01-01T00:00:00Z' };

const LISTS = {
  name: 'Company List',
  type: 'companyList',
  done: json({ list_id: 'l1', name: 'A' }, 201),
};
const ofList = (title: string, own: INodeParameters) => ({
  title,
  ...LISTS,
  parameters: { resource: 'list', listId: byId(IT), ...own },
});
const MEMBERS = { name: 'List Members', type: 'listMembers' };

const EFFECTS: readonly Effect[] = [
  {
    title: 'Flag Data',
    name: 'Flag Data',
    type: 'flagData',
    parameters: { identifier: IT, description: 'x' },
    done: json(FLAG, 201),
    check: CHECK,
    also: NOTHING,
  },
  ...['startRefresh', 'refreshAndWait'].map((operation): Effect => ({
    title: operation,
    name: 'Refresh and Wait',
    type: 'refreshAndWait',
    parameters: { operation, domain: IT },
    done: json({ ...JOB, domains: [{ domain: 'a.com', status: 'succeeded' }] }),
    check: CHECK,
    also: [
      ...NOTHING,
      ['202 with an unusable job ID', json({}, 202, { Location: '/v1/jobs/%zz' })],
    ],
  })),
  {
    ...ofList('Create a list', { operation: 'create', name: IT }),
    check: /Check with Company List: Get Many whether a list named "a.com" exists/,
  },
  {
    ...ofList('Transfer Ownership', { operation: 'transferOwnership', user: 'u' }),
    check: /Check who owns the list/,
  },
  {
    ...ofList('Grant', { resource: 'permission', operation: 'grant', user: 'u' }),
    check: /Check who has access/,
  },
  {
    ...ofList('Replace', {
      resource: 'definition',
      operation: 'replace',
      definition: '{"root":1}',
    }),
    done: json({ registry_version: 'r1', version: 2 }),
    check: /Check the definition with Definition: Get/,
  },
  {
    title: 'Add Domains',
    ...MEMBERS,
    parameters: { operation: 'addDomains', listId: byId('l1'), domain: IT },
    done: json({ added: ['a.com'] }),
    check: /Check with Get Many/,
  },
  ...['POST', 'PUT', 'PATCH', 'DELETE'].map((method): Effect => ({
    title: `API Request, ${method}`,
    name: 'Company Intelligence API Request',
    type: 'apiRequest',
    parameters: { method, path: '={{ "lists/" + $json.it }}', body: '{}' },
    done: json({ done: true }),
    check: CHECK,
  })),
];

const RENAME = ofList('Rename', { operation: 'rename', name: 'A' });
const DELETE = ofList('Delete', { operation: 'delete' });
const REVOKE = ofList('Revoke', {
  resource: 'permission',
  operation: 'revoke',
  permissionId: byId('1'),
});
const REMOVE = {
  title: 'Remove Domain',
  ...MEMBERS,
  parameters: { operation: 'removeDomain', listId: byId('l1'), domain: IT },
  done: text('', 204),
};

/** Requests that the node can repeat although their outcome is unknown. */
const REPEATABLE: readonly Effect[] = [RENAME, DELETE, REVOKE, REMOVE];

const ONE = [{ it: 'a.com' }];

describe.each(EFFECTS)('$title', ({ type, parameters, done, check = /./, also = [] }) => {
  it.each([['a connection reset', reset] as [string, Answering], ...also])(
    'sends the request once and says how to check the outcome when the response is: %s',
    async (_what, answer) => {
      service.answer((request, response) => {
        (request.method === 'GET' ? done : answer)(request, response);
      });
      const { status, error } = await runNode(service, type, parameters, ONE, RETRY);

      expect(status).toBe('error');
      expect(error?.message).toMatch(/^The outcome of this request is unknown \([A-Z]+ \/v1\//);
      expect(error?.description).toMatch(check);
      expect(JSON.stringify(error)).not.toMatch(
        /call stack|URI malformed|Parse Error|header check/,
      );
      expect(sent()).toHaveLength(1);
    },
  );
});

it.each([...EFFECTS, ...REPEATABLE])(
  '$title sends the same item again in another execution, but not in the same one',
  async ({ type, parameters, done }) => {
    service.answer(done);
    for (const executionId of ['one', 'two', 'two'].map((id) => `${id} of ${service.baseUrl}`)) {
      await runNode(service, type, parameters, ONE, { ...RETRY, executionId });
    }

    expect(sent()).toHaveLength(2);
  },
);

it.each(REPEATABLE)('$title is retried after a connection reset and succeeds', async (effect) => {
  service.answer(inTurn(reset, effect.done));
  const run = await runNode(service, effect.type, effect.parameters, ONE);

  expect(run.error).toBeUndefined();
  expect(run.json(effect.name)).toHaveLength(1);
  expect(sent()).toHaveLength(2);
});

const MISSING = json({ error: 'list_not_found' }, 404);

it.each([
  { ...DELETE, output: { list_id: 'a.com' } },
  { ...REVOKE, output: { list_id: 'a.com', permission_id: '1' } },
  { ...REMOVE, output: { list_id: 'l1', domain: 'a.com' } },
])('$title takes a 404 as a success after a lost response only', async (deletion) => {
  const { type, name, parameters, output } = deletion;
  service.answer(inTurn(reset, MISSING));
  const run = await runNode(service, type, parameters, ONE);
  expect(run.json(name)).toEqual([{ ...output, deleted: true }]);

  service.answer(MISSING);
  const { error } = await runNode(service, type, parameters, ONE);

  expect(error).toMatchObject({ httpCode: '404' });
});
