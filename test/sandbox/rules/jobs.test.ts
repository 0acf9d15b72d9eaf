import { company } from '../../../sandbox/schemas/companies';
import { refreshAccepted, refreshJob } from '../../../sandbox/schemas/companies';
import { technologyUsers } from '../../../sandbox/schemas/technologies';
import { ok, refusal, useSandbox } from '../harness';

const service = useSandbox();

const refresh = (domains: string[]) => service.post('/v1/companies/refresh', { domains });
const submit = async (domains: string[]): Promise<string> =>
  ok(await refresh(domains), refreshAccepted, 202).job_id;
const jobOf = (id: string) => service.read(`/v1/jobs/${id}`, refreshJob);

/** Returns a company that the crawler can reach and that uses a technology. */
const target = () =>
  service.companies((one) => {
    const { start } = service.sandbox.world.detections;
    return one.id % 37 !== 0 && start[one.id]! > start[one.id - 1]!;
  })[0]!;

test('States 2: accepts a refresh with 202, a Location, and all domains of the job processing', async () => {
  const reply = await refresh(['a.com', 'b.com']);
  const { job_id: id } = ok(reply, refreshAccepted, 202);
  expect(reply.headers.get('location')).toBe(`/v1/jobs/${id}`);
  const job = await service.read(reply.headers.get('location')!, refreshJob);
  expect(job).toMatchObject({
    job_id: id,
    status: 'running',
    completed_at: null,
    summary: { succeeded: 0, failed: 0, processing: 2, total: 2 },
    domains: [
      { domain: 'a.com', status: 'processing', error: null },
      { domain: 'b.com', status: 'processing', error: null },
    ],
  });
  expect(service.sandbox.report().created.jobs).toBe(1);
});

test('Companies 3: returns Retry-After 60 while the job runs, and omits it afterwards', async () => {
  const id = await submit([target().primaryDomain]);
  expect((await service.get(`/v1/jobs/${id}`)).headers.get('retry-after')).toBe('60');
  service.sandbox.advance(60);
  const done = await service.get(`/v1/jobs/${id}`);
  expect(ok(done, refreshJob).status).toBe('completed');
  expect(done.headers.get('retry-after')).toBeNull();
});

test("Companies 3: returns the same 404 job_not_found for an unknown job and another caller's job", async () => {
  const id = await submit([target().primaryDomain]);
  const unknown = refusal(await service.get('/v1/jobs/job_999999'));
  expect(unknown).toMatchObject({ status: 404, error: 'job_not_found' });
  for (const key of ['colleague', 'organization', 'otherOrganization'] as const) {
    expect(refusal(await service.get(`/v1/jobs/${id}`, key))).toEqual(unknown);
  }
});

test('States 3: domains finish one by one before the job is completed', async () => {
  const reachable = service.companies((one) => one.id % 37 !== 0).slice(0, 3);
  const id = await submit([...reachable.map((one) => one.primaryDomain), 'unlisted.example']);
  service.sandbox.advance(50);
  const half = await jobOf(id);
  expect(half.status).toBe('running');
  expect(half.summary).toEqual({ succeeded: 2, failed: 0, processing: 2, total: 4 });
  expect(half.data_freshness).toEqual(expect.any(String));
  service.sandbox.advance(60);
  const done = await jobOf(id);
  expect(done.status).toBe('completed');
  expect(done.summary).toEqual({ succeeded: 3, failed: 1, processing: 0, total: 4 });
  expect(done.completed_at! > done.submitted_at).toBe(true);
  expect(done.domains.at(-1)).toEqual({
    domain: 'unlisted.example',
    status: 'failed',
    error: 'not_tracked',
  });
});

test('States 3: a job fails without data_freshness when no domain succeeds', async () => {
  const id = await submit(['unlisted.example']);
  service.sandbox.advance(100);
  const done = await jobOf(id);
  expect(done.status).toBe('failed');
  expect(done).not.toHaveProperty('data_freshness');
});

test('Companies 4: a refresh updates detection data when it ends, and derived views within an hour', async () => {
  const one = target();
  const read = async () => {
    const body = await service.read(
      `/v1/companies/${one.primaryDomain}?include=technologies,firmographics`,
      company,
    );
    const technology = body.technologies![0]!;
    const users = await service.read(
      `/v1/technologies/${technology.tech_key}/companies?limit=10000`,
      technologyUsers,
    );
    return {
      seen: technology.last_seen,
      jobs: body.firmographics!.open_jobs_count,
      listed: users.data.find((row) => row.primary_domain === one.primaryDomain)!.last_seen_at,
      first: users.data[0]!.primary_domain,
    };
  };
  const before = await read();
  await submit([one.primaryDomain]);
  expect(await read()).toEqual(before);

  service.sandbox.advance(60);
  const detected = await read();
  expect(detected.seen > before.seen).toBe(true);
  expect(detected).toMatchObject({ listed: before.listed, jobs: before.jobs });

  service.sandbox.advance(3600);
  const derived = await read();
  expect(derived.listed).toBe(detected.seen);
  expect(derived.jobs).not.toBe(before.jobs);
  expect(derived.first).toBe(one.primaryDomain);
});
