/** Tests that simultaneous responses share one memory limit (`src/client/exchange/body.ts`). */
import fc from 'fast-check';
import { createGzip, gzipSync } from 'node:zlib';

import { CancelledError } from '../../../../src/client/errors';
import { ResponseMemoryBudget } from '../../../../src/client/exchange/body';
import { exchangeWhole } from '../../../../src/client/exchange/transport';
import { requestTo } from '../support/client';
import { silence, TestService, type Answering } from '../support/service';
import { until } from '../support/timing';

const KILOBYTE = 1024;
const TOGETHER = 1024 * KILOBYTE;
const LARGEST = 256 * KILOBYTE;
/** A stream and a socket can each deliver one more chunk of this size after a pause. */
const PIECE = 64 * KILOBYTE;

afterAll(TestService.stopAll);

/** Records the highest memory use. */
class Watched extends ResponseMemoryBudget {
  most = 0;

  override reserve() {
    const holding = super.reserve();
    return {
      ...holding,
      add: (bytes: number, onRoom: () => void) => {
        const mayGoOn = holding.add(bytes, onRoom);
        this.most = Math.max(this.most, this.inUse);
        return mayGoOn;
      },
    };
  }
}

const plain =
  (bytes: number): Answering =>
  (_request, response) => {
    response.end(Buffer.alloc(bytes, ' '));
  };

/** Sends half of the response, and the other half after many others have begun. */
const inHalves =
  (half: number): Answering =>
  (_request, response) => {
    response.write(Buffer.alloc(half, ' '));
    setTimeout(() => response.end(Buffer.alloc(half, ' ')), 100);
  };

/** Sends an endless response without a length. */
const endless: Answering = (_request, response) => {
  const more = (): void => {
    while (!response.destroyed && response.write(Buffer.alloc(PIECE, ' ')));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
};

const bomb: Answering = (_request, response) => {
  response.writeHead(200, { 'content-encoding': 'gzip' });
  response.end(gzipSync(Buffer.alloc(64 * LARGEST)));
};

async function many(count: number, answering: Answering, memory: ResponseMemoryBudget) {
  const service = await TestService.start(answering);
  return await Promise.all(
    Array.from(
      { length: count },
      async () => await exchangeWhole(requestTo(service.baseUrl), memory),
    ),
  );
}

describe('simultaneous responses', () => {
  it('are all read in less memory than their total size', async () => {
    const memory = new Watched(TOGETHER, LARGEST);
    const outcomes = await many(40, inHalves(100 * KILOBYTE), memory);
    for (const outcome of outcomes) {
      expect('body' in outcome && outcome.body.length).toBe(200 * KILOBYTE);
    }
    expect(memory.most).toBeGreaterThan(TOGETHER / 2);
    // Each response can receive one more chunk after it is paused.
    expect(memory.most).toBeLessThanOrEqual(TOGETHER + 40 * PIECE);
    expect(memory.inUse).toBe(0);
  }, 30_000);

  it.each([
    ['uncompressed and endless', endless],
    ['compressed', bomb],
  ])(
    'are all abandoned in bounded memory if each is too large, %s',
    async (_how, answering) => {
      const memory = new Watched(TOGETHER, LARGEST);
      for (const outcome of await many(30, answering, memory)) {
        expect(outcome).toMatchObject({ code: 'response_too_large' });
      }
      expect(memory.most).toBeLessThanOrEqual(TOGETHER + 30 * PIECE);
      expect(memory.inUse).toBe(0);
    },
    60_000,
  );

  it('are not read if their content length is too large', async () => {
    const memory = new Watched(TOGETHER, LARGEST);
    for (const outcome of await many(5, plain(LARGEST + 1), memory)) {
      expect(outcome).toMatchObject({ code: 'response_too_large' });
    }
    expect(memory.most).toBe(0);
  });

  it('are abandoned but keep their status if an error body never ends', async () => {
    const memory = new Watched(TOGETHER, 64 * 1024 * KILOBYTE);
    const failing: Answering = (received, response) => {
      response.writeHead(500);
      endless(received, response);
    };
    expect(await many(1, failing, memory)).toMatchObject([{ status: 500 }]);
  });

  it('are joined into one text if they arrive byte by byte', async () => {
    const service = await TestService.start((received) => {
      const chunk = '1\r\nx\r\n';
      received.socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      received.socket.write(chunk.repeat(5_000));
      received.socket.write('0\r\n\r\n');
    });
    expect(await exchangeWhole(requestTo(service.baseUrl))).toMatchObject({
      body: 'x'.repeat(5_000),
    });
  });
});

describe('a response that waits for memory', () => {
  /** Returns a full budget: every other response waits until `first` is released. */
  function full() {
    const memory = new ResponseMemoryBudget(TOGETHER, LARGEST);
    const first = memory.reserve();
    first.add(TOGETHER, () => undefined);
    return { memory, first };
  }

  it('does not count the wait toward the deadline', async () => {
    const { memory, first } = full();
    const service = await TestService.start(plain(LARGEST));
    const outcome = exchangeWhole(requestTo(service.baseUrl, { timeoutMs: 300 }), memory);
    await new Promise((resolve) => setTimeout(resolve, 900));
    first.release();
    expect(await outcome).toMatchObject({ status: 200 });
    expect(memory.inUse).toBe(0);
  });

  it('fails if the service stops sending after the wait', async () => {
    const { memory, first } = full();
    const service = await TestService.start((received, response) => {
      response.write(Buffer.alloc(KILOBYTE));
      silence(received, response);
    });
    const outcome = exchangeWhole(requestTo(service.baseUrl, { timeoutMs: 200 }), memory);
    await until(() => memory.inUse > TOGETHER);
    first.release();
    expect(await outcome).toMatchObject({ code: 'no_answer' });
    expect(memory.inUse).toBe(0);
  });

  it('is abandoned immediately on Stop, and its connection is closed', async () => {
    const { memory } = full();
    const stop = new AbortController();
    const service = await TestService.start(plain(LARGEST));
    const outcome = exchangeWhole(requestTo(service.baseUrl, { signal: stop.signal }), memory);
    await until(() => memory.inUse > TOGETHER);
    stop.abort();
    expect(await outcome).toBeInstanceOf(CancelledError);
    await until(() => service.closed === 1 && memory.inUse === TOGETHER);
  });

  it('fails and releases its memory if it is cut off during the wait', async () => {
    const { memory } = full();
    const service = await TestService.start((received, response) => {
      response.writeHead(200, { 'content-length': LARGEST });
      response.write(Buffer.alloc(KILOBYTE), () => {
        setTimeout(() => received.socket.resetAndDestroy(), 50);
      });
    });
    expect(await exchangeWhole(requestTo(service.baseUrl), memory)).toMatchObject({
      code: 'no_answer',
    });
    expect(memory.inUse).toBe(TOGETHER);
  });
});

it('keeps memory within the limit and lets every response finish, in any order of reading', () => {
  const size = fc.integer({ min: 0, max: 30 });
  fc.assert(
    fc.property(
      fc.array(size, { maxLength: 60 }),
      fc.infiniteStream(fc.nat()),
      (sizes, choices) => {
        const memory = new ResponseMemoryBudget(40, 10);
        const readers = sizes.map((bytes) => ({
          left: Math.min(bytes, 11),
          holding: memory.reserve(),
          waits: false,
          done: false,
        }));
        for (;;) {
          const left = readers.filter(({ done }) => !done);
          const able = left.filter(({ waits }) => !waits);
          if (left.length === 0) break;
          // At least one reader can always continue.
          expect(able.length).toBeGreaterThan(0);
          const reader = able[(choices.next().value as number) % able.length]!;
          if (reader.left === 0) {
            reader.done = true;
            reader.holding.release();
            continue;
          }
          reader.left -= 1;
          reader.waits = !reader.holding.add(1, () => {
            reader.waits = false;
          });
          // Each reader can exceed the limit by one byte, and
          // a response that is too large by one more.
          expect(memory.inUse).toBeLessThanOrEqual(40 + readers.length + 1);
        }
        expect(memory.inUse).toBe(0);
      },
    ),
  );
});

it('decompresses a response that arrives slowly', async () => {
  const service = await TestService.start((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    const gzip = createGzip();
    gzip.pipe(response);
    gzip.write('{"a":');
    gzip.flush(() => {
      setTimeout(() => gzip.end('1}'), 30);
    });
  });
  expect(await exchangeWhole(requestTo(service.baseUrl))).toMatchObject({ body: '{"a":1}' });
});
