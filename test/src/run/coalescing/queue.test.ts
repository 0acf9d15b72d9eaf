import fc from 'fast-check';

import { CancelledError } from '../../../../src/client/errors';
import {
  activeQueueCount,
  lookUpCoalesced,
  MAX_WAIT_MS,
  type CoalescedSendOptions,
} from '../../../../src/run/coalescing';
import { answerFor } from '../support/batch-service';

function setUp(room = 4) {
  const sent: Array<{ domains: readonly string[]; options: CoalescedSendOptions; end(): void }> =
    [];
  const outcomes = new Map<string, unknown>();
  const arrive = (name: string, size = 1, signal?: AbortSignal) => {
    const lookup = lookUpCoalesced('test', {
      domains: Array.from({ length: size }, (_unused, index) => `${name}${'.'.repeat(index)}`),
      signal,
      capacity: () => room,
      assertMaySend: () => undefined,
      sent: () => undefined,
      warn: () => undefined,
      send: async (domains, options) =>
        await new Promise((resolve, reject) => {
          options.signal.addEventListener('abort', () => reject(new CancelledError()));
          sent.push({ domains, options, end: () => resolve(answerFor(domains)) });
        }),
    });
    void lookup.then(
      () => outcomes.set(name, 'answered'),
      (error: unknown) => outcomes.set(name, error),
    );
  };
  const settle = async () => await jest.advanceTimersByTimeAsync(0);
  return {
    outcomes,
    arrive,
    sent,
    settle,
    /** The lookups in each released request that has been sent. */
    names: () =>
      sent.map(({ domains }) => domains.filter((domain) => !domain.endsWith('.')).join('')),
    /** Grants a permit, as the limiter does. */
    permit: (index: number) => sent[index]!.options.beforeSend(),
    respond: async (index: number) => {
      sent[index]!.end();
      await settle();
    },
  };
}

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  expect(jest.getTimerCount()).toBe(0);
  jest.useRealTimers();
  expect(activeQueueCount()).toBe(0);
});

it('sends a lookup immediately, with those that arrive until the limiter lets it go', async () => {
  const { arrive, names, permit, respond } = setUp();
  arrive('a');
  arrive('b');
  permit(0);
  arrive('c');
  expect(names()).toEqual(['ab']);
  await respond(0);
  permit(1);
  await respond(1);
  arrive('d');
  permit(2);
  expect(names()).toEqual(['ab', 'c', 'd']);
  await respond(2);
});

it.each<[string, (one: ReturnType<typeof setUp>) => void | Promise<void>, string[]]>([
  ['the response arrives', async ({ respond }) => await respond(0), ['bc']],
  ['they fill a request', ({ arrive }) => arrive('d', 2), ['bcd']],
  ['a new lookup does not fit', ({ arrive }) => arrive('d', 3), ['bc']],
  ['the first of them has waited long', () => jest.advanceTimersByTime(MAX_WAIT_MS), ['bc']],
  ['not before', () => jest.advanceTimersByTime(MAX_WAIT_MS - 1), []],
])('sends lookups that wait for a request in flight when %s', async (_when, act, expected) => {
  const one = setUp();
  one.arrive('a');
  one.permit(0);
  one.arrive('b');
  one.arrive('c');
  await act(one);
  if (one.sent.length > 1) one.permit(1);
  expect(one.names().slice(1)).toEqual(expected);
  for (let index = 0; index < one.sent.length; index += 1) {
    one.permit(index);
    await one.respond(index);
  }
});

it('aborts a request when its last lookup is stopped, and keeps no timer', async () => {
  const { arrive, outcomes, permit, sent, settle } = setUp();
  const stop = new AbortController();
  arrive('a', 1, stop.signal);
  permit(0);
  arrive('b', 1, stop.signal);
  stop.abort();
  await settle();
  expect([...outcomes.values()]).toEqual([expect.any(CancelledError), expect.any(CancelledError)]);
  expect([sent.length, sent[0]?.options.signal.aborted]).toEqual([1, true]);
});

it('sends every lookup once, in order and within the maximum request size', async () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ arrives: fc.integer({ min: 1, max: 12 }) }) },
    fc.record({ permits: fc.nat(5) }),
    fc.record({ responds: fc.nat(5) }),
    fc.record({ waits: fc.nat(60) }),
  );
  const steps = fc.array(step, { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 12, max: 30 }), async (history, room) => {
      const { arrive, outcomes, sent, names, permit, respond } = setUp(room);
      const waiting: number[] = [];
      const done = async (index: number) => {
        permit(index);
        waiting.push(index);
        await respond(index);
      };
      for (const [index, one] of history.entries()) {
        if ('arrives' in one) arrive(`${String(index)},`, one.arrives);
        else if ('waits' in one) await jest.advanceTimersByTimeAsync(one.waits);
        else {
          const which = 'permits' in one ? one.permits : one.responds;
          const open = [...sent.keys()].filter((at) => !waiting.includes(at))[which];
          if (open === undefined) continue;
          if ('permits' in one) permit(open);
          else await done(open);
        }
      }
      for (let index = 0; index < sent.length; index += 1) {
        if (!waiting.includes(index)) await done(index);
        await jest.advanceTimersByTimeAsync(MAX_WAIT_MS);
      }
      const arrivals = history.flatMap((one, index) =>
        'arrives' in one ? [`${String(index)},`] : [],
      );
      expect(names().join('')).toBe(arrivals.join(''));
      for (const name of arrivals) expect(outcomes.get(name)).toBe('answered');
      for (const { domains } of sent) expect(domains.length).toBeLessThanOrEqual(room);
      expect(activeQueueCount()).toBe(0);
    }),
    { numRuns: 60 },
  );
});
