import { z } from 'zod/v4';
import { company } from '../../../sandbox/schemas/companies';
import { ok, refusal, useSandbox } from '../harness';

const service = useSandbox();
const flag = z.strictObject({ flag_id: z.int(), company_id: z.int(), status: z.string() });
const path = () => `/v1/companies/${service.hub().primaryDomain}/flags`;

test('States 1: a new flag is queued for review and leaves the company unchanged', async () => {
  const lookup = () => service.get(`/v1/companies/${service.hub().primaryDomain}`);
  const before = ok(await lookup(), company);
  const reply = await service.post(path(), { description: 'Wrong industry' });
  expect(ok(reply, flag, 201)).toEqual({
    flag_id: 1,
    company_id: service.hub().id,
    status: 'queued',
  });
  expect(service.sandbox.flags()).toEqual([
    { flagId: 1, companyId: service.hub().id, description: 'Wrong industry' },
  ]);
  expect(ok(await lookup(), company)).toEqual(before);
});

test('Flags 1: returns 404 and creates no flag when the identifier does not resolve', async () => {
  const reply = await service.post('/v1/companies/unlisted.example/flags', { description: 'x' });
  expect(refusal(reply)).toEqual({
    status: 404,
    detail: {
      error: 'company_not_found',
      message: expect.any(String) as string,
      identifier: 'unlisted.example',
    },
  });
  expect(service.sandbox.flags()).toEqual([]);
  expect(service.sandbox.report().created.flags).toBe(0);
});

test('Flags 2: the description is optional, and a blank one is treated as omitted', async () => {
  for (const body of [undefined, {}, { description: '' }, { description: ' \n\t ' }]) {
    ok(await service.post(path(), body), flag, 201);
  }
  expect(service.sandbox.flags()).toHaveLength(4);
  expect(service.sandbox.flags().every((one) => !('description' in one))).toBe(true);
});

test('Bounds flag description: accepts up to 2,000 characters', async () => {
  for (const sign of ['x', '😀']) {
    expect((await service.post(path(), { description: sign.repeat(2000) })).status).toBe(201);
    expect((await service.post(path(), { description: sign.repeat(2001) })).status).toBe(400);
  }
  expect(service.sandbox.flags()).toHaveLength(2);
});
