import { setTimeout as sleep } from 'node:timers/promises';

import { EchoingService } from './echoing-service';
import { startRealHost, type RealHost } from './harness';
import { everythingIn, findingsOf, logAt } from './haystack';
import { OVER } from './production-workflow';

/**
 * A real n8n runs into errors of every kind, from a service that gives the API key back wherever it
 * can. Afterwards everything that n8n stored is searched for the key and for the password of Redis,
 * in all their spellings.
 */

/** With every sign that some encoding changes, but no quotes, which JSON would. */
const KEY = "ci_live_Kx7+Qz/9&<T>'Vw2=";
const PASSWORD = "redis-Pw+8/&<w>'x4=";
/** Spelled and given back like the key, so that the search is known to find what is there. */
const CANARY = "canary_Jt5+Rb/3&<U>'Dh6=";

/** Those that stop a run, or the key, come last: nothing is sent after them. */
const FAILURES = [
  ...['404', '409', '422', '500', '503', '302', '307'],
  ...['page', 'half', 'text', 'reset', 'gone', 'garbage', '403', '401', '402', '429'],
];

const OPTIONS = { requestTimeoutSeconds: 3, maxRateLimitWaitMinutes: 0 };
const RETRIED = { retryOnFail: true, maxTries: 2, waitBetweenTries: 100 };

interface NodeToFail {
  readonly type: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

const identifier = '=e{{ $json.failure }}.example';
const listId = { __rl: true, mode: 'id', value: '=e{{ $json.failure }}-list' };
const techKey = { __rl: true, mode: 'id', value: '=e{{ $json.failure }}-tech' };

function node(type: string, parameters: Readonly<Record<string, unknown>>): NodeToFail {
  return { type, parameters: { options: OPTIONS, ...parameters } };
}

/** An operation of each kind; all ask for what the row says. */
const NODES: readonly NodeToFail[] = [
  node('companyLookup', { operation: 'get', identifier }),
  node('bulkEnrich', { operation: 'enrichCompanies', domain: identifier }),
  node('bulkEnrich', { operation: 'enrichPartnerships', domain: identifier }),
  node('techUsers', { operation: 'getByTechnology', techKey }),
  node('techUsers', { operation: 'getByTechnology', techKey, output: 'csv' }),
  node('partnerGraph', { operation: 'getPartners', identifier }),
  node('flagData', { operation: 'create', identifier, description: 'wrong' }),
  node('companyList', { resource: 'list', operation: 'create', name: identifier }),
  node('companyList', { resource: 'definition', operation: 'get', listId }),
  node('listMembers', { operation: 'getMany', listId }),
  node('listMembers', { operation: 'exportCsv', listId }),
  node('listMembers', { operation: 'addDomains', listId, domain: 'acme.com' }),
  node('refreshAndWait', { operation: 'startRefresh', domain: identifier }),
  node('apiRequest', { method: 'GET', path: '=companies/e{{ $json.failure }}.example' }),
  node('apiRequest', { method: 'POST', path: 'flags', body: '={"a":"e{{ $json.failure }}."}' }),
];

/** Paths that are refused, or lead where they should not. */
const ODD_PATHS = [
  '../../e500.x',
  'http://localhost:1/e500.x',
  '//localhost/e500.x',
  'a b?c#e500.',
];

let host: RealHost;
let service: EchoingService;
let redis: { url: string; stop(): Promise<number> };
const credentials = new Map<string, { id: string; name: string }>();
/** What n8n's editor was told. */
const answers: string[] = [];

beforeAll(async () => {
  const { startRedis } = await import('../../scripts/lib/redis.mjs');
  service = await EchoingService.start(CANARY);
  host = await startRealHost({
    env: {
      N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
      N8N_LOG_LEVEL: 'debug',
      N8N_LOG_OUTPUT: 'console,file',
      EXECUTIONS_DATA_SAVE_ON_PROGRESS: 'true',
    },
  });
  redis = await startRedis({
    logPath: `${host.n8nLog}.redis`,
    args: ['--requirepass', `${PASSWORD} or so`],
  });
});

afterAll(async () => {
  await service.stop();
  await redis.stop();
  await host.stop();
});

async function rest(method: string, path: string, body?: unknown): Promise<unknown> {
  try {
    const answer = await host.rest.request(method, path, body);
    answers.push(JSON.stringify(answer));
    return answer;
  } catch (error) {
    answers.push(String(error));
    throw error;
  }
}

const dataOf = (baseUrl: string, redisUrl: string) => ({
  baseUrl,
  apiKey: KEY,
  requestsPerMinute: 100_000,
  requestsPerDay: 1_000_000,
  maxBatchSize: 100,
  redisUrl,
  allowedHttpRequestDomains: 'all',
});

/** Two credentials with the same key: one Redis refuses the password, of the other there is none. */
async function saveCredentials(): Promise<void> {
  const password = encodeURIComponent(PASSWORD);
  const urls = {
    refusing: redis.url.replace('://', `://:${password}@`),
    absent: `redis://:${password}@127.0.0.1:1`,
  };
  for (const [name, url] of Object.entries(urls)) {
    const baseUrl =
      name === 'absent' ? service.baseUrl.replace('127.0.0.1', 'localhost') : service.baseUrl;
    const saved = await rest('POST', '/rest/credentials', {
      name,
      type: 'companyIntelligenceUserApi',
      data: dataOf(baseUrl, url),
    });
    const { id } = saved as { id: string };
    credentials.set(name, { id, name });
  }
}

const link = (to: string) => ({ node: to, type: 'main', index: 0 });

interface Workflow {
  readonly name: string;
  readonly start: Readonly<Record<string, unknown>>;
  /** All get the same rows, beside each other. */
  readonly nodes: ReadonlyArray<NodeToFail & Readonly<Record<string, unknown>>>;
  readonly credential: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** What `start` gives out, if it is started by hand. */
  readonly rows?: ReadonlyArray<Readonly<Record<string, unknown>>>;
}

/** Saves `start → Rows → each of the nodes`. */
async function save(workflow: Workflow): Promise<{ id: string; versionId: string }> {
  const { name, start, nodes, credential, settings = {}, rows } = workflow;
  const named = nodes.map(({ type, ...more }, index) => ({
    id: `n${String(index)}`,
    name: `${type} ${String(index)}`,
    type: `n8n-nodes-company-intelligence.${type}`,
    typeVersion: 1,
    position: [600, index * 100],
    ...more,
    credentials: { companyIntelligenceUserApi: credentials.get(credential) },
  }));
  return (await rest('POST', '/rest/workflows', {
    name,
    nodes: [
      { id: 'start', name: 'Start', position: [0, 0], ...start },
      {
        id: 'rows',
        name: 'Rows',
        type: 'n8n-nodes-base.splitOut',
        typeVersion: 1,
        position: [300, 0],
        parameters: { fieldToSplitOut: start['webhookId'] === undefined ? 'rows' : 'body.rows' },
      },
      ...named,
    ],
    connections: {
      Start: { main: [[link('Rows')]] },
      Rows: { main: [named.map((one) => link(one.name))] },
    },
    settings: { executionOrder: 'v1', ...settings },
    ...(rows === undefined ? {} : { pinData: { Start: [{ json: { rows } }] } }),
  })) as { id: string; versionId: string };
}

const webhook = (path: string) => ({
  type: 'n8n-nodes-base.webhook',
  typeVersion: 2,
  webhookId: path,
  parameters: { path, httpMethod: 'POST', responseMode: 'lastNode' },
});

async function activate(workflow: Workflow): Promise<void> {
  const { id, versionId } = await save(workflow);
  await rest('POST', `/rest/workflows/${id}/activate`, { versionId });
}

/** Starts a workflow with a row for each failure, and gives back what the caller was told. */
async function call(path: string, failures: readonly string[]): Promise<void> {
  const body = JSON.stringify({ rows: failures.map((failure) => ({ failure })) });
  const headers = { 'Content-Type': 'application/json' };
  for (let attempt = 0; ; attempt += 1) {
    const answer = await fetch(`${host.n8nUrl}/webhook/${path}`, { method: 'POST', headers, body });
    answers.push(await answer.text());
    // n8n says "active" a moment before the webhook is there.
    if (answer.status !== 404 || attempt === 50) return;
    await sleep(100);
  }
}

/** On Error: both ways to continue, with a row for each failure. */
async function production(): Promise<void> {
  for (const onError of ['continueErrorOutput', 'continueRegularOutput']) {
    const nodes = NODES.map((one) => ({ ...one, onError }));
    await activate({ name: onError, start: webhook(onError), nodes, credential: 'refusing' });
  }
  await Promise.all(
    ['continueErrorOutput', 'continueRegularOutput'].map((path) => call(path, FAILURES)),
  );
}

/** On Error: Stop, tried again, reported by an error workflow; each node and failure by itself. */
async function stopping(): Promise<void> {
  const { id: errorWorkflow } = (await rest('POST', '/rest/workflows', {
    name: 'On error',
    nodes: [
      {
        id: 'error',
        name: 'Error',
        type: 'n8n-nodes-base.errorTrigger',
        typeVersion: 1,
        position: [0, 0],
        parameters: {},
      },
    ],
    connections: {},
    settings: { executionOrder: 'v1' },
  })) as { id: string };
  for (const [index, one] of NODES.entries()) {
    const path = `stop-${String(index)}`;
    const nodes = [{ ...one, ...RETRIED, onError: 'stopWorkflow' }];
    const settings = { errorWorkflow };
    await activate({ name: path, start: webhook(path), nodes, credential: 'absent', settings });
  }
  for (const failure of FAILURES) {
    await Promise.all(NODES.map((_node, index) => call(`stop-${String(index)}`, [failure])));
  }
}

/** By hand, and with paths that lead elsewhere. */
async function manual(): Promise<void> {
  const odd = ODD_PATHS.map((path) => node('apiRequest', { method: 'GET', path }));
  const { id } = await save({
    name: 'manual',
    start: { type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} },
    nodes: [...NODES, ...odd].map((one) => ({
      ...one,
      ...RETRIED,
      onError: 'continueErrorOutput',
    })),
    credential: 'refusing',
    rows: FAILURES.map((failure) => ({ failure })),
  });
  await host.rest.run(id, { triggerName: 'Start' });
}

/** A wait whose job is asked about in vain: in the execution, and parked in the database. */
async function waiting(): Promise<void> {
  const wait = (waitMode: string) =>
    node('refreshAndWait', {
      operation: 'refreshAndWait',
      domain: 'job.example',
      options: { ...OPTIONS, waitMode, maxWaitMinutes: waitMode === 'durable' ? 5 : 0.05 },
    });
  for (const mode of ['durable', 'inExecution']) {
    const start = webhook(mode);
    await activate({
      name: mode,
      start: { ...start, parameters: { ...start.parameters, responseMode: 'onReceived' } },
      nodes: [{ ...wait(mode), onError: 'continueErrorOutput' }],
      credential: 'refusing',
    });
    await call(mode, ['job']);
  }
}

/** The credential's test and the dropdowns of the editor, against each failure. */
async function editing(): Promise<void> {
  for (const failure of FAILURES) {
    const baseUrl = `${service.baseUrl}/e${failure}.x`;
    for (const type of ['companyIntelligenceUserApi', 'companyIntelligenceOrganizationApi']) {
      const data = dataOf(baseUrl, '');
      await rest('POST', '/rest/credentials/test', {
        credentials: { id: '', name: 'Test', type, data },
      }).catch(() => undefined);
    }
    const saved = (await rest('POST', '/rest/credentials', {
      name: `dropdown ${failure}`,
      type: 'companyIntelligenceUserApi',
      data: dataOf(baseUrl, ''),
    })) as { id: string; name: string };
    for (const [type, methodName] of [
      ['listMembers', 'searchLists'],
      ['techUsers', 'searchTechnologies'],
    ]) {
      await rest('POST', '/rest/dynamic-node-parameters/resource-locator-results', {
        path: 'parameters.listId',
        methodName,
        filter: 'a',
        nodeTypeAndVersion: { name: `n8n-nodes-company-intelligence.${String(type)}`, version: 1 },
        currentNodeParameters: {},
        credentials: { companyIntelligenceUserApi: { id: saved.id, name: saved.name } },
      }).catch(() => undefined);
    }
  }
}

/** Waits until nothing runs any more, and gives back how the executions ended. */
async function settled(): Promise<Array<{ id: string; status: string; mode: string }>> {
  for (;;) {
    const { results } = (await rest('GET', '/rest/executions?limit=100')) as {
      results: Array<{ id: string; status: string; mode: string }>;
    };
    if (results.every(({ status }) => [...OVER, 'waiting'].includes(status))) return results;
    await sleep(500);
  }
}

test('after errors of every kind neither the key nor the password is anywhere in what n8n stored', async () => {
  await saveCredentials();
  // Each has a key whose limiter the 429 stops for a day; so all that count on it run at once.
  await Promise.all([production(), manual(), waiting()]);
  await stopping();
  await editing();
  // A name is in the database, in the log and in the event log.
  await activate({ name: CANARY, start: webhook('canary'), nodes: [], credential: 'refusing' });
  await call('canary', ['404']);
  const executions = await settled();
  for (const { id } of executions) await rest('GET', `/rest/executions/${id}`);
  await host.halt();

  const places = [
    ...(await everythingIn(host.userFolder)),
    logAt(host.n8nLog),
    ...answers.map((text) => ({ name: "answers to n8n's editor and callers", text })),
  ];
  const found = findingsOf(CANARY, places);
  expect(found).toEqual([]);
  expect(findingsOf(KEY, places)).toEqual([]);
  expect(findingsOf(PASSWORD, places)).toEqual([]);
  expect(service.elsewhere.keys).toEqual([]);
});
