import { setTimeout as sleep } from 'node:timers/promises';

import { EchoingService } from './echoing-service';
import { useRealHost } from './harness';
import { everythingIn, findingsOf, logAt } from './haystack';
import { OVER } from './production-workflow';
import { newWorkflow, nodeOf, publishNew, send, to, webhookOf, type Saved } from './workflows';

/**
 * A real n8n gets errors of every kind from a service that repeats the API key wherever it can.
 * Afterwards, the test searches everything that n8n stored for the key and the Redis password, in
 * all spellings.
 */

/** Contains every character that some encoding changes, but no quotes, which JSON would change. */
const KEY = "ci_live_Kx7+Qz/9&<T>'Vw2=";
const PASSWORD = "redis-Pw+8/&<w>'x4=";
/**
 * The service repeats this text like the key. The search must find it, which proves that it works.
 */
const CANARY = "canary_Jt5+Rb/3&<U>'Dh6=";

/** Failures that can end a run are last, because nothing is sent after them. */
const FAILURES = [
  ...['404', '409', '422', '500', '503', '302', '307', 'page', 'half', 'text', 'reset', 'gone'],
  ...['garbage', '403', '401', '402'],
];
/** This failure makes all users of the key wait, so nothing can follow it. */
const LAST = '429';

const OPTIONS = { requestTimeoutSeconds: 3, maxRateLimitWaitMinutes: 0 };
const RETRIED = { retryOnFail: true, maxTries: 2, waitBetweenTries: 100 };

interface NodeToFail {
  readonly type: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly onError?: string;
  readonly retryOnFail?: boolean;
}

const identifier = '=e{{ $json.failure }}.example';
const listId = { __rl: true, mode: 'id', value: '=e{{ $json.failure }}-list' };
const techKey = { __rl: true, mode: 'id', value: '=e{{ $json.failure }}-tech' };

function node(type: string, parameters: Readonly<Record<string, unknown>>): NodeToFail {
  return { type, parameters: { options: OPTIONS, ...parameters } };
}

/** One operation of each kind. The row determines what each operation requests. */
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
/** The operations that run with each failure separately. */
const ALONE = NODES.filter((_node, index) => [0, 1, 4, 6, 10, 13].includes(index));

/** Paths that the node rejects, or that lead to other hosts. */
const ODD_PATHS = [
  '../../e500.x',
  'http://localhost:1/e500.x',
  '//localhost/e500.x',
  'a b?c#e500.',
];

/**
 * Places and spellings in which the search must find the canary. Otherwise, it would find no key
 * either.
 */
const WHERE_A_SECRET_WOULD_BE = [
  '.n8n/database.sqlite: plain',
  '.n8n/logs/n8n.log: plain',
  '.n8n/n8nEventLog.log: plain',
  'output: plain',
  "answers to n8n's editor and callers: plain",
  ...['plain', 'URL', 'JSON'].map((spelling) => `table execution_data, data: ${spelling}`),
];

const host = useRealHost({
  env: {
    N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
    N8N_LOG_LEVEL: 'debug',
    N8N_LOG_OUTPUT: 'console,file',
    EXECUTIONS_DATA_SAVE_ON_PROGRESS: 'true',
  },
});
let service: EchoingService;
let redis: { url: string; stop(): Promise<number> };
const credentials = new Map<string, { id: string; name: string }>();
/** Responses to n8n's editor and to webhook callers. */
const answers: string[] = [];

beforeAll(async () => {
  const { startRedis } = await import('../../scripts/lib/redis.mjs');
  service = await EchoingService.start(CANARY);
  redis = await startRedis({
    logPath: `${host.n8nLog}.redis`,
    args: ['--requirepass', `${PASSWORD} or so`],
  });
});

afterAll(async () => {
  await service.stop();
  await redis.stop();
});

/** Sends a request to n8n's REST API, and records the response. */
async function rest(method: string, path: string, body?: unknown): Promise<unknown> {
  for (;;) {
    try {
      const answer = await host.rest.request(method, path, body);
      answers.push(JSON.stringify(answer));
      return answer;
    } catch (error) {
      answers.push(String(error));
      // On a busy machine, n8n sometimes loses the connection to its own database for a moment.
      if (!String(error).includes('with 503')) throw error;
      await sleep(500);
    }
  }
}

/** Number of actions in progress at the same time. Most of them only wait. */
const AT_ONCE = 30;

/** Runs an action for each element, at most `AT_ONCE` of them at the same time. */
async function forEachOf<T>(many: readonly T[], act: (one: T) => Promise<unknown>): Promise<void> {
  const left = [...many];
  const work = async (): Promise<void> => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await act(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

const dataOf = (baseUrl: string, redisUrl: string) => ({
  baseUrl,
  apiKey: KEY,
  requestsPerMinute: 100_000,
  maxBatchSize: 100,
  redisUrl,
  allowedHttpRequestDomains: 'all',
});

/**
 * Saves two credentials with the same key. The Redis of one credential rejects the password; the
 * Redis of the other one does not exist.
 */
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

interface FailingWorkflow {
  readonly name: string;
  readonly start: ReturnType<typeof nodeOf>;
  /** All nodes get the same rows, on parallel branches. */
  readonly nodes: readonly NodeToFail[];
  readonly credential: string;
  readonly settings?: object;
  /** Output of `start` if the workflow is started manually. */
  readonly rows?: ReadonlyArray<Readonly<Record<string, unknown>>>;
}

/** Saves a workflow `start → Rows → each of the nodes`. */
async function save(workflow: FailingWorkflow): Promise<Saved> {
  const { name, start, nodes, credential, settings = {}, rows } = workflow;
  const failing = nodes.map(({ type, parameters, ...more }, index) =>
    nodeOf(`${type} ${String(index)}`, `n8n-nodes-company-intelligence.${type}`, 1, parameters, {
      ...more,
      credentials: { companyIntelligenceUserApi: credentials.get(credential) },
    }),
  );
  const fieldToSplitOut = rows === undefined ? 'body.rows' : 'rows';
  const whole = newWorkflow({
    name,
    nodes: [start, nodeOf('Rows', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut }), ...failing],
    connections: {
      [start.name]: { main: [[to('Rows')]] },
      Rows: { main: [failing.map((one) => to(one.name))] },
    },
    settings,
    ...(rows === undefined ? {} : { pinData: { [start.name]: [{ json: { rows } }] } }),
  });
  return (await rest('POST', '/rest/workflows', whole)) as Saved;
}

async function activate(workflow: FailingWorkflow): Promise<void> {
  const { id, versionId } = await save(workflow);
  await rest('POST', `/rest/workflows/${id}/activate`, { versionId });
}

/** Starts a workflow with a row for each failure, and records the response to the caller. */
async function call(path: string, failures: readonly string[]): Promise<void> {
  const rows = failures.map((failure) => ({ failure }));
  answers.push((await send(host, `webhook/${path}`, { rows })).body);
}

/** Runs both Continue settings of On Error, with a row for each failure. */
async function continuing(): Promise<void> {
  const paths: string[] = [];
  for (const onError of ['continueErrorOutput', 'continueRegularOutput']) {
    for (const [index, one] of NODES.entries()) {
      const path = `${onError}-${String(index)}`;
      const nodes = [{ ...one, onError }];
      await activate({
        name: path,
        start: webhookOf(path, 'lastNode'),
        nodes,
        credential: 'refusing',
      });
      paths.push(path);
    }
  }
  await forEachOf(paths, async (path) => call(path, FAILURES));
}

/** Runs On Error: Stop with retries and an error workflow, separately for each node and failure. */
async function stopping(): Promise<void> {
  const { id: errorWorkflow } = await publishNew(host, {
    name: 'On error',
    nodes: [nodeOf('Error', 'n8n-nodes-base.errorTrigger', 1, {})],
    connections: {},
  });
  for (const [index, one] of ALONE.entries()) {
    const path = `stop-${String(index)}`;
    const nodes = [{ ...one, ...RETRIED, onError: 'stopWorkflow' }];
    const settings = { errorWorkflow };
    await activate({
      name: path,
      start: webhookOf(path, 'lastNode'),
      nodes,
      credential: 'absent',
      settings,
    });
  }
  for (const failures of [FAILURES, [LAST]]) {
    const calls = failures.flatMap((failure) => ALONE.map((_node, index) => ({ failure, index })));
    await forEachOf(calls, async ({ failure, index }) => call(`stop-${String(index)}`, [failure]));
  }
}

/** Runs workflows manually, also with paths that lead to other hosts. */
async function manual(): Promise<void> {
  const odd = ODD_PATHS.map((path) => node('apiRequest', { method: 'GET', path }));
  const ids: string[] = [];
  for (const [index, one] of [...ALONE, ...odd].entries()) {
    const { id } = await save({
      name: `manual ${String(index)}`,
      start: nodeOf('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
      nodes: [{ ...one, ...RETRIED, onError: 'continueErrorOutput' }],
      credential: 'refusing',
      rows: FAILURES.map((failure) => ({ failure })),
    });
    ids.push(id);
  }
  await forEachOf(ids, async (id) => host.rest.run(id, { triggerName: 'Start' }));
}

/**
 * Waits for a job whose polls fail: once in the execution, and once with the execution stored in
 * the database.
 */
async function waiting(): Promise<void> {
  const wait = (waitMode: string) =>
    node('refreshAndWait', {
      operation: 'refreshAndWait',
      domain: 'job.example',
      options: { ...OPTIONS, waitMode, maxWaitMinutes: waitMode === 'durable' ? 5 : 0.05 },
    });
  for (const mode of ['durable', 'inExecution']) {
    await activate({
      name: mode,
      start: webhookOf(mode, 'onReceived'),
      nodes: [{ ...wait(mode), onError: 'continueErrorOutput' }],
      credential: 'refusing',
    });
    await call(mode, ['job']);
  }
}

/** Tests credentials and opens dropdowns in the editor, with each failure. */
async function editing(): Promise<void> {
  await forEachOf([...FAILURES, LAST], edit);
}

async function edit(failure: string): Promise<void> {
  const data = dataOf(`${service.baseUrl}/e${failure}.x`, '');
  for (const type of ['companyIntelligenceUserApi', 'companyIntelligenceOrganizationApi']) {
    const credential = { id: '', name: 'Test', type, data };
    await rest('POST', '/rest/credentials/test', { credentials: credential }).catch(ignored);
  }
  const saved = (await rest('POST', '/rest/credentials', {
    name: `Dropdown ${failure}`,
    type: 'companyIntelligenceUserApi',
    data,
  })) as { id: string; name: string };
  for (const [type, path, methodName] of [
    ['listMembers', 'parameters.listId', 'searchLists'],
    ['techUsers', 'parameters.techKey', 'searchTechnologies'],
  ] as const) {
    await rest('POST', '/rest/dynamic-node-parameters/resource-locator-results', {
      path,
      methodName,
      filter: 'a',
      nodeTypeAndVersion: { name: `n8n-nodes-company-intelligence.${type}`, version: 1 },
      currentNodeParameters: {},
      credentials: { companyIntelligenceUserApi: { id: saved.id, name: saved.name } },
    }).catch(ignored);
  }
}

/** Ignores an error that the editor shows and that {@link rest} has recorded. */
function ignored(): void {
  // The error needs no further handling.
}

interface Execution {
  readonly status: string;
  readonly mode: string;
}

/** Returns all executions when none is running any more. */
async function settled(): Promise<Execution[]> {
  const newest = async () =>
    ((await rest('GET', '/rest/executions?limit=1')) as { results: Array<{ id: string }> })
      .results[0]?.id;
  const all: Execution[] = [];
  for (let id = 1; id <= Number(await newest()); id += 1) {
    for (;;) {
      const execution = (await rest('GET', `/rest/executions/${String(id)}`)) as Execution;
      if ([...OVER, 'waiting'].includes(execution.status)) {
        all.push(execution);
        break;
      }
      await sleep(200);
    }
  }
  return all;
}

test('stores neither the API key nor the Redis password anywhere in n8n after errors of every kind', async () => {
  await saveCredentials();
  await Promise.all([continuing(), manual(), waiting()]);
  await Promise.all([stopping(), editing()]);
  // The name of a workflow is in the database, in the log and in the event log.
  await activate({
    name: CANARY,
    start: webhookOf('canary', 'lastNode'),
    nodes: ALONE,
    credential: 'refusing',
  });
  await call('canary', ['404']);
  let executions = await settled();
  // The execution of an error workflow begins a moment after the failed execution has ended.
  while (!executions.some(({ mode }) => mode === 'error')) {
    await sleep(500);
    executions = await settled();
  }
  await host.halt();

  for (const failure of [...FAILURES, LAST]) {
    const keys = service.seen.filter(({ path }) => path.includes(`e${failure}`));
    expect([failure, keys.some(({ key }) => key === KEY)]).toEqual([failure, true]);
  }
  const modes = new Set(executions.map(({ mode }) => mode));
  expect([...modes].sort()).toEqual(expect.arrayContaining(['error', 'manual', 'webhook']));
  const places = [
    ...(await everythingIn(host.userFolder)),
    logAt(host.n8nLog),
    ...answers.map((text) => ({ name: "answers to n8n's editor and callers", text })),
  ];
  expect(findingsOf(CANARY, places)).toEqual(expect.arrayContaining(WHERE_A_SECRET_WOULD_BE));
  expect({
    key: findingsOf(KEY, places),
    password: findingsOf(PASSWORD, places),
    keysElsewhere: service.elsewhere.keys.length,
  }).toEqual({ key: [], password: [], keysElsewhere: 0 });
});
