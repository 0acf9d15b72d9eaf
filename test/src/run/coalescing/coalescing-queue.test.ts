/** Tests when shared requests are sent, with a simulated clock. */
import fc from 'fast-check';

import { MAX_WAIT_MS, CoalescingQueue } from '../../../../src/run/coalescing/coalesce';

interface Party {
  readonly name: string;
  readonly size: number;
}

class Load {
  readonly parties: Party[] = [];

  get size(): number {
    return this.parties.reduce((sum, { size }) => sum + size, 0);
  }

  readonly add = (party: Party): void => {
    this.parties.push(party);
  };

  get names(): string {
    return this.parties.map(({ name }) => name).join('');
  }
}

const ROOM = 4;

function station(room = ROOM) {
  const left: Load[] = [];
  const nagle = new CoalescingQueue<Party, Load>(
    () => new Load(),
    (load) => left.push(load),
  );
  return {
    nagle,
    left,
    names: () => left.map(({ names }) => names),
    /** Simulates that the limiter grants a permit. */
    sent: (index: number) => nagle.close(left[index]!),
    answered: (index: number) => nagle.markDone(left[index]!),
    arrive: (name: string, size = 1) => nagle.add({ name, size }, room),
  };
}

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

it('sends a single lookup immediately', () => {
  const { arrive, names, nagle, sent, answered } = station();
  arrive('a');
  expect(names()).toEqual(['a']);
  sent(0);
  answered(0);
  expect(nagle.idle).toBe(true);
  arrive('b');
  expect(names()).toEqual(['a', 'b']);
});

it('adds a lookup to a request that waits for the limiter', () => {
  const { arrive, names, sent, left } = station();
  arrive('a');
  arrive('b');
  sent(0);
  arrive('c');
  expect(names()).toEqual(['ab']);
  expect(left).toHaveLength(1);
});

describe('lookups that arrive while a request is in flight', () => {
  function underWay() {
    const one = station();
    one.arrive('a');
    one.sent(0);
    one.arrive('b');
    one.arrive('c');
    expect(one.names()).toEqual(['a']);
    return one;
  }

  it('are sent when the response arrives', () => {
    const { answered, names } = underWay();
    answered(0);
    expect(names()).toEqual(['a', 'bc']);
  });

  it('are sent when they fill a request', () => {
    const { arrive, names } = underWay();
    arrive('d', 2);
    expect(names()).toEqual(['a', 'bcd']);
    arrive('e');
    expect(names()).toEqual(['a', 'bcd']);
  });

  it('are sent when a new lookup does not fit', () => {
    const { arrive, names } = underWay();
    arrive('d', 3);
    expect(names()).toEqual(['a', 'bc']);
    jest.advanceTimersByTime(MAX_WAIT_MS);
    expect(names()).toEqual(['a', 'bc', 'd']);
  });

  it('are sent when the first of them has waited MAX_WAIT_MS', () => {
    const { arrive, names } = underWay();
    jest.advanceTimersByTime(MAX_WAIT_MS - 1);
    arrive('d');
    expect(names()).toEqual(['a']);
    jest.advanceTimersByTime(1);
    expect(names()).toEqual(['a', 'bcd']);
  });

  it('are sent when the latest request is answered, not when an earlier one is', () => {
    const { arrive, names, sent, answered } = underWay();
    jest.advanceTimersByTime(MAX_WAIT_MS);
    sent(1);
    arrive('d');
    answered(0);
    expect(names()).toEqual(['a', 'bc']);
    answered(1);
    expect(names()).toEqual(['a', 'bc', 'd']);
  });

  it('keep no timer when all of them are stopped', () => {
    const { nagle, names, answered, left } = underWay();
    const waiting = (nagle as unknown as { open: Load }).open;
    waiting.parties.length = 0;
    nagle.close(waiting);
    expect(jest.getTimerCount()).toBe(0);
    answered(0);
    expect([names(), left.length, nagle.idle]).toEqual([['a'], 1, true]);
  });
});

it('sends each full request immediately', () => {
  const { arrive, names } = station();
  arrive('a', ROOM);
  arrive('b', ROOM);
  arrive('c', ROOM);
  expect(names()).toEqual(['a', 'b', 'c']);
});

it('adds no lookup to a request that failed before it was sent', () => {
  const { arrive, names, answered, nagle } = station();
  arrive('a');
  answered(0);
  expect(nagle.idle).toBe(true);
  arrive('b');
  expect(names()).toEqual(['a', 'b']);
});

it('sends every lookup once, in time and in order, within the maximum request size', () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ arrives: fc.integer({ min: 1, max: 12 }) }) },
    fc.record({ sends: fc.nat(5) }),
    fc.record({ answers: fc.nat(5) }),
    fc.record({ waits: fc.nat(60) }),
  );
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 60 }),
      fc.integer({ min: 12, max: 30 }),
      (steps, room) => {
        const { nagle, left, arrive } = station(room);
        const sent = new Set<Load>();
        const over = new Set<Load>();
        const since = new Map<string, number>();
        let now = 0;
        const check = () => {
          const gone = new Set(left.flatMap(({ parties }) => parties));
          for (const [name, from] of since) {
            if ([...gone].some((party) => party.name === name)) since.delete(name);
            else expect(now - from).toBeLessThan(MAX_WAIT_MS);
          }
        };
        steps.forEach((one, index) => {
          if ('arrives' in one) {
            since.set(String(index), now);
            arrive(String(index), one.arrives);
          } else if ('waits' in one) {
            now += one.waits;
            jest.advanceTimersByTime(one.waits);
          } else {
            const which = 'sends' in one ? one.sends : one.answers;
            const load = left.filter((candidate) => !over.has(candidate))[which];
            if (load === undefined) return;
            nagle.close(load);
            sent.add(load);
            if ('answers' in one) {
              nagle.markDone(load);
              over.add(load);
            }
          }
          check();
        });
        jest.advanceTimersByTime(MAX_WAIT_MS);
        // The list grows during the loop.
        for (const load of left) {
          nagle.close(load);
          nagle.markDone(load);
        }
        const arrivals = steps.flatMap((one, index) => ('arrives' in one ? [String(index)] : []));
        expect(left.flatMap(({ parties }) => parties.map(({ name }) => name))).toEqual(arrivals);
        for (const load of left) expect(load.size).toBeLessThanOrEqual(room);
        expect([nagle.idle, jest.getTimerCount()]).toEqual([true, 0]);
      },
    ),
  );
});
