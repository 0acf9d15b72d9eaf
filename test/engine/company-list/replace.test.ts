/**
 * Company List, Replace Definition: while other users change the definition, and when responses are
 * lost.
 */
import type { INodeParameters } from 'n8n-workflow';

import { json, TestService, text } from '../../src/client/support/service';
import { credentialFor, sentTo, useSandbox } from '../shared/service';
import { ask, byId, type Change } from '../shared/nodes';
import { catalogAnd, companyList, INVISIBLE, NAME, OWN } from './company-list';
import { errorItemOf } from '../shared/error-items';

const sandbox = useSandbox({ companies: 500 });

const path = `/v1/lists/${OWN}/definition`;
const tree = (value: string) => ({ field: 'industry', operator: 'equals', value });
const stamped = (value: string) => ({ registry_version: '2025-06-01', root: tree(value) });
const RETAIL = { root: tree('Retail') };

const REPLACE = {
  resource: 'definition',
  operation: 'replace',
  listId: byId(OWN),
  definitionMode: 'json',
};
const replace = async (definition: unknown, options: INodeParameters = {}, change: Change = {}) => {
  const parameters = { ...REPLACE, definition: JSON.stringify(definition), options };
  return await companyList(sandbox, parameters, [{}], change);
};
const saved = async () => await ask(sandbox, 'GET', `lists/${OWN}/definition`);
const puts = () => sentTo(sandbox).filter(({ method }) => method === 'PUT');

/**
 * Starts a proxy to the service. Another user saves the definition just before each of the first
 * save requests reaches the service.
 */
async function overtaken(times: number, saves: (time: number) => unknown) {
  let time = 0;
  const service = await TestService.start((request, response) => {
    const pass = async () => {
      if (request.method === 'PUT' && time < times) {
        time += 1;
        await ask(sandbox, 'PUT', `lists/${OWN}/definition`, saves(time));
      }
      const answer = await fetch(`${sandbox.baseUrl}${request.url}`, {
        method: request.method,
        headers: { 'X-API-Key': sandbox.keys.user, 'Content-Type': 'application/json' },
        ...(request.body === '' ? {} : { body: request.body }),
      });
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(await answer.text());
    };
    void pass();
  });
  return {
    credentials: credentialFor(service.baseUrl),
    puts: () => service.received.filter(({ method }) => method === 'PUT'),
  };
}

it('reads the catalog and the current definition, then saves the new version', async () => {
  const run = await replace(RETAIL);

  expect(await saved()).toEqual({ ...stamped('Retail'), version: 2 });
  expect(run.json(NAME)).toEqual([{ list_id: OWN, definition: await saved() }]);
  expect(
    sentTo(sandbox)
      .slice(0, 3)
      .map(({ method, path: to }) => `${method} ${to}`),
  ).toEqual(['GET /v1/lists/filter-fields', `GET ${path}`, `PUT ${path}`]);
  expect(sandbox.report().charged).toBe(0);
});

it('accepts the output of Get unchanged', async () => {
  const got = await companyList(sandbox, {
    resource: 'definition',
    operation: 'get',
    listId: byId('lst_000001'),
  });
  // Both definitions have version 1.
  const run = await replace(got.json(NAME)[0]);

  expect(run.error?.message).toBeUndefined();
  expect(await saved()).toMatchObject({ version: 2, root: { value: 'shopify' } });
});

it('replaces a definition in item order when several items are for the same list', async () => {
  const values = ['Retail', 'Media', 'Software'];
  const run = await companyList(
    sandbox,
    { ...REPLACE, definition: '={{ $json.tree }}' },
    values.map((value) => ({ tree: { root: tree(value) } })),
  );

  expect(run.error?.message).toBeUndefined();
  expect(run.json(NAME).map((json) => json['definition'])).toEqual(
    values.map((value, index) => ({ ...stamped(value), version: index + 2 })),
  );
  expect(await saved()).toEqual({ ...stamped('Software'), version: 4 });
});

it('replaces a definition once, even when Retry On Fail repeats another item', async () => {
  await companyList(
    sandbox,
    { ...REPLACE, listId: byId('={{ $json.list }}'), definition: JSON.stringify(RETAIL) },
    [{ list: INVISIBLE }, { list: OWN }],
    { retryOnFail: true, maxTries: 4, waitBetweenTries: 1, onError: 'continueRegularOutput' },
  );

  expect(await saved()).toMatchObject({ version: 2 });
});

describe('when someone else saves at the same time', () => {
  it('replaces nothing and lists the changes in the error if On Conflict is Fail', async () => {
    const { credentials, puts: sent } = await overtaken(1, () => stamped('Media'));
    const run = await replace(RETAIL, {}, { credentials });

    expect(run.error).toMatchObject({
      httpCode: '409',
      message:
        'Someone else changed the definition of this list (version 1 is now 2). ' +
        'Changes: added industry equals "Media"; removed country in ["Germany","Netherlands"], industry equals "Software"',
      description: expect.stringMatching(/Nothing was replaced.*Overwrite/),
    });
    expect(sent()).toHaveLength(1);
    expect(await saved()).toEqual({ ...stamped('Media'), version: 2 });
  });

  it('lists the changes as data in the error item if On Conflict is Fail', async () => {
    const { credentials } = await overtaken(1, () => stamped('Media'));
    const settings = { onError: 'continueRegularOutput' } as const;
    const run = await replace(RETAIL, {}, { credentials, ...settings });

    expect(run.json(NAME)).toEqual([
      errorItemOf('definition_version_conflict', expect.any(String), {
        status: 409,
        version_before: 1,
        version_now: 2,
        conditions_added: ['industry equals "Media"'],
        conditions_removed: ['country in ["Germany","Netherlands"]', 'industry equals "Software"'],
      }),
    ]);
  });

  it('retries until the definition is replaced if On Conflict is Overwrite', async () => {
    const { credentials, puts: sent } = await overtaken(2, (time) =>
      stamped(time === 1 ? 'Media' : 'Software'),
    );
    const run = await replace(RETAIL, { onConflict: 'overwrite' }, { credentials });

    expect(run.error?.message).toBeUndefined();
    expect(sent()).toHaveLength(3);
    expect(await saved()).toEqual({ ...stamped('Retail'), version: 4 });
  });

  it('fails after 6 attempts if On Conflict is Overwrite but someone keeps saving', async () => {
    const { credentials, puts: sent } = await overtaken(Infinity, () => stamped('Media'));
    const run = await replace(RETAIL, { onConflict: 'overwrite' }, { credentials });

    expect(run.error).toMatchObject({
      httpCode: '409',
      message: expect.stringMatching(/version 1 is now 7/),
    });
    expect(sent()).toHaveLength(6);
  });
});

describe('when the given definition is based on an old version', () => {
  const old = { ...RETAIL, version: 1 };
  beforeEach(async () => {
    await ask(sandbox, 'PUT', `lists/${OWN}/definition`, stamped('Media'));
  });

  it('lists the differences from the current definition if On Conflict is Fail', async () => {
    const run = await replace(old);

    expect(run.error?.message).toMatch(
      /version 1 is now 2\)\. Differences from your definition: added industry equals "Media"; removed industry equals "Retail"/,
    );
  });

  it('replaces the current definition if On Conflict is Overwrite', async () => {
    const run = await replace(old, { onConflict: 'overwrite' });

    expect(run.error?.message).toBeUndefined();
    expect(await saved()).toEqual({ ...stamped('Retail'), version: 3 });
  });
});

describe('when the response is lost', () => {
  it.each(['resetAfter', 'cutConnection', 'truncatedJson'] as const)(
    'succeeds without another request if the definition was replaced (%s)',
    async (preset) => {
      sandbox.addFault({ preset, match: { method: 'PUT', path } });
      const run = await replace(RETAIL);

      expect(run.json(NAME)).toEqual([{ list_id: OWN, definition: await saved() }]);
      expect(await saved()).toEqual({ ...stamped('Retail'), version: 2 });
      expect(puts()).toHaveLength(1);
    },
  );

  it.each(['resetBefore', 'html500'] as const)(
    'reports an unknown outcome without a retry if the definition was not replaced (%s)',
    async (preset) => {
      sandbox.addFault({ preset, match: { method: 'PUT', path }, when: 'every' });
      const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
      const run = await replace(RETAIL, {}, settings);

      expect(run.error).toMatchObject({
        message: expect.stringMatching(/^The outcome of this request is unknown \(PUT/),
        description: expect.stringMatching(/Check the definition with Definition: Get/),
      });
      expect(puts()).toHaveLength(1);
      expect(await saved()).toMatchObject({ version: 1 });
    },
  );

  it('reports an unknown outcome if the definition cannot be read either', async () => {
    sandbox.addFault({ preset: 'resetAfter', match: { method: 'PUT', path } });
    sandbox.addFault({ preset: 'forbidden', match: { method: 'GET', path }, when: { nth: 2 } });
    const run = await replace(RETAIL);

    expect(run.error?.message).toMatch(/^The outcome of this request is unknown/);
  });
});

const TREE = { rules: [{ id: 1 }] };
const EMPTY = { rules: [], version: 3 };
const NOW = { ...TREE, version: 4 };

it.each<[string, { first: unknown; put?: unknown; later: unknown; output: unknown }]>([
  [
    'adds a definition if the list has none',
    { first: { definition: null, version: 3 }, put: TREE, later: TREE, output: TREE },
  ],
  ['treats a response without a body as success', { first: EMPTY, later: NOW, output: NOW }],
  [
    'reads the definition if the response does not contain it',
    { first: EMPTY, put: { ok: true }, later: NOW, output: NOW },
  ],
  [
    'outputs the response if the definition cannot be read afterwards',
    { first: EMPTY, put: { ok: true }, later: 'nothing', output: { ok: true } },
  ],
])('%s', async (_title, { first, put, later, output }) => {
  let body: string | undefined;
  const service = await catalogAnd((request, response) => {
    const reading = json(body === undefined ? first : later);
    if (request.method === 'PUT') body = request.body;
    const saving = put === undefined ? text('', 204) : json(put);
    (request.method === 'PUT' ? saving : reading)(request, response);
  });
  const run = await replace(TREE, {}, { credentials: credentialFor(service.baseUrl) });

  expect(run.error?.message).toBeUndefined();
  expect(JSON.parse(body ?? 'null')).toEqual({ ...TREE, registry_version: 'r7', version: 3 });
  expect(run.json(NAME)).toEqual([{ list_id: OWN, definition: output }]);
});
