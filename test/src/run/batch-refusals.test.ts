/**
 * Tests that every row arrives if the service accepts only smaller batches, whatever the refusal looks
 * like, in few requests.
 */
import { enrichPartnerships } from '../../../src/service/enrichment';
import { lookUpCompanies } from '../../../src/service/companies';
import { api } from '../../../src/service/endpoints';
import { Run } from '../../../src/run/run';
import { serviceWith } from '../client/support/client';
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

const CODE = 'batch_too_large';
const WORDS = 'At most 25 domains.';
const CODED = [
  { error: CODE, message: WORDS },
  { detail: { error: CODE, message: WORDS } },
  { detail: CODE },
].map((body) => JSON.stringify(body));
const CODELESS = [
  '',
  '<html><h1>Payload Too Large</h1></html>',
  'too many domains',
  '{"detail":"Up to 25 domains are allowed."}',
  `{"error":"too_many_items","message":"${WORDS}"}`,
  '{"detail":[{"type":"too_long","loc":["body","domains"]}]}',
  '{"errors":{"domains":["has too many elements"]}}',
  'null',
  '{}',
  '[]',
  '{"error": "bat',
];

/** Status, body and number of requests: 80, 40, then four of 20; without the code, 80, then nine parts. */
const REFUSALS: ReadonlyArray<readonly [number, string, number]> = [
  ...CODED.map((body) => [400, body, 6] as const),
  ...CODELESS.flatMap((body) => [400, 413, 422].map((status) => [status, body, 10] as const)),
];

describe.each(ENDPOINTS)('$endpoint with a maximum batch of 25', ({ rows, ...job }) => {
  it.each(REFUSALS)(
    'returns every row when the service refuses larger batches with %i, %j',
    async (status, refusal, requests) => {
      const { service, client } = await serviceWith(({ body }, response) => {
        const { domains } = JSON.parse(body) as { domains: string[] };
        if (domains.length > 25) response.writeHead(status).end(refusal);
        else {
          const answers = domains.map((domain) => ({ domain, status: 'tracked' }));
          response.end(JSON.stringify({ [rows]: answers }));
        }
      });
      const enrich = async (domains: string[]) =>
        await new Run(client).requestBatches({ ...job, domains, creditsOf: () => 1 });

      expect(tally((await enrich(domainsOf(80))).outcomes)).toEqual({ row: 80 });
      expect(service.received.length).toBe(requests);
      expect(tally((await enrich(domainsOf(20))).outcomes)).toEqual({ row: 20 });
      expect(service.received.length).toBe(requests + 1);
      await service.stop();
    },
  );
});
