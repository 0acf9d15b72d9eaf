/** Tests that runs with shared requests get the same results as alone. */
import fc from 'fast-check';

import * as errors from '../../../../src/client/errors';
import { activeQueueCount } from '../../../../src/run/coalescing/coalesce';
import type { CoalescedLookup } from '../../../../src/run/coalescing/coalesced-request';
import { failureOf } from '../../client/support/client';
import { answerFor, domainsOf, exhausted, rejection, tooLarge } from '../support/batch-service';
import { outcomeOf, SharedService, turns, type Reply } from './support';

const text = { message: 'No', hint: '-' };

afterEach(async () => {
  await turns(10);
  expect(activeQueueCount()).toBe(0);
});

it('sends two lookups of the same company once and returns separate rows', async () => {
  const service = new SharedService(answerFor);
  const [one, other] = await Promise.all([service.lookUp(['a.com']), service.lookUp(['a.com'])]);

  expect(service.requests).toEqual([['a.com']]);
  expect(one.rows).toEqual(other.rows);
  expect(one.rows.get('a.com')).not.toBe(other.rows.get('a.com'));
});

it("reports unexpected types in a participant's rows to that participant only", async () => {
  const odd = { field: 'slug', problem: 'odd' };
  const service = new SharedService((domains) => ({
    ...answerFor(domains),
    schemaMismatches: [odd],
    inspect: (rows) => (rows.some(({ domain }) => domain === 'odd.com') ? [odd] : []),
  }));
  const answers = await Promise.all([service.lookUp(['odd.com']), service.lookUp(['fine.com'])]);

  expect(answers.map(({ schemaMismatches }) => schemaMismatches)).toEqual([[odd], []]);
});

it('returns its rows and rejected domains to each participant, unrequested rows to one', async () => {
  const row = { domain: 'extra.com' };
  const service = new SharedService((domains) => ({
    ...answerFor(domains.filter((domain) => domain !== 'bad.com')),
    rejected: new Set(['bad.com']),
    schemaMismatches: [{ field: 'slug', problem: 'odd' }],
    unrequestedRows: [row],
  }));
  const answers = await Promise.all([
    service.lookUp(['a.com', 'bad.com']),
    service.lookUp(['b.com', 'c.com', 'd.com']),
  ]);

  expect(answers.map(({ rows, rejected }) => [[...rows.keys()], [...rejected]])).toEqual([
    [['a.com'], ['bad.com']],
    [['b.com', 'c.com', 'd.com'], []],
  ]);
  expect(answers.map(({ unrequestedRows, share }) => [unrequestedRows, share])).toEqual([
    [[row], 2 / 5],
    [[], 3 / 5],
  ]);
  // Without a schema check per row, every run gets all mismatches.
  for (const { schemaMismatches } of answers) expect(schemaMismatches).toHaveLength(1);
});

it("requests a participant's domains again if the shared response omits one of them", async () => {
  let requests = 0;
  const service = new SharedService((domains) => {
    requests += 1;
    return answerFor(requests === 1 ? domains.filter((domain) => domain !== 'b.com') : domains);
  });
  const [both] = await Promise.all([service.lookUp(['a.com', 'b.com']), service.lookUp(['c.com'])]);

  expect([...both.rows.keys()]).toEqual(['a.com', 'b.com']);
  expect(service.requests).toEqual([
    ['a.com', 'b.com', 'c.com'],
    ['a.com', 'b.com'],
  ]);
});

describe('when credits run out', () => {
  it('rejects every participant without another request if no credits are left', async () => {
    const service = new SharedService((domains) => exhausted(domains.length, domains.length));
    const failures = await Promise.all(
      domainsOf(1_000).map(async (domain) => await failureOf(service.lookUp([domain]))),
    );

    expect(service.requests).toHaveLength(10);
    for (const failure of failures) {
      expect(failure.message).toBe(
        'Not enough credits: the request needs 1 credit, 1 more than you have',
      );
    }
  });

  it('sends ever smaller requests, then rejects all participants, whatever the refusals say', async () => {
    const figure = fc.oneof(fc.nat(60), fc.constantFrom(0, 1, 2 ** 53, 1e300));
    const figures = fc.array(fc.tuple(figure, figure), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 30 }), figures, async (count, said) => {
        let refusals = 0;
        const service = new SharedService(() => {
          const [requested, shortfall] = said[refusals % said.length]!;
          refusals += 1;
          return exhausted(requested, shortfall);
        });
        const outcomes = await service.lookUpEach(domainsOf(count));

        expect(new Set(outcomes.map((one) => 'error' in one && one.error))).toEqual(
          new Set(['credit_exhausted']),
        );
        const sizes = service.requests.map(({ length }) => length);
        expect(sizes).toEqual([...new Set(sizes)].sort((one, other) => other - one));
      }),
      { numRuns: 40, examples: [[4, [[4, 0]]]] },
    );
  });
});

it.each<[string, errors.ServiceError]>([
  [
    '401',
    new errors.AuthenticationError({ code: 'x', ...text, status: 401, details: { more: {} } }),
  ],
  ['403', new errors.ForbiddenError({ code: 'x', ...text, status: 403 })],
  ['404 for the endpoint', new errors.NotFoundError({ code: 'x', ...text, status: 404 })],
  ['429', new errors.RateLimitError({ code: 'x', ...text, status: 429 })],
  ['a failed connection', new errors.ConnectionError({ code: 'connection_failed', ...text })],
])('rejects each participant separately and without a retry after %s', async (_what, error) => {
  const service = new SharedService(() => error);
  const failures = await Promise.all(
    domainsOf(20).map(async (domain) => await failureOf(service.lookUp([domain]))),
  );

  expect(service.requests).toHaveLength(1);
  expect(new Set(failures).size).toBe(20);
  const details = failures.map((failure) => ('details' in failure ? failure.details : undefined));
  expect(new Set(details).size).toBe(20);
  for (const failure of failures) {
    expect([failure.name, failure.message]).toEqual([error.name, error.message]);
  }
});

describe('when a participant is stopped', () => {
  it('sends nothing if it was stopped before', async () => {
    const service = new SharedService(answerFor);
    const outcomes = await service.lookUpEach(['a.com'], { signal: AbortSignal.abort() });
    expect([outcomes, service.requests]).toEqual([[{ error: 'cancelled' }], []]);
  });

  it('omits its domains from a request that is not sent yet', async () => {
    const stop = new AbortController();
    const service = new SharedService(answerFor);
    const stopped = failureOf(service.lookUp(['stopped.com'], { signal: stop.signal }));
    const other = service.lookUp(['other.com']);
    stop.abort();

    expect(await stopped).toBeInstanceOf(errors.CancelledError);
    expect((await other).rows.size).toBe(1);
    expect(service.requests).toEqual([['other.com']]);
  });

  it('aborts the request if no participant is left', async () => {
    const stop = new AbortController();
    const service = new SharedService(answerFor);
    let ended = false;
    const send: CoalescedLookup['send'] = async (_all, { signal }) =>
      await new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          ended = true;
          reject(new errors.CancelledError());
        });
      });
    const outcomes = service.lookUpEach(['a.com', 'b.com'], { signal: stop.signal, send });
    stop.abort();
    expect(await outcomes).toEqual([{ error: 'cancelled' }, { error: 'cancelled' }]);
    expect(ended).toBe(true);
  });

  it('rejects it with the reason of its own run, and only it', async () => {
    const reason = new errors.NotAttemptedError({ code: 'not_attempted', ...text });
    const service = new SharedService(answerFor);
    const assertMaySend = () => {
      throw reason;
    };
    const [stopped, other] = await Promise.all([
      failureOf(service.lookUp(['stopped.com'], { assertMaySend })),
      service.lookUp(['other.com']),
    ]);

    expect(stopped).toBe(reason);
    expect([other.rows.size, service.requests]).toEqual([1, [['other.com']]]);
  });
});

it('passes warnings to all participants', async () => {
  const warnings: string[] = [];
  const service = new SharedService(answerFor);
  await Promise.all(
    ['a', 'b'].map(async (name) => {
      await service.lookUp([`${name}.com`], {
        warn: (message) => warnings.push(`${name}: ${message}`),
        send: async (all, { beforeSend, warn }) => {
          await turns(1);
          beforeSend();
          warn('Redis is away');
          return answerFor(all);
        },
      });
    }),
  );

  expect(warnings).toEqual(['a: Redis is away', 'b: Redis is away']);
});

/** Returns the digit of a domain name that decides the domain's outcome. */
const fate = (domain: string): number => Number(/\d+/.exec(domain)?.[0]) % 10;

it('returns what each participant would get alone, whenever any of them joins or stops', async () => {
  const participant = fc.record({
    domains: fc.uniqueArray(fc.nat(59), { minLength: 1, maxLength: 4 }),
    joins: fc.nat(12),
    stops: fc.option(fc.nat(20), { nil: undefined, freq: 4 }),
  });
  const scenarios = fc.record({
    participants: fc.array(participant, { minLength: 1, maxLength: 25 }),
    capacity: fc.integer({ min: 4, max: 40 }),
    ceiling: fc.integer({ min: 4, max: 40 }),
    latencies: fc.array(fc.nat(9), { minLength: 1, maxLength: 5 }),
    bad: fc.constantFrom('http_422', 'invalid_domain', 'http_409'),
    everything: fc.constantFrom('right', 'right', 'right', 'refused'),
  });
  await fc.assert(
    fc.asyncProperty(
      scenarios,
      async ({ participants, capacity, ceiling, latencies, ...given }) => {
        const reply: Reply = (domains) => {
          if (given.everything === 'refused') return rejection();
          if (domains.length > ceiling) return tooLarge();
          if (domains.some((domain) => fate(domain) === 7)) return rejection(given.bad);
          return {
            ...answerFor(domains.filter((domain) => fate(domain) < 5)),
            rejected: new Set(domains.filter((domain) => fate(domain) === 5)),
          };
        };
        const service = new SharedService(
          reply,
          (request) => latencies[request % latencies.length] ?? 0,
        );
        const outcomes = await Promise.all(
          participants.map(async ({ domains: numbers, joins, stops }) => {
            const stop = new AbortController();
            await turns(joins);
            if (stops !== undefined) {
              void turns(stops).then(() => {
                stop.abort();
              });
            }
            const domains = numbers.map((number) => `company-${number}.com`);
            const { signal } = stop;
            const lookUp = service.lookUp(domains, { signal, capacity: () => capacity });
            return { outcome: await outcomeOf(lookUp), domains, stopped: signal.aborted };
          }),
        );

        for (const { outcome, domains, stopped } of outcomes) {
          if (stopped && 'error' in outcome && outcome.error === 'cancelled') continue;
          const alone = new SharedService(reply);
          expect(outcome).toEqual(await outcomeOf(alone.lookUp(domains)));
        }
        for (const request of service.requests) {
          expect(request.length).toBeLessThanOrEqual(capacity);
          expect(new Set(request).size).toBe(request.length);
        }
        // Worst case: halved requests, and new requests for overlooked runs.
        expect(service.requests.length).toBeLessThanOrEqual(3 * participants.length);
      },
    ),
    { numRuns: 200 },
  );
}, 60_000);

it('rejects a participant that joins while an unsent request fails', async () => {
  const refused = new errors.NotAttemptedError({ code: 'limit', ...text });
  const service = new SharedService(answerFor);
  const late = async (microtasks: number) => {
    let refuse: () => void = () => undefined;
    const send = async () =>
      await new Promise<never>((_resolve, reject) => {
        refuse = () => {
          reject(refused);
        };
      });
    const first = service.lookUp(['a.com'], { send });
    refuse();
    for (let task = 0; task < microtasks; task += 1) await Promise.resolve();
    const second = service.lookUp(['b.com'], { send: async () => await Promise.reject(refused) });
    return await Promise.allSettled([first, second]);
  };
  for (let microtasks = 0; microtasks < 40; microtasks += 1) {
    const outcomes = await late(microtasks);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  }
});

it('learns no size limit if requests of the same size succeed after a rejection', async () => {
  const learned: number[] = [];
  let refusals = 1;
  const service = new SharedService((domains) => {
    refusals -= 1;
    return refusals < 0 ? answerFor(domains) : rejection();
  });
  const outcomes = await service.lookUpEach(['a.com', 'a.com'], {
    learn: (size) => learned.push(size),
  });

  expect(outcomes.filter((one) => 'error' in one)).toEqual([]);
  expect(service.requests).toEqual([['a.com'], ['a.com'], ['a.com']]);
  expect(learned).toEqual([]);
});
