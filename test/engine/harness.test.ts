/** What the harness itself promises to the tests written with it. */
import type {
  IAuthenticateGeneric,
  ICredentialTestRequest,
  ICredentialType,
  ILoadOptionsFunctions,
  INodeProperties,
} from 'n8n-workflow';
import { json, TestService } from '../src/client/support/service';
import {
  defineNode,
  editFields,
  listSearch,
  loadOptions,
  node,
  runWorkflow,
  source,
  sourceItems,
  startWorkflow,
  testCredential,
} from './harness';

class TestApi implements ICredentialType {
  name = 'testApi';

  displayName = 'Test API';

  properties: INodeProperties[] = [
    { displayName: 'Base URL', name: 'baseUrl', type: 'string', default: 'http://default.test' },
    { displayName: 'Key', name: 'key', type: 'string', default: '' },
    { displayName: 'Shout', name: 'shout', type: 'string', default: '' },
  ];

  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { 'X-Key': '={{$credentials.key}}' } },
  };

  test: ICredentialTestRequest = {
    request: { baseURL: '={{$credentials.baseUrl}}', url: '/me', qs: { limit: 1 } },
    rules: [
      {
        type: 'responseCode',
        properties: { value: 403, message: 'This key belongs to an organization' },
      },
    ],
  };
}

class BodyRuleApi extends TestApi {
  override test: ICredentialTestRequest = {
    request: { baseURL: '={{$credentials.baseUrl}}', url: '/me' },
    rules: [
      {
        type: 'responseSuccessBody',
        properties: { key: 'live', value: false, message: 'Expired' },
      },
    ],
  };
}
const credentialTypes = [new TestApi()];

const rows = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];

describe('items', () => {
  it('reach a node with their expressions evaluated, and text that starts with = left alone', async () => {
    const run = await runWorkflow({
      nodes: [
        source([{ id: '={{ 1 }}' }, { id: 'x' }]),
        editFields('Fields', { id: '={{ $json.id }}', upper: '={{ $json.id.toUpperCase() }}' }),
      ],
    });

    expect(run.json('Fields')).toEqual([
      { id: '={{ 1 }}', upper: '={{ 1 }}' },
      { id: 'x', upper: 'X' },
    ]);
  });

  it('are traced to their source by n8n itself, through reordering and dropping', async () => {
    const reorder = defineNode('Reorder', (context) => {
      const items = context.getInputData();
      return Promise.resolve([
        [2, 0].map((item) => ({ json: { was: items[item]?.json['id'] }, pairedItem: { item } })),
      ]);
    });
    const run = await runWorkflow({
      nodes: [source(rows), node(reorder)],
      trace: { node: 'Reorder', expression: "={{ $('Source').item.json.id }}" },
    });

    expect(run.traced()).toEqual(['c', 'a']);
  });

  it('whose link is missing are reported with the reason n8n gives', async () => {
    const unlinked = defineNode('Unlinked', () => Promise.resolve([[{ json: {} }, { json: {} }]]));
    const run = await runWorkflow({
      nodes: [source(rows), node(unlinked)],
      trace: { node: 'Unlinked', expression: "={{ $('Source').item.json.id }}" },
    });

    expect(run.traced()).toEqual([
      { unresolved: expect.stringMatching(/paired|link/i) as unknown },
      { unresolved: expect.stringMatching(/paired|link/i) as unknown },
    ]);
  });

  it('keep their binary data, in memory', async () => {
    const shout = defineNode('Shout', async (context) => {
      const text = (await context.helpers.getBinaryDataBuffer(0, 'file')).toString();
      const file = await context.helpers.prepareBinaryData(
        Buffer.from(text.toUpperCase()),
        'loud.txt',
        'text/plain',
      );
      return [[{ json: {}, binary: { file } }]];
    });
    const data = Buffer.from('quiet').toString('base64');
    const run = await runWorkflow({
      nodes: [
        sourceItems([{ json: {}, binary: { file: { data, mimeType: 'text/plain' } } }]),
        node(shout),
      ],
    });

    const file = run.output('Shout')[0]?.binary?.['file'];
    expect(file).toMatchObject({ fileName: 'loud.txt', mimeType: 'text/plain' });
    expect(Buffer.from(file?.data ?? '', 'base64').toString()).toBe('QUIET');
  });

  it('go where the wires lead', async () => {
    const split = defineNode(
      'Split',
      (context) => {
        const items = context.getInputData();
        return Promise.resolve([items.slice(0, 1), items.slice(1)]);
      },
      { outputs: ['main', 'main'] },
    );
    const run = await runWorkflow({
      nodes: [
        source(rows),
        node(split),
        node('harness.passThrough', { name: 'First' }),
        node('harness.passThrough', { name: 'Rest' }),
      ],
      wires: [
        { from: 'Source', to: 'Split' },
        { from: 'Split', to: 'First' },
        { from: 'Split', output: 1, to: 'Rest' },
      ],
    });

    expect(run.json('First')).toEqual([{ id: 'a' }]);
    expect(run.json('Rest')).toEqual([{ id: 'b' }, { id: 'c' }]);
  });
});

describe('what a run leaves behind', () => {
  it('holds hints, logs, messages to the browser and custom data', async () => {
    const talkative = defineNode('Talkative', (context) => {
      context.addExecutionHints({ message: 'a hint', location: 'outputPane' });
      context.logger.warn('a log line', { rows: 3 });
      context.sendMessageToUI('to the browser');
      context.customData.set('summary', '3 rows');
      return Promise.resolve([context.getInputData()]);
    });
    const run = await runWorkflow({ nodes: [source(rows), node(talkative)] });

    expect(run.hints('Talkative')).toEqual([{ message: 'a hint', location: 'outputPane' }]);
    expect(run.logs).toContainEqual({
      level: 'warn',
      message: 'a log line',
      metadata: { rows: 3 },
    });
    expect(JSON.stringify(run.uiMessages)).toContain('to the browser');
    expect(run.customData).toEqual({ summary: '3 rows' });
  });

  it('is all in the transcript, also what a logged error hides', async () => {
    const leaky = defineNode('Leaky', (context) => {
      const error = new Error('inner');
      Object.defineProperty(error, 'request', { value: { key: 'hidden-1' }, enumerable: false });
      context.logger.debug('trouble', { error });
      return Promise.resolve([[{ json: { text: 'hidden-2' } }]]);
    });
    const run = await runWorkflow({ nodes: [source(rows), node(leaky)] });

    expect(run.transcript()).toContain('hidden-1');
    expect(run.transcript()).toContain('hidden-2');
    expect(run.transcript()).not.toContain('hidden-3');
  });

  it('names the nodes that ran when a test asks for one that did not', async () => {
    const run = await runWorkflow({ nodes: [source([]), node('harness.passThrough')] });

    expect(() => run.output('Pass Through')).toThrow('Nodes that ran: Source.');
  });
});

it('tells a test that waits for a node which is never reached', async () => {
  const running = await startWorkflow({ nodes: [source([]), node('harness.passThrough')] });

  await expect(running.started('Pass Through')).rejects.toThrow('ended before');
  await running.finished;
});

it('refuses a wire to a node that is not there, and two nodes of one name', async () => {
  await expect(
    runWorkflow({ nodes: [source(rows)], wires: [{ from: 'Source', to: 'Nowhere' }] }),
  ).rejects.toThrow('"Nowhere"');
  await expect(runWorkflow({ nodes: [source(rows), source(rows)] })).rejects.toThrow(
    'Two nodes are named "Source"',
  );
});

describe('credentials', () => {
  let service: TestService;
  let baseUrl: string;
  beforeEach(async () => {
    service = await TestService.start(json({ live: true }));
    ({ baseUrl } = service);
  });
  afterEach(async () => {
    await service.stop();
  });

  const usesCredential = { credentials: [{ name: 'testApi', required: true }] };

  it('reach the node decrypted, with defaults filled in and expressions evaluated', async () => {
    let seen: unknown;
    const reader = defineNode(
      'Reader',
      async (context) => {
        seen = await context.getCredentials('testApi');
        return [context.getInputData()];
      },
      usesCredential,
    );
    const run = await runWorkflow({
      nodes: [source(rows), node(reader)],
      credentials: { testApi: { key: 'k1', shout: "={{ 'lo' + 'ud' }}" } },
      credentialTypes,
    });

    expect(run.error).toBeUndefined();
    expect(seen).toEqual({
      baseUrl: 'http://default.test',
      key: 'k1',
      shout: 'loud',
      // n8n adds this field to every credential type.
      allowedHttpRequestDomains: 'all',
    });
  });

  it('may differ from node to node', async () => {
    const seen: unknown[] = [];
    const reader = defineNode(
      'Reader',
      async (context) => {
        seen.push((await context.getCredentials('testApi'))['key']);
        return [context.getInputData()];
      },
      usesCredential,
    );
    await runWorkflow({
      nodes: [
        source(rows),
        node(reader, { name: 'One' }),
        node(reader, { name: 'Two', credentials: { testApi: { key: 'other' } } }),
      ],
      credentials: { testApi: { key: 'common' } },
      credentialTypes,
    });

    expect(seen).toEqual(['common', 'other']);
  });

  it('that are missing fail as in n8n', async () => {
    const reader = defineNode(
      'Reader',
      async (context) => {
        await context.getCredentials('testApi');
        return [[]];
      },
      usesCredential,
    );
    const run = await runWorkflow({ nodes: [source(rows), node(reader)], credentialTypes });

    expect(run.error?.message).toBe('Node does not have any credentials set');
  });

  it('authenticate the requests of n8n’s own helper', async () => {
    const requester = defineNode(
      'Requester',
      async (context) => {
        await context.helpers.httpRequestWithAuthentication.call(context, 'testApi', {
          url: `${baseUrl}/anything`,
        });
        return [context.getInputData()];
      },
      usesCredential,
    );
    const run = await runWorkflow({
      nodes: [source(rows), node(requester)],
      credentials: { testApi: { key: 'k2' } },
      credentialTypes,
    });

    expect(run.error).toBeUndefined();
    expect(service.received[0]?.headers['x-key']).toBe('k2');
  });

  it('pass their test when the service accepts them', async () => {
    const result = await testCredential(new TestApi(), { baseUrl, key: 'k3' });

    expect(result.status).toBe('OK');
    expect(service.received[0]).toMatchObject({ method: 'GET', url: '/me?limit=1' });
    expect(service.received[0]?.headers['x-key']).toBe('k3');
  });

  it.each([
    ['a refused key', new TestApi(), 401, {}, /401|authori/i],
    ['a status code with a rule', new TestApi(), 403, {}, /^This key belongs to an organization$/],
    ['a success whose body a rule excludes', new BodyRuleApi(), 200, { live: false }, /^Expired$/],
  ])('fail their test on %s', async (_, type, status, body, message) => {
    service.answer(json(body, status));
    const result = await testCredential(type, { baseUrl, key: 'k3' });

    expect(result.status).toBe('Error');
    expect(result.message).toMatch(message);
  });

  it('fail their test when nothing listens', async () => {
    const result = await testCredential(new TestApi(), { baseUrl: 'http://127.0.0.1:1', key: 'k' });

    expect(result.status).toBe('Error');
  });
});

describe('dropdowns', () => {
  const open = {
    type: {
      ...defineNode('Dropdown', (context) => Promise.resolve([context.getInputData()]), {
        credentials: [{ name: 'testApi', required: true }],
        properties: [{ displayName: 'Area', name: 'area', type: 'string', default: 'everywhere' }],
      }),
      methods: {
        loadOptions: {
          async getKeys(this: ILoadOptionsFunctions) {
            const { key } = await this.getCredentials('testApi');
            const area = this.getCurrentNodeParameter('area') as string;
            return [{ name: key as string, value: area }];
          },
        },
        listSearch: {
          search: (filter?: string, token?: string) =>
            Promise.resolve({ results: [{ name: `${filter} ${token}`, value: 'v' }] }),
        },
      },
    },
    credentials: { testApi: { key: 'k4' } },
    credentialTypes,
  };

  it('are filled with the node’s credentials and parameters, defaults included', async () => {
    await expect(loadOptions(open, 'getKeys')).resolves.toEqual([
      { name: 'k4', value: 'everywhere' },
    ]);
  });

  it('search with what was typed and the page asked for', async () => {
    const answer = await listSearch(open, 'search', 'typed', 'page-2');

    expect(answer.results[0]?.name).toBe('typed page-2');
  });

  it('that the node does not have are named', async () => {
    await expect(loadOptions(open, 'missing')).rejects.toThrow('It has: getKeys.');
  });
});
