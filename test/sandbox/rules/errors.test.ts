import { ERROR_SHAPES } from '../../../sandbox/choices';
import { errorBody, errors } from '../../../sandbox/errors';
import { refusal, useSandbox } from '../harness';

const service = useSandbox();

const CREDIT_FIELDS = ['error', 'message', 'requested', 'shortfall', 'status'];
const LIMIT_FIELDS = ['error', 'message', 'retry_after_seconds', 'status'];

test('Errors 1: 402, 429 and the flag 404 keep their shapes when other errors change theirs', async () => {
  for (const errorShape of ERROR_SHAPES) {
    service.sandbox.reset();
    service.sandbox.setChoices({ errorShape });
    const credits = refusal(await service.get('/v1/companies', 'empty'));
    expect(Object.keys(credits).sort()).toEqual(CREDIT_FIELDS);
    const flag = refusal(await service.post('/v1/companies/unlisted.example/flags'));
    expect(flag).toMatchObject({ detail: { error: 'company_not_found' } });
    service.sandbox.setKey('user', { requestsPerMinute: 1 });
    const limited = refusal(await service.get('/v1/companies'));
    expect(Object.keys(limited).sort()).toEqual(LIMIT_FIELDS);
  }
});

test('Errors 2: other errors, such as job_not_found, take the chosen shape', async () => {
  const shapes: Record<string, unknown> = {};
  for (const errorShape of ERROR_SHAPES) {
    service.sandbox.setChoices({ errorShape });
    shapes[errorShape] = JSON.parse((await service.get('/v1/jobs/none')).text);
  }
  const error = errors.notFound('job_not_found', 'There is no such job.');
  expect(shapes).toEqual(
    Object.fromEntries(ERROR_SHAPES.map((shape) => [shape, errorBody(error, shape)])),
  );
  expect(shapes.detailText).toEqual({ detail: 'There is no such job.' });
});
