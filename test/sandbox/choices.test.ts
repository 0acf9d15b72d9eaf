/** Tests the switches for behavior that the API spec leaves open. */
import { z } from 'zod/v4';
import { refreshAccepted, refreshJob } from '../../sandbox/schemas/jobs';
import { ok, send, useSandbox } from './harness';

const service = useSandbox();

const LISTS = z.object({ lists: z.array(z.object({ list_id: z.string() })).min(1) });
const firstList = async () => (await service.read('/v1/lists', LISTS)).lists[0]!.list_id;

const submit = async (...domains: string[]): Promise<string> =>
  ok(await service.post('/v1/companies/refresh', { domains }), refreshAccepted, 202).job_id;

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

test('charges for reading members when so chosen', async () => {
  service.sandbox.setChoices({ membersCharged: true });
  await service.get(`/v1/lists/${await firstList()}/members?limit=2`);
  expect(service.spent()).toBe(2);
});

test('responds to HEAD with the status of GET and no body', async () => {
  const head = (path: string) => send(service.sandbox.baseUrl, 'HEAD', path);
  expect(await head('/v1/technologies?q=a')).toMatchObject({ status: 200, text: '' });
  expect((await head('/v1/nowhere')).status).toBe(404);
});
