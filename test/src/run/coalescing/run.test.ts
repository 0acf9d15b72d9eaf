import { lookUpCompanies, lookUpPartnerships } from '../../../../src/service/companies';
import { api } from '../../../../src/service/endpoints';
import { Client } from '../../../../src/client/client';
import { NotAttemptedError, type ServiceError } from '../../../../src/client/errors';
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

interface Lookup {
  readonly settings?: ClientSettings;
  readonly timing?: Partial<Timing>;
  readonly breaker?: CircuitBreaker;
  readonly signal?: AbortSignal;
  readonly wanted?: string;
  readonly endpoint?: string;
  readonly warn?: (message: string) => void;
  readonly request?: (run: Run, batch: readonly string[]) => Promise<BatchResponse>;
}

const lookUpRows = async (run: Run, batch: readonly string[]) =>
  await lookUpCompanies(run, batch, []);

async function start(answering: Answering, usualTiming: Partial<Timing> = {}) {
  const service = await TestService.start(answering);
  const usual = settingsFor(service);
  const ask = async (domains: readonly string[], lookup: Lookup = {}) => {
    const { settings = usual, timing = usualTiming, wanted = '', warn, ...given } = lookup;
    const { endpoint = api.bulkLookup.path, request = lookUpRows } = given;
    const run = new Run(Client.open(settings, { ...QUICK, ...timing }, warn), given);
    const job = { domains, endpoint, request, creditsOf: () => 1, wanted };
    const { outcomes, requests } = await run.requestBatches(job);
    return { outcomes, requests, kinds: tally(outcomes), stats: run.stats };
  };
  return {
    service,
    settings: usual,
    ask,
    askEach: async (domains: readonly string[], change?: Lookup) =>
      await Promise.all(domains.map(async (domain) => await ask([domain], change))),
    requests: () => service.received.map(domainsIn),
    sizes: () => service.received.map((request) => domainsIn(request).length),
  };
}

const FOUND = { row: 1 };

it('counts a lookup as possibly charged if its run ends between two attempts', async () => {
  const breaker = new CircuitBreaker();
  const { ask, sizes } = await start((request, response) => {
    breaker.trip(new Error('another batch failed'));
    json({}, 500)(request, response);
  });
  const { stats } = await ask(['a.example'], { breaker });
  expect(sizes()).toEqual([1]);
  expect(stats).toMatchObject({ creditsAtMost: 1, unconfirmed: 1 });
});

async function share(runs: readonly number[], faults: BatchFaults): Promise<string> {
  const all = domainsOf(runs.reduce((sum, size) => sum + size, 0));
  const reply = createFaultyReply(all, faults);
  const { ask, sizes, service } = await start((request, response) => {
    try {
      json({ data: [...reply(domainsIn(request)).rows.values()] })(request, response);
    } catch (error) {
      const { code, status = 500, message, details } = error as ServiceError;
      json({ error: code, message, ...details }, status)(request, response);
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

it.each<[runs: readonly number[], faults: BatchFaults, outcome: string]>([
  [[1], {}, '1 → row 1'],
  // No other run waits for a lone lookup, so that its request is repeated.
  [[1], { outage: 1 }, '2×1 → row 1'],
  [[1, 1, 1], {}, '3 → row 3'],
  [[40, 50, 20], {}, '90 20 → row 110'],
  [ones(150), {}, '100 50 → row 150'],
  // Whatever the service rejects, fails on or hangs on: after one shared request, each sends its own.
  [ones(8), { largest: 4 }, '8 8×1 → row 8'],
  [ones(8), { rejected: [3] }, '8 8×1 → http_422 1 row 7'],
  // A failed request of its own is sent four times.
  [ones(3), { broken: [1] }, '3 6×1 → http_500(unconfirmed) 1 row 2'],
  [ones(3), { outage: 1 }, '3 3×1 → row 3'],
  [ones(2), { outage: 30 }, '2 8×1 → http_500(unconfirmed) 2'],
  [ones(8), { balance: 0 }, '8 8×1 → credit_exhausted 8'],
  [ones(8), { balance: 3 }, '8 8×1 → credit_exhausted 5 row 3'],
  [[4, 4, 2], { balance: 6 }, '10 2×4 2 → credit_exhausted 4 row 6'],
  [[4, 4, 4], { balance: 3 }, '12 3×4 → credit_exhausted 12'],
])('sends the expected requests for runs of %j with %j', async (runs, faults, outcome) => {
  expect(await share(runs, faults)).toBe(outcome);
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

it('costs other runs one short timeout when the service hangs on one of them', async () => {
  const timing = { requestTimeoutMs: 900, briefTimeoutMs: 300 };
  const { ask, askEach, sizes } = await start((request, response) => {
    if (!domainsIn(request).includes('hangs.com')) answered(request, response);
  }, timing);
  const ended: string[] = [];
  const hangs = ask(['hangs.com']).finally(() => ended.push('hangs'));
  const others = askEach(domainsOf(29)).finally(() => ended.push('others'));

  expect((await others).map(({ kinds }) => kinds)).toEqual(domainsOf(29).map(() => FOUND));
  expect(await hangs).toMatchObject({ kinds: { no_answer: 1 }, stats: { unconfirmed: 1 } });
  expect(ended).toEqual(['others', 'hangs']);
  expect(sizes()).toEqual([30, ...ones(33)]);
});

it('sends the domains of simultaneous runs once per endpoint, and gives each its own row', async () => {
  const { askEach, requests } = await start(answered);
  const domains = ['a.com', 'b.com', 'a.com'];
  const endpoints = [{}, { endpoint: api.enrichment.path, request: lookUpPartnerships }];
  const reports = (
    await Promise.all(endpoints.map(async (endpoint) => await askEach(domains, endpoint)))
  ).flat();

  expect(requests()).toEqual([domains.slice(0, 2), domains.slice(0, 2)]);
  expect(reports.flatMap(({ outcomes }) => [...outcomes.keys()])).toEqual([...domains, ...domains]);
  const rows = reports.flatMap(({ outcomes }) =>
    Array.from(outcomes.values(), (one) => (one.kind === 'row' ? one.row : {})),
  );
  expect(rows[0]).toMatchObject({ domain: 'a.com' });
  expect(rows[2]).toEqual(rows[0]);
  expect(new Set(rows).size).toBe(6);
});

it('shares no request across keys, services, limits, timeouts or sections', async () => {
  const elsewhere = await TestService.start(answered);
  const { settings, ask, requests } = await start(answered);
  const kinds: Lookup[] = [
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
  for (const shared of seen) {
    const [one = 0, other = one + kinds.length] = shared.map((name) => Number(/\d+/.exec(name)));
    expect(other - one).toBe(kinds.length);
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

it('warns each run of what happens to the request that they share', async () => {
  const throttled = json({ error: 'operational_rate_limit_exceeded' }, 429, { 'retry-after': '1' });
  const { settings: usual, askEach, sizes } = await start(inTurn(throttled, answered));
  const warned: string[] = [];
  const settings = { ...usual, throttledWarning: 'Slow' };
  await askEach(['a.com', 'b.com'], { settings, warn: (message) => void warned.push(message) });

  expect(sizes()).toEqual([2, 2]);
  expect(warned).toEqual(['Slow', 'Slow']);
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

it("counts each run's own credits and its share of each attempt", async () => {
  const busy = json({ error: 'oops' }, 503, { 'retry-after': '1' });
  const { askEach, sizes } = await start(inTurn(busy, answered));
  const runs = await askEach(domainsOf(4));

  expect(sizes()).toHaveLength(2);
  const own = { requests: 0.5, creditsAtMost: 1 };
  expect(runs).toMatchObject(Array(4).fill({ stats: own }));
});

it('gives each run its own rejected and missing domains, and unrequested rows to one', async () => {
  const { askEach, sizes } = await start((request, response) => {
    const tracked = domainsIn(request).filter((domain) => !['bad.com', 'new.com'].includes(domain));
    const names = [...tracked, 'other.com', 'another.com'];
    const rows = names.map((domain) => ({ domain, status: 'tracked' }));
    json({ data: rows, rejected_domains: ['bad.com'] })(request, response);
  });
  const runs = await askEach(['a.com', 'odd.com', 'bad.com', 'new.com']);

  expect(sizes()).toEqual([4]);
  expect(runs.map(({ kinds }) => kinds)).toEqual([FOUND, FOUND, { rejected: 1 }, { missing: 1 }]);
  expect(runs.map(({ stats }) => stats.creditsAtMost)).toEqual([3, 1, 0, 0]);
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
    { creditsAtMost: 1, unconfirmed: 0 },
    { creditsAtMost: 1, unconfirmed: 1 },
  ]);
});
