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
const lookUp = (domain: string) =>
  service.read(`/v1/companies/${domain}?include=technologies,firmographics`, company);

/** Returns the companies that the crawler can reach and that use a technology. */
const targets = () => {
  const { start } = service.sandbox.world.detections;
  return service
    .companies(({ id }) => id % 37 !== 0 && start[id]! > start[id - 1]!)
    .map((one) => one.primaryDomain);
};

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

test('States 2: accepts a refresh with 202 and the Location of its job', async () => {
  const reply = await service.post('/v1/companies/refresh', { domains: ['a.com'] });
  const { job_id } = ok(reply, refreshAccepted, 202);
  expect(reply.headers.get('location')).toBe(`/v1/jobs/${job_id}`);
});

test("Companies 3: returns the same 404 job_not_found for an unknown job and another caller's job", async () => {
  const path = await refresh(targets()[0]!);
  const unknown = refusal(await service.get('/v1/jobs/job_999999'));
  expect(unknown).toMatchObject({ status: 404, error: 'job_not_found' });
  for (const key of ['colleague', 'organization', 'otherOrganization'] as const) {
    expect(refusal(await service.get(path, key))).toEqual(unknown);
  }
});

test('States 3: a job fails without data_freshness when no domain succeeds', async () => {
  const path = await refresh('unlisted.example');
  service.sandbox.advance(100);
  const done = await service.read(path, refreshJob);
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
