import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { RealHost } from '../../test/host/harness';
import { COMPANIES, company, listOf, startManyCompanies, TECH_KEY } from '../lib/many-companies';
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

/** Memory that an export may take in addition to V8's space for young objects. */
const TARGET_MB = 90;
/**
 * Size in MB to which the measurement limits that space. V8 would fill 130 MB of it before it
 * collects garbage, even for a loop that only fetches and parses the same pages.
 */
const SEMI_SPACE_MB = 4;

/** A list of a million rows, and the node that writes its first rows to a file. */
interface BigList {
  readonly what: string;
  readonly node: MeasuredNode;
}

const MEMBERS: BigList = {
  what: 'members of a list',
  node: own('listMembers', {
    operation: 'getMany',
    listId: { __rl: true, mode: 'id', value: listOf(COMPANIES) },
  }),
};
const USERS: BigList = {
  what: 'technology users',
  node: own('techUsers', {
    operation: 'getByTechnology',
    techKey: { __rl: true, mode: 'id', value: TECH_KEY },
    include: ['firmographics'],
  }),
};
const PAGES_OF_100: BigList = {
  what: 'companies, a hundred a page',
  node: own('companyLookup', { operation: 'getMany', include: ['firmographics'] }),
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

/** Exports without a rate limit: as fast as the service responds. */
export const file: Line = {
  name: 'file',
  title: 'A million rows to a file, without a limit',
  once: ONCE,
  rows: EXPORTS.map(whatOf),
  measure: async () => await measureEach(EXPORTS),
};

/**
 * Exports a million rows of each list. Each export has its own n8n, which keeps binary data in
 * files.
 */
async function measureEach(exports: readonly Export[]): Promise<Row[]> {
  const { measurable } = await import('../../scripts/lib/n8n-process.mjs');
  const service = await startManyCompanies();
  const rows: Row[] = [];
  try {
    for (const one of exports) {
      const measure = async (host: RealHost) => await measureOn(host, service.baseUrl, one);
      const NODE_OPTIONS = `${measurable.NODE_OPTIONS} --max-semi-space-size=${String(SEMI_SPACE_MB)}`;
      rows.push(await withHost({ env: { ...measurable, NODE_OPTIONS } }, measure));
    }
    return rows;
  } finally {
    service.close();
  }
}

/** Measures one export. A small file comes first, to load the code that is loaded on first use. */
async function measureOn(host: RealHost, baseUrl: string, one: Export): Promise<Row> {
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
  const megabytes = written.bytes / 1024 / 1024;
  return {
    what: whatOf(one),
    ours: `${memoryMb.toFixed(0)} MB`,
    against: `the file: ${megabytes.toFixed(0)} MB, in ${(result.milliseconds / 1000).toFixed(0)} s`,
    ratio: memoryMb / megabytes,
    target: `≤ ${String(TARGET_MB)} MB`,
    met: memoryMb <= TARGET_MB,
  };
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
