/** Tests that the memory of all simultaneous requests stays bounded if responses are huge. */
import { gzipSync } from 'node:zlib';
import { pipeline } from 'node:stream/promises';

import { node, source, startWorkflow } from '../../engine/harness';
import { nested } from '../faults/fault';
import { Front, type Strike } from '../service/front';

const MB = 1024 * 1024;

/**
 * Repeats a small part of the body. Gzip allows this
 * too, because its members can follow each other.
 */
function body(headers: Record<string, string>, start: string, part: Buffer, times: number): Strike {
  return async ({ response, asked }) => {
    asked.fate = 'done';
    response.writeHead(200, { 'content-type': 'application/json', ...headers });
    const begin = headers['content-encoding'] === 'gzip' ? gzipSync(start) : Buffer.from(start);
    // Sends only as fast as the client reads; the client may close the connection.
    await pipeline([begin, ...Array.from({ length: times }, () => part)], response).catch(
      () => undefined,
    );
  };
}

const HEAVY: ReadonlyArray<readonly [string, Strike]> = [
  ['300 MB', body({}, '{"padding":"', Buffer.alloc(MB, 'a'), 300)],
  ['300 MB of rows', body({}, '{"data":[', Buffer.from('{"name":"x"},'.repeat(MB / 13)), 300)],
  [
    'a gzip bomb of 1 GB',
    body({ 'content-encoding': 'gzip' }, '{"padding":"', gzipSync(Buffer.alloc(MB, 'a')), 1000),
  ],
  [
    '200,000 levels',
    ({ reply }) => {
      reply(200, { 'content-type': 'application/json' }, `{"name":${nested(200_000)}}`);
    },
  ],
];

/** Number of simultaneous lookups. */
const LOOKUPS = 40;
/** Memory that they may add to the process: responses up to the client's limit, and garbage of them. */
const MOST_MB = LOOKUPS * 32 + 300;

let front: Front;
beforeEach(async () => {
  front = await Front.start({ ask: () => Promise.reject(new Error('There is no service.')) });
});
afterEach(async () => {
  await front.close();
});

/** Looks up companies. Returns the items, and by how many megabytes the process grew. */
async function lookUp(apiKey: string) {
  const before = process.memoryUsage().rss;
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 10).unref();
  const running = await startWorkflow({
    nodes: [
      source(Array.from({ length: LOOKUPS }, (_, id) => ({ id }))),
      node('n8n-nodes-company-intelligence.companyLookup', {
        parameters: {
          operation: 'get',
          identifier: '={{ "company-" + $json.id + ".com" }}',
        },
        onError: 'continueRegularOutput',
      }),
    ],
    credentials: { companyIntelligenceUserApi: { baseUrl: front.baseUrl, apiKey } },
  });
  const items = (await running.finished).json('Company Lookup');
  clearInterval(watch);
  return { items, peakMb: (peak - before) / MB };
}

it.each(HEAVY)('fails in bounded memory when 40 lookups each receive %s', async (_what, strike) => {
  const key = 'ck-memory';
  front.begin({ key, serviceKey: '', strike, strangerUrl: '' });
  const { items, peakMb } = await lookUp(key);

  expect(items).toHaveLength(LOOKUPS);
  expect(items.filter((item) => !('error' in item))).toEqual([]);
  expect(peakMb).toBeLessThan(MOST_MB);
});
