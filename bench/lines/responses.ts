import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { sendAnyRequest } from '../../src/service/any-request';
import { readEndpointObject, readEndpointPages, readEndpointRows } from '../../src/service/read';
import { createFlag, lookUpCompanies } from '../../src/service/companies';
import { enrichPartnerships } from '../../src/service/enrichment';
import { createEmptyQuery } from '../../src/service/endpoint';
import { api } from '../../src/service/endpoints';
import { getJob } from '../../src/service/jobs';
import { getFilterCatalog } from '../../src/service/lists/catalog';
import { getDefinition, previewCount } from '../../src/service/lists/definitions';
import { exportMembers } from '../../src/service/lists/export';
import { getList, listLists, listPermissions } from '../../src/service/lists/lists';
import { addDomains, materialize, readMemberPages } from '../../src/service/lists/members';
import { Client } from '../../src/client/client';
import { REAL_TIME } from '../../src/client/settings';
import { Run } from '../../src/run/run';
import { UNLIMITED } from '../lib/n8n';
import type { Line } from '../table';

const MEGABYTE = 1024 ** 2;
const SIZE = '16 MB';
const BYTES = 16 * MEGABYTE;
const RANGE = { wanted: 1_000 };
const identifier = 'acme.example';
const include = undefined;
const DOMAINS = ['acme.example', 'globex.example'];

async function drain(pages: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const page of pages) count += page === undefined ? 0 : 1;
  return count;
}

/** A call for each way of reading a response. */
const READERS: Readonly<Record<string, (run: Run) => Promise<unknown>>> = {
  company: async (run) => await readEndpointObject(run, api.company, { identifier, include }),
  companies: async (run) =>
    await drain(readEndpointPages(run, api.companies, createEmptyQuery(api.companies), RANGE)),
  'bulk lookup': async (run) => await lookUpCompanies(run, DOMAINS, []),
  enrichment: async (run) => await enrichPartnerships(run, DOMAINS),
  flag: async (run) => await createFlag(run, 'acme.example', undefined),
  job: async (run) => await getJob(run, 'job'),
  technologies: async (run) => await readEndpointRows(run, api.technologies, { q: 'a' }, RANGE),
  'technology users': async (run) =>
    await drain(readEndpointPages(run, api.technologyUsers, { tech_key: 'a', include }, RANGE)),
  partners: async (run) =>
    await readEndpointRows(
      run,
      api.partners,
      { ...createEmptyQuery(api.partners), identifier },
      RANGE,
    ),
  partnership: async (run) =>
    await readEndpointObject(run, api.partnership, {
      identifier_a: identifier,
      identifier_b: 'globex.example',
    }),
  graph: async (run) =>
    await readEndpointObject(run, api.companyGraph, { identifier, depth: 1, max_nodes: 100 }),
  lists: async (run) => await listLists(run, RANGE),
  list: async (run) => await getList(run, '7'),
  permissions: async (run) => await listPermissions(run, '7', RANGE),
  catalog: async (run) => await getFilterCatalog(run),
  definition: async (run) => await getDefinition(run, '7'),
  'preview count': async (run) => await previewCount(run, {}),
  members: async (run) => await drain(readMemberPages(run, '7', {}, RANGE)),
  counts: async (run) => await materialize(run, '7'),
  'added domains': async (run) => await addDomains(run, '7', DOMAINS, {}),
  'CSV file': async (run) => await drain((await exportMembers(run, '7')).body),
  'API Request': async (run) =>
    await sendAnyRequest(run, { method: 'GET', path: '/v1/x', query: {}, body: undefined }),
};

/** Maximum number of pieces in a text, just below the numbers that the client rejects. */
const MOST = { inLists: 390_000, asFields: 49_000, values: 1_900_000 };

/** Returns a text of about `bytes` bytes: `open`, numbered pieces, and `close`. */
function built(
  bytes: number,
  open: string,
  piece: (index: number) => string,
  close: string,
  most = Infinity,
) {
  const pieces: string[] = [];
  let length = 0;
  while (length < bytes && pieces.length < most) {
    const next = piece(pieces.length);
    pieces.push(next);
    length += next.length;
  }
  return `${open}${pieces.join(',')}${close}`;
}

type Shapes = Readonly<Record<string, (bytes: number) => string>>;

/** Responses with many values in few bytes, each just small enough for the client to accept. */
const READ_SHAPES: Shapes = {
  'rows under every name': (bytes) => {
    const row = (n: number) => `{"id":${String(n)},"domain":"c${String(n)}.example"}`;
    const rows = built(bytes, '[', row, ']', MOST.inLists);
    return `{"data":${rows},"pagination":{"page":1,"total":1}}`;
  },
  'rows keyed by id': (bytes) =>
    built(
      bytes,
      '{"members":{',
      (n) => `"${String(n)}":{"company_id":${String(n)}}`,
      '}}',
      MOST.asFields,
    ),
  'many lists': (bytes) =>
    built(bytes, '{', (n) => `"k${String(n)}":[{"id":${String(n)}}]`, '}', MOST.asFields),
  'many groups of fields': (bytes) =>
    built(bytes, '{', (n) => `"k${String(n)}":[{"key":"f${String(n)}"}]`, '}', MOST.asFields),
  'many lists one level down': (bytes) =>
    built(bytes, '{"data":{', (n) => `"k${String(n)}":[{"id":${String(n)}}]`, '}}', MOST.asFields),
  'lists in lists': (bytes) =>
    built(bytes, '{"data":[', () => '[[{"id":1}]]', ']}', MOST.inLists / 3),
  numbers: (bytes) => built(bytes, '{"results":[', () => '1', ']}', MOST.values),
  'the same row': (bytes) => built(bytes, '{"items":[', () => '{"id":1}', ']}', MOST.inLists),
  'one wide row': (bytes) => built(bytes, '{', (n) => `"f${String(n)}":"v"`, '}', MOST.asFields),
  'one long text': (bytes) => `{"data":[{"id":1,"name":"${'\\"'.repeat(bytes / 2)}"}]}`,
};

/** Responses that the client rejects as JSON, so that only the reader of files sees them. */
const REFUSED_SHAPES: Shapes = {
  'more rows than are read': (bytes) => built(bytes, '{"items":[', () => '{"id":1}', ']}'),
  'nested deeply': (bytes) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
  'commas and quotes': (bytes) => 'a,"b""c",\n'.repeat(bytes / 10),
  'a text that is no JSON': (bytes) => '<p>a'.repeat(bytes / 4),
};

/** One reader for each way in which the client accepts a response: JSON, a file, any text. */
const READERS_OF_REFUSED = ['company', 'CSV file', 'API Request'];

/** Retries rejected responses without a pause, which would only make the benchmark slower. */
const NO_PAUSES = { ...REAL_TIME, backoffBaseMs: 1, backoffMaxMs: 1 };

interface Reading {
  readonly reader: string;
  readonly shape: string;
  readonly cpuMs: number;
  readonly parseMs: number;
  /** Longest time during which nothing else could run. */
  readonly blockMs: number;
}

function cpuMsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function timeToParse(text: string): number {
  const start = process.cpuUsage();
  try {
    JSON.parse(text);
  } catch {
    // Some shapes are not valid JSON; parsing ends at the first error.
  }
  return cpuMsSince(start);
}

/** Measures the longest gap between two timers during work. */
async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let last = performance.now();
  let longest = 0;
  const look = () => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  };
  const timer = setInterval(look, 5);
  await work().catch(() => undefined);
  look();
  clearInterval(timer);
  return longest;
}

/**
 * Reads each response with each reader that sees it. The server rejects all further requests of a
 * reader.
 */
async function readAll(): Promise<Reading[]> {
  let body = Buffer.alloc(0);
  let isServed = false;
  const server = createServer(({ url = '' }, response) => {
    const type = url.includes('.csv') ? 'text/csv' : 'application/json';
    if (isServed) response.writeHead(400).end();
    else response.writeHead(200, { 'content-type': type }).end(body);
    isServed = true;
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const rates = { requestsPerMinute: UNLIMITED, requestsPerDay: UNLIMITED };
  const readings: Reading[] = [];
  const readWith = async (readers: readonly string[], shapes: Shapes) => {
    for (const [shape, build] of Object.entries(shapes)) {
      const text = build(BYTES);
      body = Buffer.from(text);
      // A text with an invalid first character takes no time to parse, so it is also parsed as a
      // JSON string.
      const parseMs = Math.max(timeToParse(text), timeToParse(JSON.stringify(text)));
      for (const reader of readers) {
        isServed = false;
        const client = Client.open({ baseUrl, apiKey: `${reader} ${shape}`, ...rates }, NO_PAUSES);
        const start = process.cpuUsage();
        const blockMs = await longestBlock(async () => await READERS[reader]?.(new Run(client)));
        readings.push({ reader, shape, cpuMs: cpuMsSince(start), parseMs, blockMs });
      }
    }
  };
  await readWith(Object.keys(READERS), READ_SHAPES);
  await readWith(READERS_OF_REFUSED, REFUSED_SHAPES);
  server.close();
  return readings;
}

/** Time to read responses of any content. It includes the whole call and serving the response. */
export const responses: Line = {
  name: 'responses',
  title: 'Time to read any response',
  once: 'it reads a dozen responses, most of them in each of twenty ways',
  measure: async () => {
    const readings = await readAll();
    const worstBy = (figure: (reading: Reading) => number) =>
      readings.reduce((worst, one) => (figure(one) > figure(worst) ? one : worst));
    const slowest = worstBy(({ cpuMs, parseMs }) => cpuMs / parseMs);
    const blocking = worstBy(({ blockMs }) => blockMs);
    const of = ({ reader, shape }: Reading) => `${reader}: ${shape}`;
    return [
      {
        what: `Reading any response of ${SIZE}, CPU time (${of(slowest)})`,
        ours: `${slowest.cpuMs.toFixed(0)} ms`,
        against: `JSON.parse: ${slowest.parseMs.toFixed(0)} ms`,
        ratio: slowest.cpuMs / slowest.parseMs,
        target: '≤ 20',
        met: slowest.cpuMs <= 20 * slowest.parseMs,
      },
      {
        what: `Longest time in which n8n does nothing else (${of(blocking)})`,
        ours: `${blocking.blockMs.toFixed(0)} ms`,
        against: `JSON.parse: ${blocking.parseMs.toFixed(0)} ms`,
        ratio: blocking.blockMs / blocking.parseMs,
        target: '≤ 2 s',
        met: blocking.blockMs <= 2_000,
      },
    ];
  },
};
