import { refusal, useSandbox } from '../harness';

const service = useSandbox();

test('Errors 1: 402, 429, the flag 404 and other errors have their shapes', async () => {
  const keys = (body: object) => Object.keys(body).sort();
  const credits = refusal(await service.get('/v1/companies', 'empty'));
  expect(keys(credits)).toEqual(['error', 'message', 'requested', 'shortfall', 'status']);
  const flag = refusal(await service.post('/v1/companies/unlisted.example/flags'));
  expect(flag).toMatchObject({ detail: { error: 'company_not_found' } });
  expect(refusal(await service.get('/v1/jobs/none'))).toMatchObject({ error: 'job_not_found' });
  service.sandbox.setKey('user', { requestsPerMinute: 1 });
  const limited = refusal(await service.get('/v1/companies'));
  expect(keys(limited)).toEqual(['error', 'message', 'retry_after_seconds', 'status']);
});
