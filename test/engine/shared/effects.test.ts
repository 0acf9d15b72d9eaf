/**
 * Requests that change data in the service are sent once. After any response or failure, the change
 * may have taken effect, so n8n's Retry On Fail must not repeat it.
 */
import type { INodeParameters } from 'n8n-workflow';

import { inTurn, json, reset, text, type Answering } from '../../src/client/support/service';
import { byId, runNode } from './nodes';
import { ON_ERROR, useService } from './service';

const service = useService();

const RETRY = { retryOnFail: true, maxTries: 4, waitBetweenTries: 1 } as const;
const sent = () => service.received.filter(({ method }) => method !== 'GET');

const deep = (open: string, close: string): string =>
  `${open.repeat(20_000)}1${close.repeat(20_000)}`;
const CUT = text('{"flag_id":', 200, { 'content-type': 'application/json' });

const ANSWERS: ReadonlyArray<[string, Answering]> = [
  ['500', json({ error: 'internal' }, 500)],
  ['201 with deeply nested JSON', text(deep('[', ']'), 201)],
  ['200 with truncated JSON', CUT],
  ['a connection reset', reset],
];

/** Successful responses that do not name the created object. */
const NOTHING: typeof ANSWERS = [
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
  readonly also?: typeof ANSWERS;
  /** Whether one request covers many items. */
  readonly isBatch?: true;
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
const LIST = { ...LISTS, parameters: { resource: 'list', listId: byId(IT) } };
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
    isBatch: true,
  })),
  {
    title: 'Create a list',
    ...LISTS,
    parameters: { resource: 'list', operation: 'create', name: IT },
    check: /Check with Company List: Get Many whether a list named "a.com" exists/,
  },
  {
    title: 'Transfer Ownership',
    ...LIST,
    parameters: { ...LIST.parameters, operation: 'transferOwnership', user: 'u' },
    check: /Check who owns the list/,
  },
  {
    title: 'Grant',
    ...LIST,
    parameters: { ...LIST.parameters, resource: 'permission', operation: 'grant', user: 'u' },
    check: /Check who has access/,
  },
  {
    title: 'Add Domains',
    ...MEMBERS,
    parameters: { operation: 'addDomains', listId: byId('l1'), domain: IT },
    done: json({ added: ['a.com'] }),
    check: /Check with Get Many/,
    isBatch: true,
  },
  ...['POST', 'PUT', 'PATCH', 'DELETE'].map((method): Effect => ({
    title: `API Request, ${method}`,
    name: 'API Request',
    type: 'apiRequest',
    parameters: { method, path: '={{ "lists/" + $json.it }}', body: '{}' },
    done: json({ done: true }),
    check: CHECK,
  })),
];

/** Requests that the node can repeat although their outcome is unknown. */
const REPEATABLE: readonly Effect[] = [
  {
    title: 'Rename',
    ...LIST,
    parameters: { ...LIST.parameters, operation: 'rename', name: 'A' },
  },
  { title: 'Delete', ...LIST, parameters: { ...LIST.parameters, operation: 'delete' } },
  {
    title: 'Revoke',
    ...LIST,
    parameters: {
      ...LIST.parameters,
      resource: 'permission',
      operation: 'revoke',
      permissionId: byId('1'),
    },
  },
  {
    title: 'Remove Domain',
    ...MEMBERS,
    parameters: { operation: 'removeDomain', listId: byId('l1'), domain: IT },
    done: text('', 204),
  },
];

const ONE = [{ it: 'a.com' }];

describe.each(EFFECTS)('$title', ({ name, type, parameters, done, check = /./, also = [] }) => {
  it.each([...ANSWERS, ...also])(
    'sends the request once and says how to check the outcome when the response is: %s',
    async (_what, answer) => {
      service.answer(answer);
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

  it.each([
    ['continueRegularOutput', 0],
    ['continueErrorOutput', 1],
  ] as const)('reports an unknown outcome after a reset, On Error: %s', async (onError, output) => {
    service.answer(inTurn(reset, done));
    const run = await runNode(service, type, parameters, ONE, { ...RETRY, onError });

    expect(sent()).toHaveLength(1);
    expect(JSON.stringify(run.json(name, output))).toContain('unknown_outcome');
    expect(run.json(name, 1 - output)).toEqual([]);
  });

  it('retries after a 429, which has no effect', async () => {
    const throttled = json({ error: 'x' }, 429, { 'retry-after': '0.05' });
    service.answer(inTurn(throttled, throttled, done));
    const run = await runNode(service, type, parameters, ONE);

    expect(run.error).toBeUndefined();
    expect(run.json(name)).toHaveLength(1);
    expect(sent()).toHaveLength(3);
  });

  it('sends the same item again in another execution, but not in the same one', async () => {
    service.answer(done);
    for (const executionId of ['one', 'two', 'two'].map((id) => `${id} of ${service.baseUrl}`)) {
      await runNode(service, type, parameters, ONE, { executionId });
    }

    expect(sent()).toHaveLength(2);
  });
});

const ITEMS = ['a.com', 'b.com', 'c.com'];
const EACH = [...EFFECTS, ...REPEATABLE].filter(({ isBatch }) => isBatch !== true);

describe.each(ON_ERROR)('with Retry On Fail, On Error: %s', (onError) => {
  describe.each(EACH)('$title', ({ name, type, parameters, done }) => {
    it.each([
      ['the first of three items fails each time', 0, Infinity],
      ['the second of three items fails each time', 1, Infinity],
      ['the last of three items fails each time', 2, Infinity],
      ['the first of three items fails once', 0, 1],
    ])('sends each other item at most once when %s', async (_which, failing, times) => {
      const isAbout = (one: { url: string; body: string }, it = '') =>
        `${one.url} ${one.body}`.includes(it);
      const about = (it = '') => sent().filter((one) => isAbout(one, it));
      service.answer((request, response) => {
        const isRefused = isAbout(request, ITEMS[failing]) && about(ITEMS[failing]).length <= times;
        (isRefused ? json({ error: 'forbidden' }, 403) : done)(request, response);
      });
      const items = ITEMS.map((it) => ({ it }));
      const run = await runNode(service, type, parameters, items, { ...RETRY, onError });

      // n8n runs the node again if the node throws or, under Continue, if its first item failed.
      const isAgain = onError === 'stopWorkflow' || failing === 0;
      const tries = times === 1 ? 2 : RETRY.maxTries;
      expect(about(ITEMS[failing])).toHaveLength(isAgain ? tries : 1);
      for (const it of ITEMS.filter((_it, at) => at !== failing)) {
        // With Stop, the node sends only requests that were in flight when the item failed.
        const fewest = onError === 'stopWorkflow' && times > 1 ? 0 : 1;
        expect([fewest, 1]).toContain(about(it).length);
      }
      expect(run.error === undefined).toBe(onError !== 'stopWorkflow' || times === 1);
      if (times === 1) expect(run.json(name)).toHaveLength(3);
    });
  });
});

it.each(REPEATABLE)('$title is retried after a connection reset and succeeds', async (effect) => {
  service.answer(inTurn(reset, effect.done));
  const run = await runNode(service, effect.type, effect.parameters, ONE);

  expect(run.error).toBeUndefined();
  expect(run.json(effect.name)).toHaveLength(1);
  expect(sent()).toHaveLength(2);
});
