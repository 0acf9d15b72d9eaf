#!/usr/bin/env node
/**
 * A million users of a technology, firmographics included, to a CSV file, on a real n8n that keeps
 * binary data in files: how long it takes, and how much memory n8n's process has at most beyond what
 * it has when idle. Needs Linux, whose kernel counts the peak.
 *
 *     node bench/big-file.mjs
 */
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { stopAll } from '../scripts/lib/command.mjs';
import { demoOwner } from '../scripts/lib/example-workflow.mjs';
import { errorOf } from '../scripts/lib/execution-data.mjs';
import { ensureHost } from '../scripts/lib/host.mjs';
import { N8nRest } from '../scripts/lib/n8n-rest.mjs';
import { fileOf, measurable, memoryOf } from '../scripts/lib/n8n-process.mjs';
import { installNodes, startN8n } from '../scripts/lib/n8n.mjs';
import { buildAndPack, ensureDependencies } from '../scripts/lib/project.mjs';
import { company, startManyUsers } from './lib/many-users.mjs';

const ROWS = 1_000_000;
const NODE = 'Tech Users';

/** @typedef {{ rows: number, seconds: number, idleMb: number, peakMb: number, fileMb: number, requests: number }} BigFile */

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await ensureDependencies();
  const { rows, seconds, idleMb, peakMb, fileMb, requests } = await measureBigFile();
  console.log('\n| rows | file | requests | time | memory idle | at most | above idle |');
  console.log('| ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
  console.log(
    `| ${rows} | ${fileMb} MB | ${requests} | ${seconds} s | ${idleMb} MB | ${peakMb} MB | ${peakMb - idleMb} MB |`,
  );
}

/**
 * Writes the file once, after a small one that loads what is loaded on first use.
 *
 * @returns {Promise<BigFile>}
 * @throws when the run fails, or the file does not hold every row once and in order
 */
export async function measureBigFile() {
  const host = await ensureHost();
  const tarball = await buildAndPack();
  const folder = mkdtempSync(join(tmpdir(), 'company-intelligence-bench-'));
  const service = await startManyUsers(ROWS);
  try {
    const userFolder = join(folder, 'n8n-home');
    await installNodes(userFolder, tarball);
    const n8n = await startN8n(host, {
      userFolder,
      filesFolder: join(folder, 'files'),
      logPath: join(folder, 'n8n.log'),
      env: measurable,
    });
    const rest = new N8nRest(n8n.url);
    await rest.signIn(demoOwner);
    const credential = await rest.saveCredential({
      name: 'Bench',
      type: 'companyIntelligenceUserApi',
      data: { baseUrl: service.baseUrl, apiKey: 'ci_user_bench', allowedHttpRequestDomains: 'all' },
    });
    /** @param {number} limit */
    const writeRows = async (limit) => {
      const { id } = await rest.saveWorkflow(workflow(service.techKey, limit, credential));
      const { status, data } = await rest.run(id, { triggerName: 'Start', timeoutMs: 600_000 });
      if (status !== 'success') throw new Error(errorOf(data));
      return data.resultData.runData[NODE][0];
    };
    await writeRows(10);
    const memory = memoryOf(userFolder);
    const idle = await memory.whenIdle();
    memory.forgetPeak();
    const before = service.requests();
    const run = await writeRows(ROWS);
    const peak = memory.peak();
    const [item] = run.data.main[0];
    const file = fileOf(userFolder, item.binary.data.id);
    await checkRows(file, item.json.rows);
    return {
      rows: item.json.rows,
      seconds: Math.round(run.executionTime / 100) / 10,
      idleMb: Math.round(idle / 1024),
      peakMb: Math.round(peak / 1024),
      fileMb: Math.round(item.binary.data.bytes / 1024 / 1024),
      requests: service.requests() - before,
    };
  } finally {
    await stopAll();
    service.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} techKey
 * @param {number} limit
 * @param {{id: string, name: string}} credential
 */
function workflow(techKey, limit, { id, name }) {
  return {
    name: 'Bench: a big file',
    nodes: [
      {
        id: 'start',
        name: 'Start',
        type: 'n8n-nodes-base.manualTrigger',
        typeVersion: 1,
        position: [0, 0],
        parameters: {},
      },
      {
        id: 'users',
        name: NODE,
        type: 'n8n-nodes-company-intelligence.techUsers',
        typeVersion: 1,
        position: [220, 0],
        parameters: {
          operation: 'getByTechnology',
          techKey: { __rl: true, mode: 'id', value: techKey },
          limit,
          include: ['firmographics'],
          output: 'csv',
          options: {},
        },
        credentials: { companyIntelligenceUserApi: { id, name } },
      },
    ],
    connections: { Start: { main: [[{ node: NODE, type: 'main', index: 0 }]] } },
    settings: {},
  };
}

/**
 * @param {string} file
 * @param {number} rows
 */
async function checkRows(file, rows) {
  let line = -1;
  for await (const text of createInterface({ input: createReadStream(file) })) {
    if (line >= 0 && !text.startsWith(`${company(line, false).slug},`)) {
      throw new Error(`Row ${line} of the file is not row ${line} of the service: ${text}`);
    }
    line += 1;
  }
  if (line !== rows || rows !== ROWS) throw new Error(`The file has ${line} rows, not ${ROWS}.`);
}
