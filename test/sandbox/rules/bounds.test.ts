import { useSandbox } from '../harness';

const service = useSandbox();

test('Bounds lists: company and partnership lists and technology search accept a limit up to 100', async () => {
  const hub = service.hub().primaryDomain;
  for (const path of [
    '/v1/companies?',
    `/v1/companies/${hub}/partnerships?`,
    `/v1/partnerships/${hub}/companies?`,
    `/v1/partnerships/${service.sharingPair()}/shared-partners?`,
    '/v1/technologies?q=a&',
  ]) {
    expect((await service.get(`${path}limit=100`)).status).toBe(200);
    for (const limit of ['101', '0', '-1', 'ten', '1.5']) {
      expect((await service.get(`${path}limit=${limit}`)).status).toBe(400);
    }
  }
});

test('Bounds bulk and enrichment: returns 400 without a domain, or when one is not text', async () => {
  for (const path of ['/v1/companies', '/v1/enrich/partnerships', '/v1/companies/refresh']) {
    for (const body of [{}, { domains: [] }, { domains: 'a.com' }, { domains: [1] }, [], null]) {
      expect((await service.post(path, body)).status).toBe(400);
    }
  }
});
