/** Tests runs of real clients that share requests to a real server. */
import { lookUpCompanies } from '../../../../src/service/companies';
import { api } from '../../../../src/service/endpoints';
import { enrichPartnerships } from '../../../../src/service/enrichment';
import { Client } from '../../../../src/client/client';
import { NotAttemptedError } from '../../../../src/client/errors';
import type { ClientSettings, Timing } from '../../../../src/client/settings';
import type { BatchResponse } from '../../../../src/run/responses/batch-response';
import { CircuitBreaker } from '../../../../src/run/circuit-breaker';
import { activeQueueCount } from '../../../../src/run/coalescing/coalesce';
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
import { domainsOf, tally } from '../support/batch-service';

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
    breaker,
    wanted = '',
    endpoint = api.bulkLookup.path,
    request = async (part, batch) => await lookUpCompanies(part, batch, []),
  }: Lookup,
) {
  const client = Client.open(settings, { ...QUICK, ...timing });
  const run = new Run(client, Infinity, breaker === undefined ? {} : { breaker });
  const job = { domains, endpoint, request, creditsOf: () => 1, wanted };
  const { outcomes, answers } = await run.requestBatches(job);
  return { outcomes, answers, kinds: tally(outcomes), stats: run.stats };
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
  for (const { kinds, answers } of reports.flat()) {
    expect(kinds).toEqual(FOUND);
    expect(answers).toBeCloseTo(1 / 3);
  }
});

it('sends all lookups that arrive during a rate limit wait in one request', async () => {
  const limited = json({ error: 'operational_rate_limit_exceeded' }, 429, { 'retry-after': '1' });
  const { service, ask, askEach, sizes } = await start(inTurn(limited, answered));
  const first = ask(['first.com']);
  await until(() => service.received.length === 1);
  const reports = [...(await askEach(domainsOf(30))), await first];

  expect(reports.map(({ kinds }) => kinds)).toEqual(reports.map(() => FOUND));
  expect(sizes()).toEqual([1, 1, 30]);
});

it('stops only the run whose circuit breaker opens', async () => {
  const { ask, requests } = await start(answered);
  const breaker = new CircuitBreaker();
  const stopped = ask(['stopped.com'], { breaker });
  const other = ask(['other.com']);
  breaker.trip(new Error('its other batch failed'));

  expect([...(await stopped).outcomes.values()]).toEqual([
    { kind: 'failed', error: expect.any(NotAttemptedError) },
  ]);
  expect((await other).kinds).toEqual(FOUND);
  expect(requests()).toEqual([['other.com']]);
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

it("counts each run's own credits and its share of each attempt", async () => {
  const busy = json({ error: 'oops' }, 503, { 'retry-after': '1' });
  const { askEach, sizes } = await start(inTurn(busy, answered));
  const runs = await askEach(domainsOf(4));

  expect(sizes()).toHaveLength(2);
  for (const { stats } of runs) {
    expect(stats).toMatchObject({ requests: 0.5, creditsAtMost: 1, asked: 1, found: 1 });
  }
});

it('counts unrequested rows of a shared response once', async () => {
  const { service, ask, askEach, sizes } = await start((request, response) => {
    const domains = domainsIn(request);
    const others = domains.length === 1 ? [] : ['other.com', 'another.com'];
    const rows = [...domains, ...others].map((domain) => ({ domain, status: 'tracked' }));
    setTimeout(() => {
      json({ data: rows })(request, response);
    }, 50);
  });
  const first = ask(['first.com']);
  await until(() => service.received.length === 1);
  const runs = [...(await askEach(['a.com', 'b.com'])), await first];

  expect(sizes()).toEqual([1, 2]);
  const credits = runs.map(({ stats }) => stats.creditsAtMost);
  expect(credits.reduce((sum, one) => sum + one, 0)).toBe(1 + 2 + 2);
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
    { creditsAtMost: 1, unanswered: 0, found: 1 },
    { creditsAtMost: 1, unanswered: 1, found: 0 },
  ]);
});

it("learns the service's batch limit from shared requests", async () => {
  const { askEach, sizes } = await start((request, response) => {
    if (domainsIn(request).length <= 25) answered(request, response);
    else json({ error: 'batch_too_large' }, 400)(request, response);
  });
  await askEach(domainsOf(40));
  expect(sizes()).toEqual([40, 20, 20]);
  await askEach(domainsOf(40));
  expect(sizes().slice(3)).toEqual([20, 20]);
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
  expect((await many).outcomes.get('bad.com')).toMatchObject({ error: { status: 422 } });
});

describe('when thirty leads share a request', () => {
  const leads = domainsOf(29);

  it('returns the others first if the request with one of them hangs', async () => {
    const timing = { requestTimeoutMs: 900, briefTimeoutMs: 300 };
    const { ask, askEach } = await start((request, response) => {
      if (!domainsIn(request).includes('hangs.com')) answered(request, response);
    }, timing);
    const hangs = ask(['hangs.com']);
    const others = askEach(leads);
    // The hanging lookup makes four attempts, so it ends last.
    const first = await Promise.race([hangs, others]);

    expect(first).toBe(await others);
    expect((await others).map(({ kinds }) => kinds)).toEqual(leads.map(() => FOUND));
    expect((await hangs).kinds).toEqual({ no_answer: 1 });
  });

  it('retries with the full timeout if the service is slow for all of them', async () => {
    const timing = { requestTimeoutMs: 10_000, briefTimeoutMs: 300 };
    const { askEach, sizes } = await start((request, response) => {
      setTimeout(() => {
        answered(request, response);
      }, 450);
    }, timing);
    const reports = await askEach(leads);

    expect(reports.map(({ kinds }) => kinds)).toEqual(leads.map(() => FOUND));
    expect(sizes()).toEqual([29, 5, 5, 5, 5, 5, 4, 29]);
  });
});
