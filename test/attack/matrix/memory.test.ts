/** Tests that the memory of all simultaneous requests stays bounded if responses are huge. */
import { gzipSync } from 'node:zlib';
import { pipeline } from 'node:stream/promises';

import { runNode } from '../../engine/shared/nodes';
import { useService } from '../../engine/shared/service';
import { text, type Answering } from '../../src/client/support/service';
import { nested } from '../faults/fault';

const MB = 1024 * 1024;

/**
 * Repeats a small part of the body. Gzip allows this
 * too, because its members can follow each other.
 */
function body(start: Buffer, part: Buffer, times: number, headers = {}): Answering {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers });
    const parts = [start, ...Array.from({ length: times }, () => part)];
    // Sends only as fast as the client reads; the client may close the connection.
    pipeline(parts, response).catch(() => undefined);
  };
}

const PADDING = Buffer.from('{"padding":"');
const ROWS = Buffer.from('{"name":"x"},'.repeat(MB / 13));
const GZIP = { 'content-encoding': 'gzip' };

const HEAVY: ReadonlyArray<readonly [string, Answering]> = [
  ['300 MB', body(PADDING, Buffer.alloc(MB, 'a'), 300)],
  ['300 MB of rows', body(Buffer.from('{"data":['), ROWS, 300)],
  ['a gzip bomb of 1 GB', body(gzipSync(PADDING), gzipSync(Buffer.alloc(MB, 'a')), 1000, GZIP)],
  [
    '200,000 levels',
    text(`{"name":${nested(200_000)}}`, 200, { 'content-type': 'application/json' }),
  ],
];

/** Number of simultaneous lookups. */
const LOOKUPS = 40;
/** Memory that they may add to the process: responses up to the client's limit, and garbage of them. */
const MOST_MB = LOOKUPS * 32 + 300;

const service = useService();

it.each(HEAVY)(
  'fails in bounded memory when 40 lookups each receive %s',
  async (_what, answering) => {
    service.answer(answering);
    const before = process.memoryUsage().rss;
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss);
    }, 10).unref();
    const run = await runNode(
      service,
      'companyLookup',
      { operation: 'get', identifier: '={{ "company-" + $json.id + ".com" }}' },
      Array.from({ length: LOOKUPS }, (_, id) => ({ id })),
      { onError: 'continueRegularOutput' },
    );
    clearInterval(watch);
    const items = run.json('Company Lookup');

    expect(items).toHaveLength(LOOKUPS);
    expect(items.filter((item) => !('error' in item))).toEqual([]);
    expect((peak - before) / MB).toBeLessThan(MOST_MB);
  },
);
