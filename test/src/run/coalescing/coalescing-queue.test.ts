/** Tests when shared requests are sent, with a simulated clock. */
import fc from 'fast-check';

import { MAX_WAIT_MS, CoalescingQueue } from '../../../../src/run/coalescing/coalesce';

interface Lookup {
  readonly name: string;
  readonly size: number;
}

class Shared {
  readonly lookups: Lookup[] = [];

  get size(): number {
    return this.lookups.reduce((sum, { size }) => sum + size, 0);
  }

  readonly add = (lookup: Lookup): void => {
    this.lookups.push(lookup);
  };
}

const ROOM = 4;

function setUp(room = ROOM) {
  const sent: Shared[] = [];
  const queue = new CoalescingQueue<Lookup, Shared>(
    () => new Shared(),
    (request) => sent.push(request),
  );
  return {
    queue,
    sent,
    names: () => sent.map(({ lookups }) => lookups.map(({ name }) => name).join('')),
    /** Simulates that the limiter grants a permit. */
    permit: (index: number) => queue.close(sent[index]!),
    respond: (index: number) => queue.markDone(sent[index]!),
    arrive: (name: string, size = 1) => queue.add({ name, size }, room),
  };
}

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

it('sends a single lookup immediately', () => {
  const { arrive, names, queue, permit, respond } = setUp();
  arrive('a');
  expect(names()).toEqual(['a']);
  permit(0);
  respond(0);
  expect(queue.idle).toBe(true);
  arrive('b');
  expect(names()).toEqual(['a', 'b']);
});

it('adds a lookup to a request that waits for the limiter', () => {
  const { arrive, names, permit } = setUp();
  arrive('a');
  arrive('b');
  permit(0);
  arrive('c');
  expect(names()).toEqual(['ab']);
});

describe('lookups that arrive while a request is in flight', () => {
  /** Two lookups wait while the request of another is in flight. */
  function setUpWaiting() {
    const one = setUp();
    one.arrive('a');
    one.permit(0);
    one.arrive('b');
    one.arrive('c');
    expect(one.names()).toEqual(['a']);
    return one;
  }

  it('are sent when the response arrives', () => {
    const { respond, names } = setUpWaiting();
    respond(0);
    expect(names()).toEqual(['a', 'bc']);
  });

  it('are sent when they fill a request', () => {
    const { arrive, names } = setUpWaiting();
    arrive('d', 2);
    expect(names()).toEqual(['a', 'bcd']);
    arrive('e');
    expect(names()).toEqual(['a', 'bcd']);
  });

  it('are sent when a new lookup does not fit', () => {
    const { arrive, names } = setUpWaiting();
    arrive('d', 3);
    expect(names()).toEqual(['a', 'bc']);
    jest.advanceTimersByTime(MAX_WAIT_MS);
    expect(names()).toEqual(['a', 'bc', 'd']);
  });

  it('are sent when the first of them has waited MAX_WAIT_MS', () => {
    const { arrive, names } = setUpWaiting();
    jest.advanceTimersByTime(MAX_WAIT_MS - 1);
    arrive('d');
    expect(names()).toEqual(['a']);
    jest.advanceTimersByTime(1);
    expect(names()).toEqual(['a', 'bcd']);
  });

  it('are sent when the latest request is answered, not when an earlier one is', () => {
    const { arrive, names, permit, respond } = setUpWaiting();
    jest.advanceTimersByTime(MAX_WAIT_MS);
    permit(1);
    arrive('d');
    respond(0);
    expect(names()).toEqual(['a', 'bc']);
    respond(1);
    expect(names()).toEqual(['a', 'bc', 'd']);
  });

  it('keep no timer when all of them are stopped', () => {
    const { queue, names, respond } = setUpWaiting();
    const waiting = (queue as unknown as { open: Shared }).open;
    waiting.lookups.length = 0;
    queue.close(waiting);
    expect(jest.getTimerCount()).toBe(0);
    respond(0);
    expect([names(), queue.idle]).toEqual([['a'], true]);
  });
});

it('sends each full request immediately', () => {
  const { arrive, names } = setUp();
  arrive('a', ROOM);
  arrive('b', ROOM);
  arrive('c', ROOM);
  expect(names()).toEqual(['a', 'b', 'c']);
});

it('adds no lookup to a request that failed before it was sent', () => {
  const { arrive, names, respond, queue } = setUp();
  arrive('a');
  respond(0);
  expect(queue.idle).toBe(true);
  arrive('b');
  expect(names()).toEqual(['a', 'b']);
});

it('sends every lookup once, in time and in order, within the maximum request size', () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ arrives: fc.integer({ min: 1, max: 12 }) }) },
    fc.record({ permits: fc.nat(5) }),
    fc.record({ responds: fc.nat(5) }),
    fc.record({ waits: fc.nat(60) }),
  );
  const steps = fc.array(step, { maxLength: 60 });
  fc.assert(
    fc.property(steps, fc.integer({ min: 12, max: 30 }), (history, room) => {
      const { queue, sent, arrive } = setUp(room);
      const ended = new Set<Shared>();
      const waitingSince = new Map<string, number>();
      const sentNames = () => sent.flatMap(({ lookups }) => lookups.map(({ name }) => name));
      let now = 0;
      history.forEach((one, index) => {
        if ('arrives' in one) {
          waitingSince.set(String(index), now);
          arrive(String(index), one.arrives);
        } else if ('waits' in one) {
          now += one.waits;
          jest.advanceTimersByTime(one.waits);
        } else {
          const which = 'permits' in one ? one.permits : one.responds;
          const request = sent.filter((candidate) => !ended.has(candidate))[which];
          if (request === undefined) return;
          queue.close(request);
          if ('responds' in one) {
            queue.markDone(request);
            ended.add(request);
          }
        }
        for (const name of sentNames()) waitingSince.delete(name);
        for (const since of waitingSince.values()) expect(now - since).toBeLessThan(MAX_WAIT_MS);
      });
      jest.advanceTimersByTime(MAX_WAIT_MS);
      // The list grows during the loop.
      for (const request of sent) {
        queue.close(request);
        queue.markDone(request);
      }
      const arrivals = history.flatMap((one, index) => ('arrives' in one ? [String(index)] : []));
      expect(sentNames()).toEqual(arrivals);
      for (const { size } of sent) expect(size).toBeLessThanOrEqual(room);
      expect([queue.idle, jest.getTimerCount()]).toEqual([true, 0]);
    }),
  );
});
