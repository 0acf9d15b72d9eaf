/** Tests runs of real clients that share requests to a real server: each gets what it would get alone. */
import fc from 'fast-check';

import { lookUpCompanies } from '../../../../src/service/companies';
import { api } from '../../../../src/service/endpoints';
import { enrichPartnerships } from '../../../../src/service/enrichment';
import { Client } from '../../../../src/client/client';
import {
  type CreditExhaustedError,
  NotAttemptedError,
  type ServiceError,
} from '../../../../src/client/errors';
import type { ClientSettings, Timing } from '../../../../src/client/settings';
import type { BatchResponse } from '../../../../src/run/responses/batch-response';
import { CircuitBreaker } from '../../../../src/run/run-guards';
import { activeQueueCount } from '../../../../src/run/coalescing';
import { Run } from '../../../../src/run/run';
import { settingsFor } from '../../client/support/client';
import {
  inTurn,
  json,
  TestService,
  type Answering,
  type Received,
} from '../../client/support/service';
import { QUICK, until } from '../../client/support/timing';
import {
  createFaultyReply,
  domainsOf,
  formatRequests,
  ones,
  tally,
  type BatchFaults,
} from '../support/batch-service';

afterEach(async () => {
  await TestService.stopAll();
  expect(activeQueueCount()).toBe(0);
});

const domainsIn = ({ body }: Received): string[] =>
  (JSON.parse(body) as { domains: string[] }).domains;

const answered: Answering = (request, response) => {
  const rows = domainsIn(request).map((domain) => ({ domain, status: 'tracked' }));
  json({ data: rows, results: rows })(request, response);
};

/** How a run looks up domains; of several runs, only equal ones share requests. */
interface Lookup {
  readonly settings: ClientSettings;
  readonly timing?: Partial<Timing>;
  readonly breaker?: CircuitBreaker;
  readonly signal?: AbortSignal;
  readonly wanted?: string;
  readonly endpoint?: string;
  readonly request?: (run: Run, batch: readonly string[]) => Promise<BatchResponse>;
}

/** Looks up domains in a run of its own, and returns the outcomes and the statistics of the run. */
async function lookUp(
  domains: readonly string[],
  {
    settings,
    timing,
    wanted = '',
    endpoint = api.bulkLookup.path,
    request = async (part, batch) => await lookUpCompanies(part, batch, []),
    ...given
  }: Lookup,
) {
  const client = Client.open(settings, { ...QUICK, ...timing });
  const run = new Run(client, Infinity, given);
  const job = { domains, endpoint, request, creditsOf: () => 1, wanted };
  const { outcomes, requests } = await run.requestBatches(job);
  return { outcomes, requests, kinds: tally(outcomes), stats: run.stats };
}

/** Starts a service, and returns functions that look up domains there in runs of their own. */
async function start(answering: Answering, timing: Partial<Timing> = {}) {
  const service = await TestService.start(answering);
  const settings = settingsFor(service);
  const ask = async (domains: readonly string[], change: Partial<Lookup> = {}) =>
    await lookUp(domains, { settings, timing, ...change });
  return {
    service,
    settings,
    ask,
    askEach: async (domains: readonly string[], change?: Partial<Lookup>) =>
      await Promise.all(domains.map(async (domain) => await ask([domain], change))),
    requests: () => service.received.map(domainsIn),
    sizes: () => service.received.map((request) => domainsIn(request).length),
  };
}

const FOUND = { row: 1 };

// --- What is requested ---------------------------------------------------------------------------

/** Number of domains of each run, and the faults of the service. */
interface Given extends BatchFaults {
  readonly runs: readonly number[];
}

/** Returns the requests of simultaneous runs, and the outcomes of all domains. */
async function share({ runs, ...faults }: Given): Promise<string> {
  const all = domainsOf(runs.reduce((sum, size) => sum + size, 0));
  const reply = createFaultyReply(all, faults);
  const { ask, sizes, service } = await start((request, response) => {
    try {
      json({ data: [...reply(domainsIn(request)).rows.values()] })(request, response);
    } catch (error) {
      const { code, status = 500, message } = error as ServiceError;
      const { requested, shortfall } = error as CreditExhaustedError;
      json({ error: code, message, requested, shortfall }, status)(request, response);
    }
  });
  let at = 0;
  const reports = await Promise.all(
    runs.map(async (size) => await ask(all.slice(at, (at += size)))),
  );
  await service.stop();
  const outcomes = new Map(reports.flatMap((report) => [...report.outcomes]));
  expect([...outcomes.keys()]).toEqual(all);
  // Each run counts its fraction of each request.
  const counted = reports.reduce((sum, { requests }) => sum + requests, 0);
  expect(counted).toBeCloseTo(sizes().length);
  const kinds = new Map(
    [...outcomes].map(([domain, outcome]) => {
      const isMarked = outcome.kind === 'failed' && outcome.error.earlierAttemptUnconfirmed;
      const name = outcome.kind === 'failed' ? outcome.error.code : outcome.kind;
      return [domain, { kind: isMarked ? `${name}(unconfirmed)` : name }];
    }),
  );
  return formatRequests(sizes().map(String), tally(kinds));
}

it.each<[given: Given, outcome: string]>([
  [{ runs: [1] }, '1 → row 1'],
  [{ runs: [1, 1, 1] }, '3 → row 3'],
  [{ runs: [40, 50, 20] }, '90 20 → row 110'],
  [{ runs: ones(150) }, '100 50 → row 150'],
  // Whatever the service rejects, fails on or hangs on: after one shared request, each sends its own.
  [{ runs: ones(8), largest: 4 }, '8 8×1 → row 8'],
  [{ runs: ones(8), rejected: [3] }, '8 8×1 → http_422 1 row 7'],
  [{ runs: ones(8), rejected: [3], refusal: '422' }, '8 8×1 → http_422 1 row 7'],
  // A failed request of its own is sent four times.
  [{ runs: ones(3), broken: [1] }, '3 6×1 → http_500(unconfirmed) 1 row 2'],
  [{ runs: ones(3), outage: 1 }, '3 3×1 → row 3'],
  [{ runs: ones(2), outage: 30 }, '2 8×1 → http_500(unconfirmed) 2'],
  // Credits go to as many runs as they cover.
  [{ runs: ones(8), balance: 0 }, '8 → credit_exhausted 8'],
  [{ runs: ones(8), balance: 3 }, '8 3 → credit_exhausted 5 row 3'],
  [{ runs: [4, 4, 2], balance: 6 }, '10 6 → credit_exhausted 4 row 6'],
  [{ runs: [4, 4, 4], balance: 3 }, '12 → credit_exhausted 12'],
])('sends the expected requests for %j', async (given, outcome) => {
  expect(await share(given)).toBe(outcome);
});

it('sends ever smaller requests when credits run out, whatever the refusals say', async () => {
  const figure = fc.oneof(fc.nat(60), fc.constantFrom(0, 1, 2 ** 50, 1e300));
  const figures = fc.array(fc.tuple(figure, figure), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 2, max: 20 }), figures, async (count, said) => {
      let refusals = 0;
      const { service, askEach, sizes } = await start((request, response) => {
        const [requested, shortfall] = said[refusals % said.length]!;
        refusals += 1;
        json({ error: 'credit_exhausted', requested, shortfall }, 402)(request, response);
      });
      const reports = await askEach(domainsOf(count));
      await service.stop();

      expect(reports.map(({ kinds }) => kinds)).toEqual(
        reports.map(() => ({ credit_exhausted: 1 })),
      );
      expect(sizes()).toEqual([...new Set(sizes())].sort((one, other) => other - one));
    }),
    { numRuns: 15, examples: [[4, [[4, 0]]]] },
  );
});

it.each([401, 403, 429])(
  'fails all runs after one request when the answer is %d',
  async (status) => {
    const headers = { 'retry-after': '86400' };
    const { askEach, sizes } = await start(json({ error: 'x', message: 'No' }, status, headers));
    const reports = await askEach(domainsOf(20));
    const errors = reports.flatMap(({ outcomes }) => [...outcomes.values()]);
    const details = errors.map((one) => (one.kind === 'failed' ? one.error.details : undefined));

    expect(sizes()).toEqual([20]);
    expect(new Set(details).size).toBe(20);
  },
);

it('sends all lookups that arrive during a rate limit wait in one request', async () => {
  const limited = json({ error: 'operational_rate_limit_exceeded' }, 429, { 'retry-after': '1' });
  const { service, ask, askEach, sizes } = await start(inTurn(limited, answered));
  const first = ask(['first.com']);
  await until(() => service.received.length === 1);
  const reports = [...(await askEach(domainsOf(30))), await first];

  expect(reports.map(({ kinds }) => kinds)).toEqual(reports.map(() => FOUND));
  expect(sizes()).toEqual([1, 1, 30]);
});

it('costs other runs one short timeout when the service hangs on one of them', async () => {
  const timing = { requestTimeoutMs: 900, briefTimeoutMs: 300 };
  const { ask, askEach, sizes } = await start((request, response) => {
    if (!domainsIn(request).includes('hangs.com')) answered(request, response);
  }, timing);
  const ended: string[] = [];
  const hangs = ask(['hangs.com']).finally(() => ended.push('hangs'));
  const others = askEach(domainsOf(29)).finally(() => ended.push('others'));

  expect((await others).map(({ kinds }) => kinds)).toEqual(domainsOf(29).map(() => FOUND));
  await hangs;
  expect(ended).toEqual(['others', 'hangs']);
  expect((await hangs).kinds).toEqual({ no_answer: 1 });
  expect((await hangs).stats.unconfirmed).toBe(1);
  expect(sizes()).toEqual([30, ...ones(33)]);
});

// --- Who shares ----------------------------------------------------------------------------------

it('sends the domains of simultaneous runs in one request per endpoint', async () => {
  const { askEach, requests } = await start(answered);
  const domains = ['a.com', 'b.com', 'c.com'];
  const endpoints = [{}, { endpoint: api.enrichment.path, request: enrichPartnerships }];
  const reports = await Promise.all(
    endpoints.map(async (endpoint) => await askEach(domains, endpoint)),
  );

  expect(requests()).toEqual([domains, domains]);
  expect(reports.flat().flatMap(({ outcomes }) => [...outcomes.keys()])).toEqual([
    ...domains,
    ...domains,
  ]);
});

it('sends two lookups of the same company once and returns separate rows', async () => {
  const { askEach, requests } = await start(answered);
  const [one, other] = await askEach(['a.com', 'a.com']);
  const rows = [one, other].map((report) => {
    const outcome = report?.outcomes.get('a.com');
    return outcome?.kind === 'row' ? outcome.row : undefined;
  });

  expect(requests()).toEqual([['a.com']]);
  expect(rows[0]).toMatchObject({ domain: 'a.com' });
  expect(rows[0]).toEqual(rows[1]);
  expect(rows[0]).not.toBe(rows[1]);
});

it('shares no request across keys, services, limits, timeouts or sections', async () => {
  const elsewhere = await TestService.start(answered);
  const { settings, ask, requests } = await start(answered);
  const kinds: Array<Partial<Lookup>> = [
    {},
    { wanted: 'technologies' },
    { settings: { ...settings, apiKey: 'ci_another_key' } },
    { settings: { ...settings, baseUrl: elsewhere.baseUrl } },
    { settings: { ...settings, requestsPerMinute: 599 } },
    { timing: { requestTimeoutMs: 2_999 } },
  ];
  const all = [...kinds, ...kinds];
  await Promise.all(all.map(async (kind, index) => await ask([`company-${index}.com`], kind)));

  const seen = [...requests(), ...elsewhere.received.map(domainsIn)];
  for (const [one = '', other = ''] of seen) {
    const numberOf = (domain: string) => Number(/\d+/.exec(domain)?.[0]);
    if (other !== '') expect(numberOf(other) - numberOf(one)).toBe(kinds.length);
  }
  expect(seen.flat()).toHaveLength(all.length);
  expect(elsewhere.received.flatMap(domainsIn)).toEqual(['company-3.com', 'company-9.com']);
});

it.each<[string, (stop: AbortController, breaker: CircuitBreaker) => void, unknown]>([
  [
    'its circuit breaker is open',
    (_stop, breaker) => breaker.trip(new Error('another batch failed')),
    [{ kind: 'failed', error: expect.any(NotAttemptedError) }],
  ],
  ['it is stopped', (stop) => stop.abort(), 'cancelled'],
])('requests nothing for a run when %s, and serves the others', async (_when, end, expected) => {
  const { ask, requests } = await start(answered);
  const [stop, breaker] = [new AbortController(), new CircuitBreaker()];
  const ended = ask(['ended.com'], { breaker, signal: stop.signal }).then(
    ({ outcomes }) => [...outcomes.values()],
    (error: unknown) => (error as ServiceError).code,
  );
  const other = ask(['other.com']);
  end(stop, breaker);

  expect(await ended).toEqual(expected);
  expect((await other).kinds).toEqual(FOUND);
  expect(requests()).toEqual([['other.com']]);
});

it('does not fail other lookups while it splits a rejected batch', async () => {
  const { service, ask } = await start((request, response) => {
    if (!domainsIn(request).includes('bad.com')) answered(request, response);
    else json({ message: 'No' }, 422)(request, response);
  });
  const many = ask(['bad.com', 'a.com', 'b.com', 'c.com']);
  await until(() => service.received.length >= 1);
  const other = await ask(['lead.com']);

  expect([(await many).kinds, other.kinds]).toEqual([{ row: 3, http_422: 1 }, FOUND]);
});

// --- What each run counts ------------------------------------------------------------------------

it("counts each run's own credits and its share of each attempt", async () => {
  const busy = json({ error: 'oops' }, 503, { 'retry-after': '1' });
  const { askEach, sizes } = await start(inTurn(busy, answered));
  const runs = await askEach(domainsOf(4));

  expect(sizes()).toHaveLength(2);
  for (const { stats } of runs) {
    expect(stats).toMatchObject({ requests: 0.5, creditsAtMost: 1, lookedUp: 1, tracked: 1 });
  }
});

it('gives each run its own rejected domains and mismatches, and unrequested rows to one', async () => {
  const { service, ask, askEach, sizes } = await start((request, response) => {
    const domains = domainsIn(request).filter((domain) => domain !== 'bad.com');
    const others = domains.length === 1 ? [] : ['other.com', 'another.com'];
    const rows = [...domains, ...others].map((domain) => ({
      domain,
      status: domain === 'odd.com' ? 7 : 'tracked',
    }));
    setTimeout(() => {
      json({ data: rows, rejected_domains: ['bad.com'] })(request, response);
    }, 50);
  });
  const first = ask(['first.com']);
  await until(() => service.received.length === 1);
  const runs = await askEach(['a.com', 'odd.com', 'bad.com']);
  await first;

  expect(sizes()).toEqual([1, 3]);
  expect(runs.map(({ kinds }) => kinds)).toEqual([FOUND, FOUND, { rejected: 1 }]);
  expect(runs.map(({ stats }) => stats.creditsAtMost)).toEqual([3, 1, 0]);
});

it('counts a rejected lookup as possibly charged after a lost shared response', async () => {
  const { askEach } = await start((request, response) => {
    const domains = domainsIn(request);
    if (domains.length > 1) response.end('{"data": [');
    else if (domains[0] === 'bad.com') json({ message: 'No' }, 422)(request, response);
    else answered(request, response);
  });
  const runs = await askEach(['good.com', 'bad.com']);

  expect(runs.map(({ stats }) => stats)).toMatchObject([
    { creditsAtMost: 1, unconfirmed: 0, tracked: 1 },
    { creditsAtMost: 1, unconfirmed: 1, tracked: 0 },
  ]);
});
