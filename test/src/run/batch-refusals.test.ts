/**
 * Tests that the node finds a lower maximum batch size,
 * whatever the refusal looks like, in few requests.
 */
import { enrichPartnerships } from '../../../src/service/enrichment';
import { lookUpCompanies } from '../../../src/service/companies';
import { api } from '../../../src/service/endpoints';
import { Run } from '../../../src/run/run';
import { serviceWith } from '../client/support/client';
import { CODELESS_REFUSALS, codedRefusals, textOf } from '../client/support/refusals';
import { TestService } from '../client/support/service';
import { domainsOf, tally } from './support/batch-service';

afterAll(TestService.stopAll);

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

describe.each(ENDPOINTS)('$endpoint with a maximum batch of 25', ({ rows, ...job }) => {
  it.each(REFUSALS)(
    'returns every row when the service refuses larger batches with $status, $name',
    async (refusal) => {
      const { service, client } = await serviceWith(({ body }, response) => {
        const { domains } = JSON.parse(body) as { domains: string[] };
        const type = { 'content-type': refusal.contentType ?? 'application/json' };
        if (domains.length > 25) response.writeHead(refusal.status, type).end(textOf(refusal));
        else {
          const answers = domains.map((domain) => ({ domain, status: 'tracked' }));
          response.writeHead(200, type).end(JSON.stringify({ [rows]: answers }));
        }
      });
      const enrich = async (domains: string[]) =>
        await new Run(client, Infinity).requestBatches({ ...job, domains, creditsOf: () => 1 });

      expect(tally((await enrich(domainsOf(80))).outcomes)).toEqual({ row: 80 });
      // Batches of 80, 40, then four of 20.
      expect(service.received).toHaveLength(6);
      expect(tally((await enrich(domainsOf(20))).outcomes)).toEqual({ row: 20 });
      expect(service.received).toHaveLength(7);
      await service.stop();
    },
  );
});
