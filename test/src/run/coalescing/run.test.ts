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
import { json, TestService, type Answering, type Received } from '../../client/support/service';
import { QUICK, until } from '../../client/support/timing';
import { tally } from '../support/batch-service';

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

interface Question {
  readonly settings: ClientSettings;
  readonly timing?: Partial<Timing>;
  readonly brake?: CircuitBreaker;
  readonly wanted?: string;
  readonly endpoint?: string;
  readonly of?: (run: Run, batch: readonly string[]) => Promise<BatchResponse>;
}

/** Looks up domains in a run of its own, and returns the outcomes and the statistics of the run. */
async function ask(
  domains: readonly string[],
  {
    settings,
    timing,
    brake,
    wanted = '',
    endpoint = api.bulkLookup.path,
    of = async (part, batch) => await lookUpCompanies(part, batch, []),
  }: Question,
) {
  const client = Client.open(settings, { ...QUICK, ...timing });
  const run = new Run(client, Infinity, brake === undefined ? {} : { breaker: brake });
  const job = { domains, endpoint, request: of, creditsOf: () => 1 };
  const report = await run.requestBatches({ ...job, wanted });
  return { ...report, figures: run.stats };
}

it('sends the domains of simultaneous runs in one request per endpoint', async () => {
  const service = await TestService.start(answered);
  const settings = settingsFor(service);
  const domains = ['a.com', 'b.com', 'c.com'];
  const endpoints = [{}, { endpoint: api.enrichment.path, of: enrichPartnerships }];
  const reports = await Promise.all(
    endpoints.flatMap((endpoint) =>
      domains.map(async (domain) => await ask([domain], { settings, ...endpoint })),
    ),
  );

  expect(service.received.map(domainsIn)).toEqual([domains, domains]);
  expect(reports.flatMap(({ outcomes }) => [...outcomes.keys()])).toEqual([...domains, ...domains]);
  for (const { outcomes, answers } of reports) {
    expect(tally(outcomes)).toEqual({ row: 1 });
    expect(answers).toBeCloseTo(1 / 3);
  }
});

it('sends all lookups that arrive during a rate limit wait in one request', async () => {
  const service = await TestService.start((request, response) => {
    if (request.number > 1) answered(request, response);
    else
      json({ error: 'operational_rate_limit_exceeded' }, 429, { 'retry-after': '1' })(
        request,
        response,
      );
  });
  const settings = settingsFor(service);
  const first = ask(['first.com'], { settings });
  await until(() => service.received.length === 1);
  const others = Array.from({ length: 30 }, async (_unused, index) =>
    ask([`company-${index}.com`], { settings }),
  );
  const reports = await Promise.all([first, ...others]);

  expect(reports.map(({ outcomes }) => tally(outcomes))).toEqual(reports.map(() => ({ row: 1 })));
  expect(service.received.map((request) => domainsIn(request).length)).toEqual([1, 1, 30]);
});

it('stops only the run whose circuit breaker opens', async () => {
  const service = await TestService.start(answered);
  const settings = settingsFor(service);
  const breaker = new CircuitBreaker();
  const stopped = ask(['stopped.com'], { settings, brake: breaker });
  const other = ask(['other.com'], { settings });
  breaker.trip(new Error('its other batch failed'));
  const [one, two] = await Promise.all([stopped, other]);

  expect([...one.outcomes.values()]).toEqual([
    { kind: 'failed', error: expect.any(NotAttemptedError) },
  ]);
  expect(tally(two.outcomes)).toEqual({ row: 1 });
  expect(service.received.map(domainsIn)).toEqual([['other.com']]);
});

it('shares no request across keys, services, limits, timeouts or sections', async () => {
  const [service, elsewhere] = [
    await TestService.start(answered),
    await TestService.start(answered),
  ];
  const settings = settingsFor(service);
  const kinds: Question[] = [
    { settings },
    { settings, wanted: 'technologies' },
    { settings: { ...settings, apiKey: 'ci_another_key' } },
    { settings: { ...settings, baseUrl: elsewhere.baseUrl } },
    { settings: { ...settings, requestsPerMinute: 599 } },
    { settings, timing: { requestTimeoutMs: 2_999 } },
  ];
  const all = [...kinds, ...kinds];
  await Promise.all(all.map(async (kind, index) => await ask([`company-${index}.com`], kind)));

  const seen = [...service.received, ...elsewhere.received].map(domainsIn);
  for (const [one = '', other = ''] of seen) {
    const numberOf = (domain: string) => Number(/\d+/.exec(domain)?.[0]);
    if (other !== '') expect(numberOf(other) - numberOf(one)).toBe(kinds.length);
  }
  expect(seen.flat()).toHaveLength(all.length);
  expect(elsewhere.received.flatMap(domainsIn)).toEqual(['company-3.com', 'company-9.com']);
});

it("counts each run's own credits and its share of each attempt", async () => {
  const service = await TestService.start((request, response) => {
    if (request.number > 1) answered(request, response);
    else json({ error: 'oops' }, 503, { 'retry-after': '1' })(request, response);
  });
  const settings = settingsFor(service);
  const runs = await Promise.all(
    ['a.com', 'b.com', 'c.com', 'd.com'].map(async (domain) => await ask([domain], { settings })),
  );

  expect(service.received).toHaveLength(2);
  for (const { figures } of runs) {
    expect(figures).toMatchObject({ requests: 0.5, creditsAtMost: 1, asked: 1, found: 1 });
  }
});

it('counts unrequested rows of a shared response once', async () => {
  const service = await TestService.start((request, response) => {
    const domains = domainsIn(request);
    const others = domains.length === 1 ? [] : ['other.com', 'another.com'];
    const rows = [...domains, ...others].map((domain) => ({ domain, status: 'tracked' }));
    setTimeout(() => {
      json({ data: rows })(request, response);
    }, 50);
  });
  const settings = settingsFor(service);
  const first = ask(['first.com'], { settings });
  await until(() => service.received.length === 1);
  const runs = await Promise.all([
    first,
    ask(['a.com'], { settings }),
    ask(['b.com'], { settings }),
  ]);

  expect(service.received.map((request) => domainsIn(request).length)).toEqual([1, 2]);
  const credits = runs.map(({ figures }) => figures.creditsAtMost);
  expect(credits.reduce((sum, one) => sum + one, 0)).toBe(1 + 2 + 2);
});

it('counts a rejected lookup as possibly charged after a lost shared response', async () => {
  const service = await TestService.start((request, response) => {
    const domains = domainsIn(request);
    if (domains.length > 1) response.end('{"data": [');
    else if (domains[0] === 'bad.com') json({ message: 'No' }, 422)(request, response);
    else answered(request, response);
  });
  const settings = settingsFor(service);
  const [good, bad] = await Promise.all([
    ask(['good.com'], { settings }),
    ask(['bad.com'], { settings }),
  ]);

  expect(good.figures).toMatchObject({ creditsAtMost: 1, unanswered: 0, found: 1 });
  expect(bad.figures).toMatchObject({ creditsAtMost: 1, unanswered: 1, found: 0 });
});

it("learns the service's batch limit from shared requests", async () => {
  const service = await TestService.start((request, response) => {
    if (domainsIn(request).length <= 25) answered(request, response);
    else json({ error: 'batch_too_large' }, 400)(request, response);
  });
  const settings = settingsFor(service);
  const forty = async () =>
    await Promise.all(
      Array.from({ length: 40 }, async (_unused, index) =>
        ask([`company-${index}.com`], { settings }),
      ),
    );
  await forty();
  expect(service.received.map((request) => domainsIn(request).length)).toEqual([40, 20, 20]);
  await forty();
  expect(service.received.slice(3).map((request) => domainsIn(request).length)).toEqual([20, 20]);
});

it('does not fail other lookups while it splits a rejected batch', async () => {
  const service = await TestService.start((request, response) => {
    if (!domainsIn(request).includes('bad.com')) answered(request, response);
    else json({ message: 'No' }, 422)(request, response);
  });
  const settings = settingsFor(service);
  const many = ask(['bad.com', 'a.com', 'b.com', 'c.com'], { settings });
  await until(() => service.received.length >= 1);
  const reports = await Promise.all([many, ask(['lead.com'], { settings })]);

  expect(reports.map(({ outcomes }) => tally(outcomes))).toEqual([
    { row: 3, http_422: 1 },
    { row: 1 },
  ]);
  const errors = [...reports[0].outcomes.values()].flatMap((outcome) =>
    outcome.kind === 'failed' ? [outcome.error] : [],
  );
  expect(errors.map(({ status }) => status)).toEqual([422]);
});

describe('when thirty leads share a request', () => {
  const leads = Array.from({ length: 29 }, (_unused, index) => `company-${index}.com`);
  it('returns the others first if the request with one of them hangs', async () => {
    const service = await TestService.start((request, response) => {
      if (!domainsIn(request).includes('hangs.com')) answered(request, response);
    });
    const settings = settingsFor(service);
    const timing = { requestTimeoutMs: 900, briefTimeoutMs: 300 };
    const [hangs, ...others] = ['hangs.com', ...leads].map(async (domain) =>
      tally((await ask([domain], { settings, timing })).outcomes),
    );
    // The hanging lookup makes four attempts, so it ends last.
    const first = await Promise.race([hangs, Promise.all(others)]);

    expect(first).toEqual(leads.map(() => ({ row: 1 })));
    expect(await hangs).toEqual({ no_answer: 1 });
  });

  it('retries with the full timeout if the service is slow for all of them', async () => {
    const service = await TestService.start((request, response) => {
      setTimeout(() => {
        answered(request, response);
      }, 450);
    });
    const settings = settingsFor(service);
    const timing = { requestTimeoutMs: 10_000, briefTimeoutMs: 300 };
    const reports = await Promise.all(
      leads.map(async (domain) => await ask([domain], { settings, timing })),
    );

    expect(reports.map(({ outcomes }) => tally(outcomes))).toEqual(leads.map(() => ({ row: 1 })));
    expect(service.received.map((request) => domainsIn(request).length)).toEqual([
      29, 5, 5, 5, 5, 5, 4, 29,
    ]);
  });
});
