import { z } from 'zod/v4';
import { company, refreshAccepted, refreshJob } from '../../../sandbox/schemas/companies';
import { technologyUsers } from '../../../sandbox/schemas/technologies';
import { ok, refusal, useSandbox } from '../harness';

const service = useSandbox();

const flagBody = z.strictObject({ flag_id: z.int(), company_id: z.int(), status: z.string() });
const flag = (body?: unknown, domain = service.hub().primaryDomain) =>
  service.post(`/v1/companies/${domain}/flags`, body);
const refresh = async (...domains: string[]) => {
  const reply = await service.post('/v1/companies/refresh', { domains });
  return `/v1/jobs/${ok(reply, refreshAccepted, 202).job_id}`;
};
const readJob = (path: string) => service.read(path, refreshJob);
const lookUp = (domain: string) =>
  service.read(`/v1/companies/${domain}?include=technologies,firmographics`, company);

/** Returns the companies that the crawler can reach and that use a technology. */
const targets = () => {
  const { start } = service.sandbox.world.detections;
  return service
    .companies(({ id }) => id % 37 !== 0 && start[id]! > start[id - 1]!)
    .map((one) => one.primaryDomain);
};

test('States 1: a new flag is queued for review and leaves the company unchanged', async () => {
  const { id: companyId, primaryDomain } = service.hub();
  const before = await lookUp(primaryDomain);
  const body = ok(await flag({ description: 'Wrong industry' }), flagBody, 201);
  expect(body).toEqual({ flag_id: 1, company_id: companyId, status: 'queued' });
  expect(service.sandbox.flags()).toEqual([
    { flagId: 1, companyId, description: 'Wrong industry' },
  ]);
  expect(await lookUp(primaryDomain)).toEqual(before);
});

test('Flags 1: returns 404 and creates no flag when the identifier does not resolve', async () => {
  const identifier = 'unlisted.example';
  expect(refusal(await flag({ description: 'x' }, identifier))).toEqual({
    status: 404,
    detail: { error: 'company_not_found', message: expect.any(String) as string, identifier },
  });
  expect(service.sandbox.flags()).toEqual([]);
  expect(service.sandbox.report().created.flags).toBe(0);
});

test('Flags 2: the description is optional, and a blank one is treated as omitted', async () => {
  for (const body of [undefined, {}, { description: '' }, { description: ' \n\t ' }]) {
    ok(await flag(body), flagBody, 201);
  }
  expect(service.sandbox.flags()).toHaveLength(4);
  expect(service.sandbox.flags().every((one) => !('description' in one))).toBe(true);
});

test.each(['x', '😀'])('Bounds flag description: accepts up to 2,000 times %s', async (sign) => {
  expect((await flag({ description: sign.repeat(2000) })).status).toBe(201);
  expect((await flag({ description: sign.repeat(2001) })).status).toBe(400);
  expect(service.sandbox.flags()).toHaveLength(1);
});

test('States 2: accepts a refresh with 202, a Location, and all domains of the job processing', async () => {
  const domains = ['a.com', 'b.com'];
  const reply = await service.post('/v1/companies/refresh', { domains });
  const { job_id } = ok(reply, refreshAccepted, 202);
  expect(reply.headers.get('location')).toBe(`/v1/jobs/${job_id}`);
  expect(await readJob(`/v1/jobs/${job_id}`)).toMatchObject({
    job_id,
    status: 'running',
    completed_at: null,
    summary: { succeeded: 0, failed: 0, processing: 2, total: 2 },
    domains: domains.map((domain) => ({ domain, status: 'processing', error: null })),
  });
  expect(service.sandbox.report().created.jobs).toBe(1);
});

test('Companies 3: returns Retry-After 60 while the job runs, and omits it afterwards', async () => {
  const path = await refresh(targets()[0]!);
  expect((await service.get(path)).headers.get('retry-after')).toBe('60');
  service.sandbox.advance(60);
  const done = await service.get(path);
  expect(ok(done, refreshJob).status).toBe('completed');
  expect(done.headers.get('retry-after')).toBeNull();
});

test("Companies 3: returns the same 404 job_not_found for an unknown job and another caller's job", async () => {
  const path = await refresh(targets()[0]!);
  const unknown = refusal(await service.get('/v1/jobs/job_999999'));
  expect(unknown).toMatchObject({ status: 404, error: 'job_not_found' });
  for (const key of ['colleague', 'organization', 'otherOrganization'] as const) {
    expect(refusal(await service.get(path, key))).toEqual(unknown);
  }
});

test('States 3: domains finish one by one before the job is completed', async () => {
  const path = await refresh(...targets().slice(0, 3), 'unlisted.example');
  service.sandbox.advance(50);
  expect(await readJob(path)).toMatchObject({
    status: 'running',
    summary: { succeeded: 2, failed: 0, processing: 2, total: 4 },
    data_freshness: expect.any(String) as string,
  });
  service.sandbox.advance(60);
  const done = await readJob(path);
  expect(done).toMatchObject({
    status: 'completed',
    summary: { succeeded: 3, failed: 1, processing: 0, total: 4 },
  });
  expect(done.completed_at! > done.submitted_at).toBe(true);
  const failed = { domain: 'unlisted.example', status: 'failed', error: 'not_tracked' };
  expect(done.domains.at(-1)).toEqual(failed);
});

test('States 3: a job fails without data_freshness when no domain succeeds', async () => {
  const path = await refresh('unlisted.example');
  service.sandbox.advance(100);
  const done = await readJob(path);
  expect(done.status).toBe('failed');
  expect(done).not.toHaveProperty('data_freshness');
});

test('Companies 4: a refresh updates detection data when it ends, and derived views within an hour', async () => {
  const domain = targets()[0]!;
  const read = async () => {
    const { firmographics, technologies } = await lookUp(domain);
    const { tech_key, last_seen: seen } = technologies![0]!;
    const path = `/v1/technologies/${tech_key}/companies?limit=10000`;
    const { data } = await service.read(path, technologyUsers);
    return {
      seen,
      jobs: firmographics!.open_jobs_count,
      listed: data.find((row) => row.primary_domain === domain)!.last_seen_at,
      first: data[0]!.primary_domain,
    };
  };
  const before = await read();
  await refresh(domain);
  expect(await read()).toEqual(before);

  service.sandbox.advance(60);
  const detected = await read();
  expect(detected.seen > before.seen).toBe(true);
  expect(detected).toEqual({ ...before, seen: detected.seen });

  service.sandbox.advance(3600);
  const derived = await read();
  expect(derived).toMatchObject({ listed: detected.seen, first: domain });
  expect(derived.jobs).not.toBe(before.jobs);
});
