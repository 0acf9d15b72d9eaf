#!/usr/bin/env node
/**
 * 200 single lookups on one real n8n against one local service with 200 ms latency: n8n's HTTP
 * Request node at its defaults beside Company Lookup, the same calls, in one run.
 *
 *     node bench/lookups.mjs
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stopAll } from '../scripts/lib/command.mjs';
import { demoOwner } from '../scripts/lib/example-workflow.mjs';
import { errorOf, itemsOf } from '../scripts/lib/execution-data.mjs';
import { ensureHost } from '../scripts/lib/host.mjs';
import { N8nRest } from '../scripts/lib/n8n-rest.mjs';
import { installNodes, startN8n } from '../scripts/lib/n8n.mjs';
import { buildAndPack, ensureDependencies } from '../scripts/lib/project.mjs';
import { startSandbox } from '../scripts/lib/sandbox.mjs';

const LOOKUPS = 200;
const LATENCY_MS = 200;
const ROUNDS = 3;

/** @typedef {{ milliseconds: number, requests: number, connections: number, rows: number }} Measured */

await ensureDependencies();
const host = await ensureHost();
const tarball = await buildAndPack();
const folder = mkdtempSync(join(tmpdir(), 'company-intelligence-bench-'));
try {
  printTable(await measure());
} finally {
  await stopAll();
  rmSync(folder, { recursive: true, force: true });
}

/** @returns {Promise<Record<string, Measured>>} the median round of each node */
async function measure() {
  const sandbox = await startSandbox({ logPath: join(folder, 'sandbox.log') });
  const userFolder = join(folder, 'n8n-home');
  await installNodes(userFolder, tarball);
  const n8n = await startN8n(host, {
    userFolder,
    filesFolder: join(folder, 'files'),
    logPath: join(folder, 'n8n.log'),
  });
  const rest = new N8nRest(n8n.url);
  await rest.signIn(demoOwner);
  const key = await rest.saveCredential({
    name: 'Bench',
    type: 'companyIntelligenceUserApi',
    data: {
      baseUrl: sandbox.baseUrl,
      apiKey: sandbox.keys.user,
      requestsPerMinute: 600,
      requestsPerDay: 100_000,
      maxBatchSize: 100,
      redisUrl: '',
      allowedHttpRequestDomains: 'all',
    },
  });
  const domains = await someDomains(sandbox);
  /** @type {Record<string, Measured[]>} */
  const rounds = {};
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, node] of Object.entries(contestants(sandbox.baseUrl, key))) {
      await control(sandbox, 'POST', '/reset');
      await control(sandbox, 'PUT', '/latency', { ms: LATENCY_MS });
      const { id } = await rest.saveWorkflow(workflow(name, domains, node));
      const { status, data } = await rest.run(id, { triggerName: 'Start' });
      if (status !== 'success') throw new Error(`${name}: ${errorOf(data)}`);
      const [run] = data.resultData.runData[name];
      const { requests, connections } = /** @type {any} */ (await sandbox.report());
      (rounds[name] ??= []).push({
        milliseconds: run.executionTime,
        requests,
        connections,
        rows: itemsOf(data, name).length,
      });
      // The next round must not wait for this one's permits.
      await control(sandbox, 'POST', '/reset');
    }
  }
  return Object.fromEntries(
    Object.entries(rounds).map(([name, all]) => {
      const sorted = all.toSorted((a, b) => a.milliseconds - b.milliseconds);
      return [name, /** @type {Measured} */ (sorted[Math.floor(sorted.length / 2)])];
    }),
  );
}

/**
 * The nodes to compare: the same calls with the same credential.
 *
 * @param {string} baseUrl
 * @param {{id: string, name: string}} credential
 */
function contestants(baseUrl, credential) {
  const credentials = {
    companyIntelligenceUserApi: { id: credential.id, name: credential.name },
  };
  return {
    'HTTP Request': {
      type: 'n8n-nodes-base.httpRequest',
      typeVersion: 4.2,
      parameters: {
        url: `=${baseUrl}/v1/companies/{{ $json.domain }}`,
        authentication: 'predefinedCredentialType',
        nodeCredentialType: 'companyIntelligenceUserApi',
        options: {},
      },
      credentials,
    },
    'Company Lookup': {
      type: 'n8n-nodes-company-intelligence.companyLookup',
      typeVersion: 1,
      parameters: { identifier: '={{ $json.domain }}' },
      credentials,
    },
  };
}

/**
 * @param {string} name
 * @param {string[]} domains
 * @param {Record<string, unknown>} node
 */
function workflow(name, domains, node) {
  const nodes = [
    { name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} },
    {
      name: 'Domains',
      type: 'n8n-nodes-base.set',
      typeVersion: 3.4,
      parameters: { mode: 'raw', jsonOutput: JSON.stringify({ domain: domains }), options: {} },
    },
    {
      name: 'Rows',
      type: 'n8n-nodes-base.splitOut',
      typeVersion: 1,
      parameters: { fieldToSplitOut: 'domain', options: {} },
    },
    { ...node, name },
  ].map((one, index) => ({ ...one, id: `node-${index}`, position: [index * 220, 0] }));
  const names = nodes.map((one) => one.name);
  return {
    name: `Bench: ${name}`,
    nodes,
    connections: Object.fromEntries(
      names
        .slice(0, -1)
        .map((from, index) => [
          from,
          { main: [[{ node: names[index + 1], type: 'main', index: 0 }]] },
        ]),
    ),
    settings: {},
  };
}

/** @param {import('../scripts/lib/sandbox.mjs').RunningSandbox} sandbox */
async function someDomains(sandbox) {
  /** @type {string[]} */
  const domains = [];
  for (let page = 1; domains.length < LOOKUPS; page += 1) {
    const response = await fetch(`${sandbox.baseUrl}/v1/companies?limit=100&page=${page}`, {
      headers: { 'X-API-Key': sandbox.keys.user },
    });
    const { data } = /** @type {{data: {primary_domain: string}[]}} */ (await response.json());
    domains.push(...data.map((company) => company.primary_domain));
  }
  return domains.slice(0, LOOKUPS);
}

/**
 * @param {import('../scripts/lib/sandbox.mjs').RunningSandbox} sandbox
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 */
async function control(sandbox, method, path, body) {
  const response = await fetch(`${sandbox.baseUrl}/__control${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
}

/** @param {Record<string, Measured>} measured */
function printTable(measured) {
  const base = measured['HTTP Request']?.milliseconds ?? NaN;
  console.log(
    `\n${LOOKUPS} lookups, ${LATENCY_MS} ms latency, n8n ${host.version}, median of ${ROUNDS} rounds\n`,
  );
  console.log('| Node | ms | ratio | requests | connections | rows |');
  console.log('| --- | ---: | ---: | ---: | ---: | ---: |');
  for (const [name, { milliseconds, requests, connections, rows }] of Object.entries(measured)) {
    const ratio = (milliseconds / base).toFixed(2);
    console.log(
      `| ${name} | ${milliseconds} | ${ratio} | ${requests} | ${connections} | ${rows} |`,
    );
  }
}
