/**
 * Tests that the node finds a lower maximum batch size,
 * whatever the refusal looks like, in few requests.
 */
import { enrichPartnerships } from '../../../src/service/enrichment';
import { lookUpCompanies } from '../../../src/service/companies';
import { api } from '../../../src/service/endpoints';
import { Client } from '../../../src/client/client';
import { UnprocessableError, type ServiceError } from '../../../src/client/errors';
import { BATCHES_AT_ONCE } from '../../../src/run/batches';
import { Run } from '../../../src/run/run';
import { settingsFor } from '../client/support/client';
import { CODELESS_REFUSALS, codedRefusals, textOf } from '../client/support/refusals';
import { TestService } from '../client/support/service';
import { QUICK } from '../client/support/timing';
import {
  answerFor,
  askInBatches,
  BatchService,
  domainsOf,
  ENDPOINT,
  jobOf,
  tally,
  tooLarge,
} from './support/batch-service';

afterAll(async () => {
  await TestService.stopAll();
});

const ENDPOINTS = [
  {
    endpoint: api.enrichment.path,
    rows: 'results',
    request: async (run: Run, batch: readonly string[]) => await enrichPartnerships(run, batch),
  },
  {
    endpoint: api.bulkLookup.path,
    rows: 'data',
    request: async (run: Run, batch: readonly string[]) => await lookUpCompanies(run, batch, []),
  },
];

const REFUSALS = [
  ...codedRefusals('batch_too_large').map((refusal) => ({ ...refusal, status: 400 })),
  ...CODELESS_REFUSALS.flatMap((refusal) =>
    [400, 413, 422].map((status) => ({ ...refusal, status })),
  ),
];

describe.each(ENDPOINTS)('$endpoint with a maximum batch of 25', ({ endpoint, rows, request }) => {
  it.each(REFUSALS)(
    'returns every row when the service refuses larger batches with $status, $name',
    async (refusal) => {
      const service = await TestService.start(({ body }, response) => {
        const { domains } = JSON.parse(body) as { domains: string[] };
        const type = { 'content-type': refusal.contentType ?? 'application/json' };
        if (domains.length > 25) response.writeHead(refusal.status, type).end(textOf(refusal));
        else {
          const answers = domains.map((domain) => ({ domain, status: 'tracked' }));
          response.writeHead(200, type).end(JSON.stringify({ [rows]: answers }));
        }
      });
      const client = Client.open(settingsFor(service), QUICK);
      const enrich = async (domains: string[]) =>
        await new Run(client, Infinity).requestBatches({
          endpoint,
          domains,
          request,
          creditsOf: () => 1,
        });

      expect(tally((await enrich(domainsOf(80))).outcomes)).toEqual({ row: 80 });
      // Batches of 80, 40, then four of 20.
      expect(service.received).toHaveLength(6);
      expect(tally((await enrich(domainsOf(20))).outcomes)).toEqual({ row: 20 });
      expect(service.received).toHaveLength(7);
      await service.stop();
    },
  );
});

const refusal = (): ServiceError =>
  new UnprocessableError({ code: 'http_422', message: 'No', hint: '-', status: 422 });

describe('when the service rejects batches because of one domain', () => {
  const BAD = 'company-37.com';

  it.each([2, 100, 101, 1_000, 5_000])(
    'fails only that domain of %i and sends few more requests',
    async (count) => {
      const bad = domainsOf(count)[Math.min(37, count - 1)]!;
      const service = new BatchService((_number, batch) =>
        batch.includes(bad) ? refusal() : answerFor(batch),
      );
      const ceilings = new Map<string, number>();
      const report = await askInBatches(jobOf(service, { domains: domainsOf(count), ceilings }));

      expect(tally(report.outcomes)).toEqual({
        ...(count > 1 ? { row: count - 1 } : {}),
        http_422: 1,
      });
      expect(service.batches.length).toBeLessThanOrEqual(Math.ceil(count / 100) + 16);
      expect(ceilings.get(ENDPOINT)).toBeUndefined();
    },
  );

  it('keeps the size of later batches', async () => {
    const service = new BatchService((_number, batch) =>
      batch.includes(BAD) ? refusal() : answerFor(batch),
    );
    await askInBatches(jobOf(service, { domains: domainsOf(4_000), atOnce: 1 }));
    const refused = service.batches.findLastIndex((batch) => batch.includes(BAD));
    const after = service.batches.slice(refused + 1).filter((batch) => batch.length > 50);

    expect(after).toHaveLength(39);
  });

  it('fails only that domain even if the service also limits the batch size', async () => {
    const service = new BatchService((_number, batch) =>
      batch.includes(BAD) || batch.length > 25 ? refusal() : answerFor(batch),
    );
    const report = await askInBatches(jobOf(service, { domains: domainsOf(500) }));

    expect(tally(report.outcomes)).toEqual({ row: 499, http_422: 1 });
    expect(service.batches.length).toBeLessThanOrEqual(20 + 20 + 30);
  });
});

describe('batch_too_large', () => {
  const withCeiling = (ceiling: number) =>
    new BatchService((_number, batch) => (batch.length > ceiling ? tooLarge() : answerFor(batch)));

  it.each([
    [50, 50],
    [30, 25],
    [25, 25],
    [3, 3],
    [1, 1],
  ])('with a maximum of %i, learns batches of %i for the next run too', async (real, learned) => {
    const service = withCeiling(real);
    const ceilings = new Map<string, number>();
    const report = await askInBatches(jobOf(service, { domains: domainsOf(250), ceilings }));
    expect(tally(report.outcomes)).toEqual({ row: 250 });
    expect(ceilings.get(ENDPOINT)).toBe(learned);
    const again = withCeiling(real);
    await askInBatches(jobOf(again, { domains: domainsOf(60), ceilings }));
    expect(Math.max(...again.batches.map((batch) => batch.length))).toBe(Math.min(learned, 60));
    expect(again.asked).toHaveLength(60);
  });

  it('does not apply the maximum of one endpoint to another', async () => {
    const service = new BatchService();
    const ceilings = new Map([['/v1/other', 5]]);
    await askInBatches(jobOf(service, { domains: domainsOf(100), ceilings }));
    expect(service.batches).toHaveLength(1);
  });

  it('sends few oversized batches while it learns the maximum', async () => {
    const service = withCeiling(25);
    await askInBatches(jobOf(service, { domains: domainsOf(4_000) }));
    const refused = service.batches.filter((batch) => batch.length > 25);
    // The batches that were in flight, and one batch of 50.
    expect(refused.length).toBeLessThanOrEqual(BATCHES_AT_ONCE + 1);
  });

  it('keeps a smaller maximum that another run learns at the same time', async () => {
    const ceilings = new Map<string, number>();
    const service = new BatchService((number, batch) => {
      if (number > 1) return answerFor(batch);
      ceilings.set(ENDPOINT, 10);
      return tooLarge();
    });
    await askInBatches(jobOf(service, { domains: domainsOf(100), ceilings }));
    expect(ceilings.get(ENDPOINT)).toBe(10);
    expect(service.batches.slice(1).map((batch) => batch.length)).toEqual(Array(10).fill(10));
  });
});
