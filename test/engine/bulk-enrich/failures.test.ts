/** A failed request affects only the rows of its batch, with every On Error setting. */
import { deserted } from '../../src/client/support/service';
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

describe('when the service refuses a domain of a middle batch', () => {
  const from = 200;
  const failing = [from, from + 450];
  const all = Array.from({ length: 900 }, (_unused, id) => id);
  const fine = all.filter((id) => !failing.includes(id));

  /**
   * Runs 900 rows with 450 companies; each company occurs twice, 450 rows apart. The service rejects
   * one of these companies. The fifth batch is only half full.
   */
  async function enrichWithRefusal(onError: (typeof ON_ERROR)[number]) {
    const domains = trackedDomains(sandbox, 450);
    const match = { bodyIncludes: `"${domains[from] ?? ''}"` };
    sandbox.addFault({ ...REFUSED, match, when: 'every' });
    return await enrich(sandbox, {}, leads(domains, 900), { onError });
  }

  it('fails with the first affected item and outputs nothing with Stop', async () => {
    const run = await enrichWithRefusal('stopWorkflow');

    expect(run.status).toBe('error');
    expect(run.error).toMatchObject({
      name: 'NodeApiError',
      httpCode: '422',
      context: { itemIndex: from },
    });
    expect(run.error?.message).toContain('domain is malformed');
    expect(run.runs(NAME)[0]?.data).toBeUndefined();
  });

  const message = expect.stringContaining('domain is malformed') as unknown;
  const error = { code: 'invalid_domain', status: 422, hint: expect.any(String) as unknown };

  it.each([
    ['continueErrorOutput', [fine, failing], { company: expect.any(String), message, error }],
    ['continueRegularOutput', [all], { error: message, enrichment: { details: { status: 422 } } }],
  ] as const)('keeps the order of good and failed rows with %s', async (onError, ids, failure) => {
    const run = await enrichWithRefusal(onError);
    const rows = ids.flatMap((_ids, output) => run.json(NAME, output));
    const failed = rows.filter((json) => 'error' in json);
    const good = rows.filter((json) => !('error' in json));

    expect(ids.map((_ids, output) => run.json(NAME, output).map(({ id }) => id))).toEqual(ids);
    expect(ids.map((_ids, output) => run.traced(output))).toEqual(ids);
    expect(new Set(good.map((json) => enrichmentOf(json)['status']))).toEqual(new Set(['tracked']));
    expect(failed.map(({ id }) => id)).toEqual(failing);
    expect(failed[0]).toMatchObject(failure);
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
    const [valid, invalid] = run.json(NAME);

    expect(valid).toMatchObject({ ...items[0], enrichment: { status: 'error' } });
    expect(invalid).toMatchObject({ ...items[1], enrichment: { status: 'invalid' } });
    expect(sandbox.report().requests).toBe(0);
  });
});

it('warns once without the password and enriches all rows if Redis is unreachable', async () => {
  const redisUrl = `redis://:5ecret@${new URL(await deserted()).host}`;
  const run = await enrich(sandbox, {}, leads(trackedDomains(sandbox, 300)), {
    credentials: userCredential(sandbox, 'user', { redisUrl }),
  });

  expect(run.json(NAME)).toHaveLength(300);
  expect(run.error).toBeUndefined();
  const warning = expect.stringMatching(/Can't use the credential's Redis \(.*ECONNREFUSED/);
  const shown = run.hints(NAME).filter(({ type }) => type === 'warning');
  expect(shown).toMatchObject([{ message: warning }]);
  const logged = run.logs.filter(({ level }) => level === 'warn');
  expect(logged).toMatchObject([{ message: warning }]);
  expect(JSON.stringify([run.hints(NAME), run.logs])).not.toContain('5ecret');
});
