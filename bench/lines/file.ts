import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { STREAMED_PAGE_SIZE } from '../../src/run/listing/progress';
import { api } from '../../src/service/endpoints';
import type { RealHost } from '../../test/host/harness';
import { COMPANIES, company, LIST_ID, startManyCompanies, TECH_KEY } from '../lib/many-companies';
import {
  costOf,
  own,
  run,
  saveCredential,
  saveWorkflow,
  UNLIMITED,
  withHost,
  type MeasuredNode,
} from '../lib/n8n';
import type { Line, Row } from '../table';

/** Memory that an export may take, as a multiple of what fetching and parsing its pages takes. */
const TARGET = 1.2;

/** A list of a million rows, and the node that writes its first rows to a file. */
interface BigList {
  readonly what: string;
  readonly node: MeasuredNode;
  /** Address of its pages below the Base URL, and the rows of each. */
  readonly path: string;
  readonly pageSize: number;
}

const MEMBERS: BigList = {
  what: 'members of a list',
  node: own('listMembers', {
    operation: 'getMany',
    listId: { __rl: true, mode: 'id', value: LIST_ID },
  }),
  path: `/v1/lists/${LIST_ID}/members?`,
  pageSize: Math.min(STREAMED_PAGE_SIZE, api.members.page.max),
};
const USERS: BigList = {
  what: 'technology users',
  node: own('techUsers', {
    operation: 'getByTechnology',
    techKey: { __rl: true, mode: 'id', value: TECH_KEY },
    include: ['firmographics'],
  }),
  path: `/v1/technologies/${TECH_KEY}/companies?include=firmographics`,
  pageSize: Math.min(STREAMED_PAGE_SIZE, api.technologyUsers.page.max),
};
const PAGES_OF_100: BigList = {
  what: 'companies, a hundred a page',
  node: own('companyLookup', { operation: 'getMany', include: ['firmographics'] }),
  path: '/v1/companies?include=firmographics',
  pageSize: Math.min(STREAMED_PAGE_SIZE, api.companies.page.max),
};

interface Export {
  readonly list: BigList;
  readonly output: 'csv' | 'ndjson';
}

const EXPORTS: readonly Export[] = [
  { list: MEMBERS, output: 'csv' },
  { list: MEMBERS, output: 'ndjson' },
  { list: USERS, output: 'csv' },
  { list: PAGES_OF_100, output: 'csv' },
];

function whatOf({ list, output }: Export): string {
  return `Memory above idle, 1,000,000 ${list.what}, ${output.toUpperCase()}`;
}

const ONCE = 'Measured once: its memory is that of an n8n that has just been started.';
const REASON =
  'Missed: beside the rows that it parses, the node holds the next page and the text of this one. Runs on one machine differ by a tenth.';
const PAGE_LOOP = join(__dirname, '../lib/page-loop');

/** Exports without a rate limit: as fast as the service responds. */
export const file: Line = {
  name: 'file',
  title: 'A million rows to a file, without a limit',
  once: ONCE,
  rows: EXPORTS.map(whatOf),
  measure: async () => await measureEach(EXPORTS),
};

/**
 * Exports a million rows of each list. Each export and each loop has its own n8n, which keeps binary
 * data in files.
 */
async function measureEach(exports: readonly Export[]): Promise<Row[]> {
  const { measurable } = await import('../../scripts/lib/n8n-process.mjs');
  const service = await startManyCompanies();
  const rows: Row[] = [];
  try {
    for (const one of exports) {
      const env = { ...measurable, N8N_CUSTOM_EXTENSIONS: PAGE_LOOP };
      const loopMb = await withHost(
        { env },
        async (host) => await measureLoop(host, service.baseUrl, one.list),
      );
      const measure = async (host: RealHost) => await measureOn(host, service.baseUrl, one);
      const { memoryMb, fileMb, seconds } = await withHost({ env }, measure);
      rows.push({
        what: whatOf(one),
        ours: `${memoryMb.toFixed(0)} MB for a file of ${fileMb.toFixed(0)} MB, in ${seconds.toFixed(0)} s`,
        against: `a node that only fetches and parses the same pages: ${loopMb.toFixed(0)} MB`,
        ratio: memoryMb / loopMb,
        target: `≤ ${String(TARGET)}`,
        met: memoryMb <= TARGET * loopMb,
        reason: REASON,
      });
    }
    return rows;
  } finally {
    service.close();
  }
}

async function measureLoop(host: RealHost, baseUrl: string, list: BigList): Promise<number> {
  const credential = await saveCredential(host, { baseUrl });
  const { path, pageSize } = list;
  const url = `${baseUrl}${path}&limit=${String(pageSize)}`;
  const read = async (pages: number) => {
    const node = { type: 'CUSTOM.pageLoop', typeVersion: 1, parameters: { url, pages } };
    return await run(host, await saveWorkflow(host, node, credential));
  };
  await read(1);
  return (await costOf(host, async () => await read(COMPANIES / pageSize))).memoryMb;
}

/** Measures one export. A small file comes first, to load the code that is loaded on first use. */
async function measureOn(host: RealHost, baseUrl: string, one: Export) {
  const { list, output } = one;
  const { fileOf } = await import('../../scripts/lib/n8n-process.mjs');
  const credential = await saveCredential(host, { baseUrl, requestsPerMinute: UNLIMITED });
  const { node } = list;
  const write = async (limit: number) => {
    const parameters = { ...node.parameters, limit, output, options: {} };
    return await run(host, await saveWorkflow(host, { ...node, parameters }, credential));
  };
  await write(10);
  const { result, memoryMb } = await costOf(host, async () => await write(COMPANIES));
  const written = result.items[0]?.binary?.data;
  if (written === undefined) throw new Error('The node gave no file.');
  await checkRows(fileOf(host.userFolder, written.id), output);
  return { memoryMb, fileMb: written.bytes / 2 ** 20, seconds: result.milliseconds / 1000 };
}

/** @throws unless the file contains every row once and in order */
async function checkRows(path: string, output: Export['output']): Promise<void> {
  const headings = output === 'csv' ? 1 : 0;
  let line = 0;
  for await (const text of createInterface({ input: createReadStream(path) })) {
    const row = line - headings;
    if (row >= 0 && !text.split(/[",]/).includes(company(row, false).slug)) {
      throw new Error(`Row ${String(row)} of the file is not that of the service: ${text}`);
    }
    line += 1;
  }
  if (line !== COMPANIES + headings) throw new Error(`The file has ${String(line)} lines.`);
}
