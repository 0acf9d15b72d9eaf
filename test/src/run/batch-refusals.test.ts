import { lookUpCompanies } from '../../../src/service/companies';
import { api } from '../../../src/service/endpoints';
import { Run } from '../../../src/run/run';
import { serviceWith } from '../client/support/client';
import { TestService } from '../client/support/service';
import { domainsOf, tally } from './support/batch-service';

afterAll(TestService.stopAll);

const CODE = 'batch_too_large';
const WORDS = 'At most 25 domains.';
const CODED = [{ error: CODE, message: WORDS }, { detail: { error: CODE } }, { detail: CODE }];
const CODELESS = [
  '',
  '<html><h1>Payload Too Large</h1></html>',
  'too many domains',
  `{"error":"too_many_items","message":"${WORDS}"}`,
  '{"detail":[{"type":"too_long","loc":["body","domains"]}]}',
  '[]',
  '{"error": "bat',
];

it.each<readonly [status: number, body: string, requests: number]>([
  // 80 domains, 40, then four times 20; without the code, 80, then nine parts.
  ...CODED.map((body) => [400, JSON.stringify(body), 6] as const),
  ...CODELESS.flatMap((body) => [400, 413, 422].map((status) => [status, body, 10] as const)),
])('returns every row when larger batches get %i, %j', async (status, refusal, requests) => {
  const { service, client } = await serviceWith(({ body }, response) => {
    const { domains } = JSON.parse(body) as { domains: string[] };
    const data = domains.map((domain) => ({ domain, status: 'tracked' }));
    if (domains.length > 25) response.writeHead(status).end(refusal);
    else response.end(JSON.stringify({ data }));
  });
  const found = async (count: number) => {
    const { outcomes } = await new Run(client).requestBatches({
      endpoint: api.bulkLookup.path,
      request: async (run, batch) => await lookUpCompanies(run, batch, []),
      domains: domainsOf(count),
      creditsOf: () => 1,
    });
    return tally(outcomes);
  };

  expect(await found(80)).toEqual({ row: 80 });
  expect(service.received.length).toBe(requests);
  expect(await found(20)).toEqual({ row: 20 });
  expect(service.received.length).toBe(requests + 1);
});
