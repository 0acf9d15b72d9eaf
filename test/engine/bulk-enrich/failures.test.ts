/** A failed request affects only the rows of its batch, with every On Error setting. */
import {
  enrich,
  enrichmentOf,
  leads,
  NAME,
  ON_ERROR,
  useSandbox,
  trackedDomains,
  userCredential,
} from './bulk-enrich';

const sandbox = useSandbox();

/** The service rejects one domain and therefore each request that contains this domain. */
const REFUSED = { preset: 'invalidDefinition', options: { code: 'invalid_domain' } } as const;

const range = (from: number, to: number) =>
  Array.from({ length: to - from }, (_unused, index) => from + index);

describe('when the service refuses a domain of a middle batch', () => {
  const from = 200;
  const failing = new Set([from, from + 450]);
  const fine = range(0, 900).filter((id) => !failing.has(id));

  /**
   * Returns 900 rows with 450 companies; each company occurs twice, 450 rows apart. The service
   * rejects one of these companies. The fifth batch is only half full.
   */
  function refuseDomain() {
    const domains = trackedDomains(sandbox, 450);
    sandbox.addFault({
      ...REFUSED,
      match: { bodyIncludes: `"${domains[from] ?? ''}"` },
      when: 'every',
    });
    return leads(domains, 900);
  }

  it('fails with the first affected item and outputs nothing with Stop', async () => {
    const run = await enrich(sandbox, {}, refuseDomain(), { onError: 'stopWorkflow' });

    expect(run.status).toBe('error');
    expect(run.error).toMatchObject({
      name: 'NodeApiError',
      httpCode: '422',
      context: { itemIndex: from },
    });
    expect(run.error?.message).toContain('domain is malformed');
    expect(run.runs(NAME)[0]?.data).toBeUndefined();
  });

  it('separates good and failed rows in order with Continue (using error output)', async () => {
    const run = await enrich(sandbox, {}, refuseDomain(), { onError: 'continueErrorOutput' });

    expect(run.json(NAME, 0).map((json) => json['id'])).toEqual(fine);
    expect(run.traced(0)).toEqual(fine);
    expect(run.json(NAME, 0).every((json) => enrichmentOf(json)['status'] === 'tracked')).toBe(
      true,
    );
    expect(run.json(NAME, 1).map((json) => json['id'])).toEqual([...failing]);
    expect(run.traced(1)).toEqual([...failing]);
    expect(run.json(NAME, 1)[0]).toMatchObject({
      company: expect.any(String),
      message: expect.stringContaining('domain is malformed'),
      error: { code: 'invalid_domain', status: 422, hint: expect.any(String) },
    });
  });

  it('keeps every row in place, and adds the error to failed rows, with Continue', async () => {
    const run = await enrich(sandbox, {}, refuseDomain(), { onError: 'continueRegularOutput' });

    const output = run.json(NAME);
    expect(output.map((json) => json['id'])).toEqual(range(0, 900));
    expect(run.traced()).toEqual(range(0, 900));
    const failed = output.filter((json) => enrichmentOf(json)['status'] === 'error');
    expect(failed.map((json) => json['id'])).toEqual([...failing]);
    expect(failed[0]).toMatchObject({
      error: expect.stringContaining('domain is malformed'),
      enrichment: { details: { status: 422 } },
    });
    expect(output.filter((json) => 'error' in json)).toHaveLength(failing.size);
  });
});

describe('a row whose expression fails', () => {
  const rows = [{ id: 0, company: 'a.com' }, { id: 1 }, { id: 2, company: 'b.com' }];
  const broken = { domain: "={{ $json.id === 1 ? $('Nowhere').first().json.x : $json.company }}" };

  it.each(['continueErrorOutput', 'continueRegularOutput'] as const)(
    'fails alone when On Error is %s',
    async (onError) => {
      const run = await enrich(sandbox, broken, rows, { onError });

      const all = [...run.json(NAME, 0), ...run.json(NAME, 1)];
      expect(all.filter((json) => 'error' in json).map((json) => json['id'])).toEqual([1]);
      expect(all).toHaveLength(3);
      expect(sandbox.report().domains).toBe(2);
    },
  );

  it('stops the run before anything is sent when On Error is Stop', async () => {
    const run = await enrich(sandbox, broken, rows);

    expect(run.error?.message).toMatch(/Nowhere|referenced node/i);
    expect(sandbox.report().requests).toBe(0);
  });
});

it.each(ON_ERROR)('outputs an error when the response omits a row (%s)', async (onError) => {
  const domains = trackedDomains(sandbox, 3);
  sandbox.addFault({
    fault: { kind: 'setField', field: 'domain', value: domains[0] },
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
    const [asked, invalid] = run.json(NAME);

    expect(asked).toMatchObject({ ...items[0], enrichment: { status: 'error' } });
    expect(invalid).toMatchObject({ ...items[1], enrichment: { status: 'invalid' } });
    expect(sandbox.report().requests).toBe(0);
  });
});
