/** Tests that runs with shared requests get the same results as alone. */
import fc from 'fast-check';

import {
  AuthenticationError,
  CancelledError,
  ConnectionError,
  ForbiddenError,
  NotAttemptedError,
  NotFoundError,
  RateLimitError,
  ServerError,
  UnprocessableError,
  type ServiceError,
} from '../../../../src/client/errors';
import { activeQueueCount } from '../../../../src/run/coalescing/coalesce';
import { failureOf } from '../../client/support/client';
import { answerFor, domainsOf, exhausted, serverError, tooLarge } from '../support/batch-service';
import { outcomeOf, SharedService, turns, type Reply } from './support';

const words = { message: 'No', hint: '-' };
const refusal = (code = 'http_422') => new UnprocessableError({ code, ...words, status: 422 });

afterEach(async () => {
  await turns(10);
  expect(activeQueueCount()).toBe(0);
});

it('sends two lookups of the same company once and returns separate rows', async () => {
  const service = new SharedService(answerFor);
  const [one, other] = await Promise.all([service.ask(['a.com']), service.ask(['a.com'])]);

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
  const answers = await Promise.all([service.ask(['odd.com']), service.ask(['fine.com'])]);

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
    service.ask(['a.com', 'bad.com']),
    service.ask(['b.com', 'c.com', 'd.com']),
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
  const [both] = await Promise.all([service.ask(['a.com', 'b.com']), service.ask(['c.com'])]);

  expect([...both.rows.keys()]).toEqual(['a.com', 'b.com']);
  expect(service.requests).toEqual([
    ['a.com', 'b.com', 'c.com'],
    ['a.com', 'b.com'],
  ]);
});

describe('when credits run out', () => {
  it('looks up as many domains as the remaining credits cover, with one more request', async () => {
    let balance = 25;
    const service = new SharedService((domains) => {
      const missing = domains.length - balance;
      if (missing > 0) return exhausted(domains.length, missing);
      balance -= domains.length;
      return answerFor(domains);
    });
    const outcomes = await Promise.all(
      domainsOf(60).map(async (domain) => await outcomeOf(service.ask([domain]))),
    );

    expect(outcomes.filter((one) => !('error' in one))).toHaveLength(25);
    expect(service.requests).toHaveLength(2);
  });

  it('rejects every participant without another request if no credits are left', async () => {
    const service = new SharedService((domains) => exhausted(domains.length, domains.length));
    const failures = await Promise.all(
      domainsOf(1_000).map(async (domain) => await failureOf(service.ask([domain]))),
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
        const outcomes = await Promise.all(
          domainsOf(count).map(async (domain) => await outcomeOf(service.ask([domain]))),
        );

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

describe('when the service rejects a request', () => {
  it('learns no size limit if the rejected participant has been stopped', async () => {
    const stop = new AbortController();
    const learned: number[] = [];
    const service = new SharedService((domains) => {
      if (!domains.includes('bad.com')) return answerFor(domains);
      stop.abort();
      return refusal();
    });
    const learn = (size: number) => learned.push(size);
    const bad = outcomeOf(service.ask(['bad.com'], { signal: stop.signal, learn }));
    await Promise.all(domainsOf(4).map(async (domain) => await service.ask([domain], { learn })));

    expect([await bad, learned]).toEqual([{ error: 'cancelled' }, []]);
  });

  it('rejects all 100 participants after up to 25 requests if no domain is accepted', async () => {
    const service = new SharedService(() => refusal());
    const outcomes = await Promise.all(
      domainsOf(100).map(async (domain) => await outcomeOf(service.ask([domain]))),
    );

    expect(outcomes).toEqual(outcomes.map(() => ({ error: 'http_422' })));
    expect(service.requests.length).toBeLessThanOrEqual(25);
  });

  it('does not retry a single lookup', async () => {
    const service = new SharedService(() => refusal());
    expect(await outcomeOf(service.ask(['a.com', 'b.com']))).toEqual({ error: 'http_422' });
    expect(service.requests).toHaveLength(1);
  });
});

it.each<[string, ServiceError]>([
  ['401', new AuthenticationError({ code: 'x', ...words, status: 401, details: { more: {} } })],
  ['403', new ForbiddenError({ code: 'x', ...words, status: 403 })],
  ['404 for the endpoint', new NotFoundError({ code: 'x', ...words, status: 404 })],
  ['429', new RateLimitError({ code: 'x', ...words, status: 429 })],
  ['a failed connection', new ConnectionError({ code: 'connection_failed', ...words })],
])('rejects each participant separately and without a retry after %s', async (_what, error) => {
  const service = new SharedService(() => error);
  const failures = await Promise.all(
    domainsOf(20).map(async (domain) => await failureOf(service.ask([domain]))),
  );

  expect(service.requests).toHaveLength(1);
  expect(new Set(failures).size).toBe(20);
  const details = failures.map((failure) => ('details' in failure ? failure.details : undefined));
  expect(new Set(details).size).toBe(20);
  for (const failure of failures) {
    expect([failure.name, failure.message]).toEqual([error.name, error.message]);
  }
});

describe('when the service fails on all domains', () => {
  it('sends a few more requests, not one per participant', async () => {
    const service = new SharedService(() => serverError());
    const failures = await Promise.all(
      domainsOf(20).map(async (domain) => await failureOf(service.ask([domain]))),
    );

    // The full request, five parts of it, and the full request again with a longer timeout.
    expect(service.requests.map(({ length }) => length)).toEqual([20, 4, 4, 4, 4, 4, 20]);
    for (const failure of failures) expect(failure).toBeInstanceOf(ServerError);
  });
});

it('requests a participant alone if the shared response omits it', async () => {
  const service = new SharedService((domains) => answerFor(domains.slice(0, 2)));
  const outcomes = await Promise.all(
    domainsOf(4).map(async (domain) => await service.ask([domain])),
  );

  expect(outcomes.every(({ rows }) => rows.size === 1)).toBe(true);
  expect(service.requests.map(({ length }) => length)).toEqual([4, 1, 1]);
});

describe('when a participant is stopped', () => {
  it('omits its domains from a request that is not sent yet', async () => {
    const stop = new AbortController();
    const service = new SharedService(answerFor);
    const stopped = failureOf(service.ask(['stopped.com'], { signal: stop.signal }));
    const other = service.ask(['other.com']);
    stop.abort();

    expect(await stopped).toBeInstanceOf(CancelledError);
    expect((await other).rows.size).toBe(1);
    expect(service.requests).toEqual([['other.com']]);
  });

  it('aborts the request if no participant is left', async () => {
    const stop = new AbortController();
    let ended = false;
    const service = new SharedService(answerFor);
    const both = ['a.com', 'b.com'].map(
      async (domain) =>
        await failureOf(
          service.ask([domain], {
            signal: stop.signal,
            send: async (_all, { signal }) =>
              await new Promise((_resolve, reject) => {
                signal.addEventListener('abort', () => {
                  ended = true;
                  reject(new CancelledError());
                });
              }),
          }),
        ),
    );
    stop.abort();
    for (const failure of await Promise.all(both)) expect(failure).toBeInstanceOf(CancelledError);
    expect(ended).toBe(true);
  });

  it('rejects it with the reason of its own run, and only it', async () => {
    const reason = new NotAttemptedError({ code: 'not_attempted', ...words });
    const service = new SharedService(answerFor);
    const mayGo = () => {
      throw reason;
    };
    const [stopped, other] = await Promise.all([
      failureOf(service.ask(['stopped.com'], { assertMaySend: mayGo })),
      service.ask(['other.com']),
    ]);

    expect(stopped).toBe(reason);
    expect([other.rows.size, service.requests]).toEqual([1, [['other.com']]]);
  });
});

it('passes warnings to all participants', async () => {
  const told: string[] = [];
  const service = new SharedService(answerFor);
  await Promise.all(
    ['a', 'b'].map(async (name) => {
      await service.ask([`${name}.com`], {
        warn: (message) => told.push(`${name}: ${message}`),
        send: async (all, { beforeSend, warn }) => {
          await turns(1);
          beforeSend();
          warn('Redis is away');
          return answerFor(all);
        },
      });
    }),
  );

  expect(told).toEqual(['a: Redis is away', 'b: Redis is away']);
});

/** Returns the digit of a domain name that decides the domain's outcome. */
const fate = (domain: string): number => Number(/\d+/.exec(domain)?.[0]) % 10;

it('returns what each participant would get alone, whenever any of them joins or stops', async () => {
  const asker = fc.record({
    domains: fc.uniqueArray(fc.nat(59), { minLength: 1, maxLength: 4 }),
    comes: fc.nat(12),
    stops: fc.option(fc.nat(20), { nil: undefined, freq: 4 }),
  });
  const world = fc.record({
    askers: fc.array(asker, { minLength: 1, maxLength: 25 }),
    room: fc.integer({ min: 4, max: 40 }),
    ceiling: fc.integer({ min: 4, max: 40 }),
    latencies: fc.array(fc.nat(9), { minLength: 1, maxLength: 5 }),
    bad: fc.constantFrom('http_422', 'invalid_domain', 'http_409'),
    everything: fc.constantFrom('right', 'right', 'right', 'refused'),
  });
  await fc.assert(
    fc.asyncProperty(world, async ({ askers, room, ceiling, latencies, bad, everything }) => {
      const reply: Reply = (domains) => {
        if (everything === 'refused') return refusal();
        if (domains.length > ceiling) return tooLarge();
        if (domains.some((domain) => fate(domain) === 7)) return refusal(bad);
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
        askers.map(async ({ domains: numbers, comes, stops }) => {
          const stop = new AbortController();
          await turns(comes);
          if (stops !== undefined) {
            void turns(stops).then(() => {
              stop.abort();
            });
          }
          const domains = numbers.map((number) => `company-${number}.com`);
          const ask = service.ask(domains, { signal: stop.signal, capacity: () => room });
          return { outcome: await outcomeOf(ask), domains, stopped: stop.signal.aborted };
        }),
      );

      for (const { outcome, domains, stopped } of outcomes) {
        if (stopped && 'error' in outcome && outcome.error === 'cancelled') continue;
        const alone = new SharedService(reply);
        expect(outcome).toEqual(await outcomeOf(alone.ask(domains)));
      }
      for (const request of service.requests) {
        expect(request.length).toBeLessThanOrEqual(room);
        expect(new Set(request).size).toBe(request.length);
      }
      // Worst case: halved requests, and new requests for overlooked runs.
      expect(service.requests.length).toBeLessThanOrEqual(3 * askers.length);
    }),
    { numRuns: 200 },
  );
}, 60_000);

it('rejects a participant that joins while an unsent request fails', async () => {
  const refused = new NotAttemptedError({ code: 'limit', ...words });
  const service = new SharedService(answerFor);
  const late = async (microtasks: number) => {
    let refuse: () => void = () => undefined;
    const send = async () =>
      await new Promise<never>((_resolve, reject) => {
        refuse = () => {
          reject(refused);
        };
      });
    const first = service.ask(['a.com'], { send });
    refuse();
    for (let task = 0; task < microtasks; task += 1) await Promise.resolve();
    const second = service.ask(['b.com'], { send: async () => await Promise.reject(refused) });
    return await Promise.allSettled([first, second]);
  };
  for (let microtasks = 0; microtasks < 40; microtasks += 1) {
    const outcomes = await late(microtasks);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  }
});

it('sends nothing for a participant that is already stopped', async () => {
  const service = new SharedService(answerFor);
  await expect(service.ask(['a.com'], { signal: AbortSignal.abort() })).rejects.toThrow(
    CancelledError,
  );
  expect(service.requests).toEqual([]);
});

it('learns no size limit if requests of the same size succeed after a rejection', async () => {
  const learned: number[] = [];
  let refusals = 1;
  const service = new SharedService((domains) => {
    refusals -= 1;
    return refusals < 0 ? answerFor(domains) : refusal();
  });
  const ask = async () =>
    await service.ask(['a.com'], { learn: (size) => void learned.push(size) });
  await Promise.all([ask(), ask()]);

  expect(service.requests).toEqual([['a.com'], ['a.com'], ['a.com']]);
  expect(learned).toEqual([]);
});
