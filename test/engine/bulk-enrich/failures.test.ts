/** A failed request affects only the rows of its batch, with every On Error setting. */
import {
  enrich,
  leads,
  NAME,
  ON_ERROR,
  useSandbox,
  trackedDomains,
  userCredential,
} from './bulk-enrich';

const sandbox = useSandbox();

it.each(ON_ERROR)('outputs an error when the response omits a row (%s)', async (onError) => {
  const domains = trackedDomains(sandbox, 3);
  sandbox.addFault({
    preset: 'setField',
    options: { field: 'domain', value: domains[0] },
    when: 'every',
  });
  // In this operation, only the changed field `domain` identifies the company of a row.
  const operation = 'enrichPartnerships';
  const run = await enrich(sandbox, { operation }, leads(domains), { onError });

  if (onError === 'stopWorkflow') {
    expect(run.error?.message).toContain(`no entry for ${domains[1] ?? ''}`);
    return;
  }
  const all = [...run.json(NAME, 0), ...run.json(NAME, 1)];
  expect(all.map((json) => json['id'])).toEqual([0, 1, 2]);
  expect(all.filter((json) => 'error' in json).map((json) => json['id'])).toEqual([1, 2]);
});

describe('invalid settings', () => {
  it.each([
    ['a Base URL that is not a URL', { baseUrl: 'service' }, /not a valid URL/],
    ['an API key with a line break', { apiKey: 'abc\ndef' }, /no usable API key/],
    [
      'a Redis URL without redis://',
      { redisUrl: 'localhost:6379' },
      /Redis URL must start with redis:/,
    ],
    [
      'a host that the credential does not allow',
      { allowedHttpRequestDomains: 'domains', allowedDomains: 'api.example.com' },
      /Domain not allowed/,
    ],
  ])('fail the run before a request: %s', async (_what, fields, message) => {
    const run = await enrich(sandbox, {}, leads(trackedDomains(sandbox, 1)), {
      credentials: userCredential(sandbox, 'user', fields),
    });

    expect(run.error?.message).toMatch(message);
    expect(sandbox.report().requests).toBe(0);
  });

  it.each([
    ['an unusable credential', { apiKey: '' }, {}],
    ['an invalid option', {}, { resultField: 'details' }],
  ])(
    'mark every row as failed, not as successful, when On Error is Continue: %s',
    async (_what, fields, options) => {
      const credentials = userCredential(sandbox, 'user', fields);
      const run = async (onError: (typeof ON_ERROR)[number]) =>
        await enrich(sandbox, { options }, leads(trackedDomains(sandbox, 3)), {
          onError,
          credentials,
        });
      const [split, together] = [
        await run('continueErrorOutput'),
        await run('continueRegularOutput'),
      ];

      expect(split.json(NAME, 0)).toEqual([]);
      expect(split.json(NAME, 1).map((json) => json['id'])).toEqual([0, 1, 2]);
      expect(together.json(NAME).map((json) => 'error' in json)).toEqual([true, true, true]);
      expect(sandbox.report().requests).toBe(0);
    },
  );

  it('keep the fields of each row and add its status when On Error is Continue', async () => {
    const items = leads([...trackedDomains(sandbox, 1), 'no domain']);
    const run = await enrich(sandbox, {}, items, {
      onError: 'continueRegularOutput',
      credentials: userCredential(sandbox, 'user', { apiKey: '' }),
    });
    const [valid, invalid] = run.json(NAME);

    expect(valid).toMatchObject({ ...items[0], enrichment: { status: 'error' } });
    expect(invalid).toMatchObject({ ...items[1], enrichment: { status: 'invalid' } });
    expect(sandbox.report().requests).toBe(0);
  });
});
