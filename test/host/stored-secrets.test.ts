import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { FAILURES, startEchoingService } from './echoing-service';
import { byId } from './example';
import { useRealHost } from './harness';
import { everythingIn, findingsOf } from './haystack';
import { OVER } from './production-workflow';
import { executionsOf, nodeOf, ownNode, publishNew, send, to, webhookOf } from './workflows';

/**
 * A real n8n gets errors of every kind from a service that repeats the API key wherever it can.
 * Afterwards, the test searches everything that n8n stored for the key and the Redis password, in
 * all spellings. test/attack shows that no operation outputs the key, whatever the service does.
 */

const type = 'companyIntelligenceUserApi';

/** Contains every character that some encoding changes, but no quotes, which JSON would change. */
const KEY = "ci_live_Kx7+Qz/9&<T>'Vw2=";
const PASSWORD = "redis-Pw+8/&<w>'x4=";
/** Repeated by the service like the key, to prove that the search works. */
const CANARY = "canary_Jt5+Rb/3&<U>'Dh6=";

/** Makes all users of the key wait, so nothing can follow it; 401 ends a run. */
const LAST = '429';
const ROWS = [...FAILURES.filter((failure) => !['401', LAST].includes(failure)), '401'];

const RETRIED = { retryOnFail: true, maxTries: 2, waitBetweenTries: 100 };
const identifier = '=e{{ $json.failure }}.example';
const techKey = byId('=e{{ $json.failure }}-tech');
const listId = byId('=e{{ $json.failure }}-list');

type TestedNode = readonly [type: string, parameters: object];

interface Story {
  readonly name: string;
  readonly node: TestedNode;
  readonly credential: string;
  readonly more: object;
  readonly settings?: object;
  readonly response?: 'onReceived';
  readonly pinned?: readonly string[];
}

const NODES: readonly TestedNode[] = [
  ['companyLookup', { operation: 'get', identifier }],
  ['bulkEnrich', { operation: 'enrichCompanies', domain: identifier }],
  ['techUsers', { operation: 'getByTechnology', techKey, output: 'csv' }],
  ['partnerGraph', { operation: 'getPartners', identifier }],
  ['flagData', { operation: 'create', identifier, description: 'wrong' }],
  ['companyList', { resource: 'definition', operation: 'get', listId }],
  ['listMembers', { operation: 'exportCsv', listId }],
  ['refreshAndWait', { operation: 'startRefresh', domain: identifier }],
  ['apiRequest', { method: 'POST', path: 'flags', body: '={"a":"e{{ $json.failure }}."}' }],
];

/** Where the search must find the canary. Otherwise, it would find no key either. */
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
let service: Awaited<ReturnType<typeof startEchoingService>>;
let redis: { url: string; stop(): Promise<number> };
const credentials = new Map<string, { id: string; name: string }>();
const answers: string[] = [];

beforeAll(async () => {
  const { startRedis } = await import('../../scripts/lib/redis.mjs');
  service = await startEchoingService(CANARY);
  redis = await startRedis({
    logPath: `${host.n8nLog}.redis`,
    args: ['--requirepass', `${PASSWORD} or so`],
  });
  // The Redis of one credential rejects the password; the Redis of the other one does not exist.
  const password = encodeURIComponent(PASSWORD);
  const absentUrl = service.baseUrl.replace('127.0.0.1', 'localhost');
  for (const [name, baseUrl, redisUrl] of [
    ['refusing', service.baseUrl, redis.url.replace('://', `://:${password}@`)],
    ['absent', absentUrl, `redis://:${password}@127.0.0.1:1`],
  ] as const) {
    const saved = await host.rest.saveCredential({ name, type, data: dataOf(baseUrl, redisUrl) });
    credentials.set(name, saved);
  }
});

afterAll(async () => {
  await service.stop();
  await redis.stop();
});

const dataOf = (baseUrl: string, redisUrl: string) => ({
  ...{ baseUrl, apiKey: KEY, redisUrl },
  ...{ requestsPerMinute: 100_000, allowedHttpRequestDomains: 'all' },
});

const rowsOf = (failures: readonly string[]) => ({
  rows: failures.map((failure) => ({ failure })),
});

async function save({ name, node: [own, parameters], credential, more, pinned, ...rest }: Story) {
  const from = { credentials: { [type]: credentials.get(credential) } };
  const { id } = await publishNew(host, {
    name,
    nodes: [
      webhookOf(pathOf(name), rest.response ?? 'lastNode'),
      nodeOf('Rows', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'body.rows' }),
      ownNode(from, 'Tested', own, parameters, more),
    ],
    connections: { Webhook: { main: [[to('Rows')]] }, Rows: { main: [[to('Tested')]] } },
    settings: rest.settings ?? {},
    pinData: pinned === undefined ? {} : { Webhook: [{ json: { body: rowsOf(pinned) } }] },
  });
  return id;
}

const pathOf = (name: string) => name.replace(/\W/g, '-');

async function call(name: string, ...failures: readonly string[]): Promise<void> {
  answers.push((await send(host, `webhook/${pathOf(name)}`, rowsOf(failures))).body);
}

const continuing = () =>
  ['continueErrorOutput', 'continueRegularOutput'].flatMap((onError) =>
    NODES.map(async (node, index) => {
      const name = `${onError}-${String(index)}`;
      await save({ name, node, credential: 'refusing', more: { onError } });
      await call(name, ...ROWS);
    }),
  );

const manual = () =>
  NODES.map(async (node, index) => {
    const more = { ...RETRIED, onError: 'continueErrorOutput' };
    const story = { name: `manual-${String(index)}`, node, credential: 'refusing', more };
    await host.rest.run(await save({ ...story, pinned: ROWS }), { triggerName: 'Webhook' });
  });

/** Waits for a job whose polls fail, in the execution and in the database. */
const waiting = () =>
  Object.entries({ durable: 5, inExecution: 0.05 }).map(async ([name, maxWaitMinutes]) => {
    const own = { maxWaitMinutes };
    const node = ['refreshAndWait', { domain: 'job.example', options: own }] as const;
    const more = { onError: 'continueErrorOutput' };
    const id = await save({ name, node, credential: 'refusing', more, response: 'onReceived' });
    await call(name, 'job');
    const states = [...OVER, 'waiting'];
    const isReached = async () =>
      (await executionsOf(host, { workflowId: id })).some(({ status }) => states.includes(status));
    while (!(await isReached())) await sleep(200);
  });

const stopping = (errorWorkflow: string) =>
  NODES.map(async (node, index) => {
    const name = `stop-${String(index)}`;
    const settings = { errorWorkflow };
    await save({ name, node, credential: 'absent', more: RETRIED, settings });
    for (const failure of ROWS) await call(name, failure);
  });

const editing = () =>
  [...ROWS, LAST].map(async (failure) => {
    const data = dataOf(`${service.baseUrl}/e${failure}.x`, '');
    for (const tested of [type, 'companyIntelligenceOrganizationApi']) {
      const test = { id: '', name: 'Test', type: tested, data };
      await ask('/rest/credentials/test', { credentials: test });
    }
    const saved = await host.rest.saveCredential({ name: `Dropdown ${failure}`, type, data });
    for (const [own, path, methodName] of [
      ['listMembers', 'parameters.listId', 'searchLists'],
      ['techUsers', 'parameters.techKey', 'searchTechnologies'],
    ] as const) {
      await ask('/rest/dynamic-node-parameters/resource-locator-results', {
        ...{ path, methodName, filter: 'a', currentNodeParameters: {} },
        nodeTypeAndVersion: { name: `n8n-nodes-company-intelligence.${own}`, version: 1 },
        credentials: { [type]: saved },
      });
    }
  });

async function ask(path: string, body: unknown): Promise<void> {
  answers.push(JSON.stringify(await host.rest.request('POST', path, body).catch(String)));
}

test('stores neither the API key nor the Redis password anywhere in n8n after errors of every kind', async () => {
  const { id: errorWorkflow } = await publishNew(host, {
    name: 'On error',
    nodes: [nodeOf('Error', 'n8n-nodes-base.errorTrigger', 1, {})],
    connections: {},
  });
  await Promise.all([...continuing(), ...manual(), ...waiting()]);
  await Promise.all([...stopping(errorWorkflow), ...editing()]);
  await Promise.all(NODES.map(async (_node, index) => await call(`stop-${String(index)}`, LAST)));
  // The name of a workflow is in the database, in the log and in the event log.
  await save({ name: CANARY, node: NODES[0]!, credential: 'refusing', more: {} });
  await call(CANARY, '404');
  // The execution of an error workflow begins a moment after the failed execution has ended.
  while ((await executionsOf(host, { workflowId: errorWorkflow })).length === 0) await sleep(500);
  await host.halt();

  for (const failure of FAILURES) {
    const keys = service.seen().filter(({ path }) => path.includes(`e${failure}`));
    expect([failure, keys.some(({ key }) => key === KEY)]).toEqual([failure, true]);
  }
  const places = [
    ...(await everythingIn(host.userFolder)),
    { name: 'output', text: readFileSync(host.n8nLog, 'latin1') },
    ...answers.map((text) => ({ name: "answers to n8n's editor and callers", text })),
  ];
  expect(findingsOf(CANARY, places)).toEqual(expect.arrayContaining(WHERE_A_SECRET_WOULD_BE));
  expect({
    key: findingsOf(KEY, places),
    password: findingsOf(PASSWORD, places),
    keysElsewhere: service.keysElsewhere().length,
  }).toEqual({ key: [], password: [], keysElsewhere: 0 });
});
