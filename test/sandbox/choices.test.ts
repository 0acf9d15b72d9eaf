/** Tests the switches for behavior that the API spec leaves open. */
import { z } from 'zod/v4';
import { refreshAccepted, refreshJob } from '../../sandbox/schemas/jobs';
import { ok, send, useSandbox } from './harness';

const service = useSandbox();

const LISTS = z.object({ lists: z.array(z.object({ list_id: z.string() })).min(1) });
const firstList = async () => (await service.read('/v1/lists', LISTS)).lists[0]!.list_id;

const membersOf = async (id: string, query = '') =>
  JSON.parse((await service.get(`/v1/lists/${id}/members${query}`)).text) as { members: unknown[] };

const submit = async (...domains: string[]): Promise<string> =>
  ok(await service.post('/v1/companies/refresh', { domains }), refreshAccepted, 202).job_id;

test('returns list members in the chosen envelope: named, data, array or nested', async () => {
  const id = await firstList();
  const read = async (rowsEnvelope: 'named' | 'data' | 'array' | 'nested') => {
    service.sandbox.setChoices({ rowsEnvelope });
    return await membersOf(id, '?limit=2');
  };
  const { members } = await read('named');
  expect(members).toHaveLength(2);
  expect(await read('data')).toMatchObject({ data: members });
  expect(await read('array')).toEqual(members);
  expect(await read('nested')).toMatchObject({ result: { members } });
});

test('returns a total, has_more or neither with list members, as chosen', async () => {
  const id = await firstList();
  const read = async (membersTotals: 'total' | 'hasMore' | 'none') => {
    service.sandbox.setChoices({ membersTotals });
    return Object.keys(await membersOf(id, '?limit=2'));
  };
  expect(await read('total')).toContain('total_count');
  expect(await read('hasMore')).toContain('has_more');
  expect(await read('none')).toEqual(['members']);
});

test('applies a separate maximum to the limit of list members', async () => {
  const id = await firstList();
  service.sandbox.setChoices({ membersMaxLimit: 4 });
  expect((await service.get(`/v1/lists/${id}/members?limit=5`)).status).toBe(400);
  service.sandbox.setChoices({ overLimit: 'clamp' });
  expect((await membersOf(id, '?limit=5')).members).toHaveLength(4);
});

test('clamps a limit above its maximum when overLimit is clamp', async () => {
  service.sandbox.setChoices({ overLimit: 'clamp' });
  const reply = await service.get('/v1/companies?limit=5000');
  expect(JSON.parse(reply.text)).toMatchObject({ pagination: { limit: 100 } });
});

test('uses the chosen words for job and domain states', async () => {
  service.sandbox.setChoices({
    jobStatusWords: { running: 'in_progress', completed: 'done', failed: 'error' },
    domainStatusWords: { processing: 'pending', succeeded: 'ok', failed: 'ko' },
    jobSeconds: { first: 1, last: 2 },
  });
  const id = await submit(service.hub().primaryDomain, 'unlisted.example');
  const running = await service.read(`/v1/jobs/${id}`, refreshJob);
  expect([running.status, running.domains[0]!.status]).toEqual(['in_progress', 'pending']);
  service.sandbox.advance(3);
  const done = await service.read(`/v1/jobs/${id}`, refreshJob);
  expect([done.status, ...done.domains.map((one) => one.status)]).toEqual(['done', 'ok', 'ko']);
});

test('makes each job take longer than the one before when jobSecondsMore is set', async () => {
  service.sandbox.setChoices({ jobSeconds: { first: 10, last: 10 }, jobSecondsMore: 60 });
  const { primaryDomain } = service.hub();
  const ids = [await submit(primaryDomain), await submit(primaryDomain)];
  const statuses = async () =>
    await Promise.all(
      ids.map(async (id) => (await service.read(`/v1/jobs/${id}`, refreshJob)).status),
    );
  service.sandbox.advance(11);
  expect(await statuses()).toEqual(['completed', 'running']);
  service.sandbox.advance(60);
  expect(await statuses()).toEqual(['completed', 'completed']);
});

test('charges for reading members and returns a body for deletions when so chosen', async () => {
  service.sandbox.setChoices({ membersCharged: true, deleteAnswer: 'body' });
  const id = await firstList();
  await service.get(`/v1/lists/${id}/members?limit=2`);
  expect(service.spent()).toBe(2);
  const reply = await service.remove(`/v1/lists/${id}`);
  expect([reply.status, JSON.parse(reply.text)]).toEqual([200, { deleted: true, list_id: id }]);
});

test('responds to HEAD with the status of GET and no body', async () => {
  const head = (path: string) => send(service.sandbox.baseUrl, 'HEAD', path);
  expect(await head('/v1/technologies?q=a')).toMatchObject({ status: 200, text: '' });
  expect((await head('/v1/nowhere')).status).toBe(404);
});
