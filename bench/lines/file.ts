import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { RealHost } from '../../test/host/harness';
import { company, startManyCompanies } from '../lib/many-companies';
import {
  own,
  run,
  saveCredential,
  saveWorkflow,
  UNLIMITED,
  withHost,
  type MeasuredNode,
} from '../lib/n8n';
import { readWholePages } from '../lib/whole-pages';
import type { Line, Row } from '../table';

const ROWS = 1_000_000;
const TARGET_MB = 110;
const TARGET_CPU = 1.25;

type Service = Awaited<ReturnType<typeof startManyCompanies>>;

/** A list of a million rows. */
interface BigList {
  readonly what: string;
  /** The node that writes its first rows to a CSV file. */
  readonly node: (service: Service, limit: number) => MeasuredNode;
  /** Whether its CPU time is compared, too. */
  readonly cpu?: boolean;
  /** The key's limit; without, there is none. */
  readonly requestsPerMinute?: number;
}

const LONG_PAGES: readonly BigList[] = [
  {
    what: 'technology users with firmographics',
    cpu: true,
    node: ({ techKey }, limit) =>
      own('techUsers', {
        operation: 'getByTechnology',
        techKey: { __rl: true, mode: 'id', value: techKey },
        limit,
        include: ['firmographics'],
        output: 'csv',
        options: {},
      }),
  },
  {
    what: 'members of a list',
    node: ({ listId }, limit) =>
      own('listMembers', {
        operation: 'getMany',
        listId: { __rl: true, mode: 'id', value: listId },
        limit,
        output: 'csv',
        options: {},
      }),
  },
];

/** At a hundred rows a page. Without a limit the requests' own garbage would be what is measured. */
const COMPANIES: BigList = {
  what: 'companies with firmographics',
  requestsPerMinute: 600,
  node: (_service, limit) =>
    own('companyLookup', {
      operation: 'getMany',
      limit,
      include: ['firmographics'],
      output: 'csv',
      options: {},
    }),
};

export const file: Line = {
  name: 'file',
  title: 'A million rows to a file',
  measure: async () => await measureEach(LONG_PAGES),
};

/** The same in 10,000 requests, which takes 17 minutes at the limit of a key. */
export const companies: Line = {
  name: 'companies',
  title: 'A million companies to a file',
  waits: true,
  measure: async () => await measureEach([COMPANIES]),
};

/**
 * A million rows of each list to a CSV file, each on an n8n of its own that keeps binary data in files;
 * after a small file that loads what is loaded on first use.
 */
async function measureEach(lists: readonly BigList[]): Promise<Row[]> {
  const { measurable } = await import('../../scripts/lib/n8n-process.mjs');
  const service = await startManyCompanies(ROWS);
  const rows: Row[] = [];
  try {
    for (const list of lists) {
      const measure = async (host: RealHost) => await measureOn(host, service, list);
      rows.push(...(await withHost({ env: measurable }, measure)));
    }
    return rows;
  } finally {
    service.close();
  }
}

async function measureOn(host: RealHost, service: Service, list: BigList): Promise<Row[]> {
  const { fileOf, memoryOf } = await import('../../scripts/lib/n8n-process.mjs');
  const { requestsPerMinute = UNLIMITED } = list;
  const credential = await saveCredential(host, { baseUrl: service.baseUrl, requestsPerMinute });
  const write = async (limit: number) =>
    await run(host, await saveWorkflow(host, list.node(service, limit), credential));
  await write(10);
  const memory = memoryOf(host.userFolder);
  const idle = await memory.whenIdle();
  memory.forgetPeak();
  const cpuBefore = memory.cpuMs();
  const { milliseconds, items } = await write(ROWS);
  const cpu = memory.cpuMs() - cpuBefore;
  const above = (memory.peak() - idle) / 1024;
  const written = items[0]?.binary?.data;
  if (written === undefined) throw new Error('The node gave no file.');
  await checkRows(fileOf(host.userFolder, written.id));
  const megabytes = written.bytes / 1024 / 1024;
  const rows: Row[] = [
    {
      what: `Memory above idle, 1,000,000 ${list.what} to a CSV file`,
      ours: `${above.toFixed(0)} MB`,
      against: `the file: ${megabytes.toFixed(0)} MB, in ${(milliseconds / 1000).toFixed(0)} s`,
      ratio: above / megabytes,
      target: `≤ ${String(TARGET_MB)} MB`,
      met: above <= TARGET_MB,
      reason:
        'The peak counts garbage too. Pages of 2,000 rows are read, one ahead; what is left is V8, which collects late.',
    },
  ];
  if (list.cpu === true) rows.push(await cpuRow(service, cpu));
  return rows;
}

async function cpuRow({ baseUrl, techKey }: Service, ours: number): Promise<Row> {
  const bare = await readWholePages({
    url: `${baseUrl}/v1/technologies/${techKey}/companies?include=firmographics`,
    pages: 100,
    limit: ROWS / 100,
  });
  return {
    what: 'CPU time of that n8n, technology users',
    ours: `${(ours / 1000).toFixed(1)} s`,
    against: `a bare axios loop that parses whole pages and writes the same file: ${(bare / 1000).toFixed(1)} s`,
    ratio: ours / bare,
    target: `≤ ${String(TARGET_CPU)}`,
    met: ours <= TARGET_CPU * bare,
    note: 'Of the whole n8n process, its own work beside the node included.',
  };
}

/** @throws unless the file holds every row once and in order. */
async function checkRows(path: string): Promise<void> {
  let line = -1;
  for await (const text of createInterface({ input: createReadStream(path) })) {
    if (line >= 0 && !text.split(',').includes(company(line, false).slug)) {
      throw new Error(`Row ${String(line)} of the file is not that of the service: ${text}`);
    }
    line += 1;
  }
  if (line !== ROWS) throw new Error(`The file has ${String(line)} rows, not ${String(ROWS)}.`);
}
