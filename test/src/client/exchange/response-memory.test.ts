/** Tests that simultaneous responses share one memory limit (`src/client/exchange/body.ts`). */
import fc from 'fast-check';
import { gzipSync } from 'node:zlib';

import { CancelledError } from '../../../../src/client/errors';
import { ResponseMemoryBudget } from '../../../../src/client/exchange/body';
import { exchangeWhole, type HttpRequest } from '../../../../src/client/exchange/transport';
import { exchangeWith, requestTo } from '../support/client';
import { endless, TestService, type Answering } from '../support/service';
import { times } from '../support/limited-service';
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

const bomb: Answering = (_request, response) => {
  response.writeHead(200, { 'content-encoding': 'gzip' });
  response.end(gzipSync(Buffer.alloc(64 * LARGEST)));
};

async function many(count: number, answering: Answering, memory: ResponseMemoryBudget) {
  const { baseUrl } = await TestService.start(answering);
  return await Promise.all(
    times(count, async () => await exchangeWhole(requestTo(baseUrl), memory)),
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
  });

  it.each([
    ['abandoned in bounded memory if each is endless', endless(PIECE), 30 * PIECE + TOGETHER],
    ['abandoned in bounded memory if each is a bomb', bomb, 30 * PIECE + TOGETHER],
    ['not read if the content length of each is too large', plain(LARGEST + 1), 0],
  ])('are all %s', async (_how, answering, most) => {
    const memory = new Watched(TOGETHER, LARGEST);
    for (const outcome of await many(30, answering, memory)) {
      expect(outcome).toMatchObject({ code: 'response_too_large' });
    }
    expect(memory.most).toBeLessThanOrEqual(most);
    expect(memory.inUse).toBe(0);
  });
  it('are abandoned but keep their status if an error body never ends', async () => {
    const memory = new Watched(TOGETHER, 64 * 1024 * KILOBYTE);
    const failing: Answering = (received, response) => {
      response.writeHead(500);
      endless(PIECE)(received, response);
    };
    expect(await many(1, failing, memory)).toMatchObject([{ status: 500 }]);
  });

  it('are joined into one text if they arrive byte by byte', async () => {
    const { outcome } = await exchangeWith(({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      socket.write('1\r\nx\r\n'.repeat(5_000));
      socket.write('0\r\n\r\n');
    });
    expect(outcome).toMatchObject({ body: 'x'.repeat(5_000) });
  });
});

describe('a response that waits for memory', () => {
  /** Begins an exchange whose response waits, because the budget is full until `first` ends. */
  async function waiting(answering: Answering, change: Partial<HttpRequest> = {}) {
    const memory = new ResponseMemoryBudget(TOGETHER, LARGEST);
    const first = memory.reserve();
    first.add(TOGETHER, () => undefined);
    const service = await TestService.start(answering);
    const outcome = exchangeWhole(requestTo(service.baseUrl, change), memory);
    return { memory, first, service, outcome };
  }

  it('does not count the wait toward the deadline', async () => {
    const { memory, first, outcome } = await waiting(plain(LARGEST), { timeoutMs: 300 });
    await new Promise((resolve) => setTimeout(resolve, 900));
    first.release();
    expect(await outcome).toMatchObject({ status: 200 });
    expect(memory.inUse).toBe(0);
  });

  it('fails if the service stops sending after the wait', async () => {
    const beginning: Answering = (_request, response) => {
      response.write(Buffer.alloc(KILOBYTE));
    };
    const { memory, first, outcome } = await waiting(beginning, { timeoutMs: 200 });
    await until(() => memory.inUse > TOGETHER);
    first.release();
    expect(await outcome).toMatchObject({ code: 'no_answer' });
    expect(memory.inUse).toBe(0);
  });

  it('is abandoned immediately on Stop, and its connection is closed', async () => {
    const stop = new AbortController();
    const { signal } = stop;
    const { memory, service, outcome } = await waiting(plain(LARGEST), { signal });
    await until(() => memory.inUse > TOGETHER);
    stop.abort();
    expect(await outcome).toBeInstanceOf(CancelledError);
    await until(() => service.closed === 1 && memory.inUse === TOGETHER);
  });

  it('fails and releases its memory if it is cut off during the wait', async () => {
    const { memory, outcome } = await waiting(({ socket }, response) => {
      response.writeHead(200, { 'content-length': LARGEST });
      response.write(Buffer.alloc(KILOBYTE), () => {
        setTimeout(() => socket.resetAndDestroy(), 50);
      });
    });
    expect(await outcome).toMatchObject({ code: 'no_answer' });
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
