/** What holds for every read that fails: good items are kept, failed ones routed, errors say what to do. */
import type { FaultRequest } from '../../../sandbox';
import { READS, READS_OF_ONE, runCase } from './operations';
import { sentTo, useSandbox, userCredential, type NodeSettings } from './service';
import { errorItemOf } from './error-items';

const sandbox = useSandbox();

describe.each(READS_OF_ONE)('$title, one of three items unknown', (one) => {
  const { item: unknown = {}, code = '', asked = {} } = one.unknown ?? {};
  const run = async (onError: NonNullable<NodeSettings['onError']>, options = {}) => {
    const [first = {}, second = {}] = one.items(sandbox);
    return await runCase(sandbox, one, [first, unknown, second], { onError, options });
  };

  it('Stop: one clear error that names the item', async () => {
    const { status, error } = await run('stopWorkflow');

    expect(status).toBe('error');
    expect(error).toMatchObject({
      name: 'NodeApiError',
      httpCode: '404',
      context: { itemIndex: 1, data: { error: code } },
    });
    expect(error?.message).toMatch(/^The service (does not know|knows no)/);
    expect(error?.description).toMatch(/\w/);
  });

  it('Continue (using error output): good rows on one output, the item on the other', async () => {
    const result = await run('continueErrorOutput');

    expect([...new Set(result.traced(0))]).toEqual([0, 2]);
    expect(result.json(one.name, 1)).toEqual([
      // n8n adds the fields of the input itself.
      {
        ...unknown,
        id: 1,
        ...errorItemOf(code, expect.stringMatching(/^The service (does not know|knows no)/), {
          status: 404,
        }),
      },
    ]);
    expect(result.traced(1)).toEqual([1]);
  });

  it('Continue: the item is exactly error and message, in its place', async () => {
    const result = await run('continueRegularOutput');
    const places = result.traced();
    const failed = result.json(one.name)[places.indexOf(1)] ?? {};

    expect([...new Set(places)]).toEqual([0, 1, 2]);
    expect(failed).toEqual(errorItemOf(code, expect.any(String), { status: 404 }));
  });

  it('If Not Found: an item says so, and the others say that they were found', async () => {
    const result = await run('stopWorkflow', { ifNotFound: 'item' });
    const places = result.traced();

    expect(result.error).toBeUndefined();
    expect(result.json(one.name).map((json) => json['found'])).toEqual(
      places.map((place) => place !== 1),
    );
    expect(result.json(one.name)[places.indexOf(1)]).toMatchObject({
      found: false,
      ...asked,
      reason: code,
      message: expect.stringMatching(/^The service (does not know|knows no)/),
    });
  });

  it('If Not Found: a wrong base URL is still an error', async () => {
    const credentials = userCredential(sandbox, 'user', { baseUrl: `${sandbox.baseUrl}/wrong` });
    const result = await runCase(sandbox, one, one.items(sandbox).slice(0, 1), {
      options: { ifNotFound: 'item' },
      onError: 'continueErrorOutput',
      credentials,
    });

    expect(result.json(one.name, 0)).toEqual([]);
    expect(result.json(one.name, 1)[0]).toMatchObject({
      message: expect.stringContaining('does not know what was asked for'),
      error: { status: 404, hint: expect.stringContaining('Base URL') },
    });
  });

  it('If Not Found holds for its own item only', async () => {
    const result = await runCase(
      sandbox,
      one,
      [
        { ...unknown, then: 'item' },
        { ...unknown, then: 'error' },
      ],
      { options: { ifNotFound: '={{ $json.then }}' }, onError: 'continueErrorOutput' },
    );

    expect(result.json(one.name, 0).map((json) => json['found'])).toEqual([false]);
    expect(result.json(one.name, 1).map((json) => json['then'])).toEqual(['error']);
  });
});

/** Answers that are the same however often one asks: code, status, words and hint. */
const REFUSALS: Array<[FaultRequest, string, number, RegExp, RegExp]> = [
  [
    { preset: 'unauthorized' },
    'invalid_api_key',
    401,
    /did not accept the API key/,
    /Check the API key/,
  ],
  [
    { preset: 'creditExhausted', options: { requested: 9, shortfall: 4 } },
    'credit_exhausted',
    402,
    /the call needs 9 and 4 are missing/,
    /Retrying does not help/,
  ],
  [{ preset: 'forbidden' }, 'forbidden', 403, /may not do this/, /access/],
  [
    { preset: 'errorShape', options: { shape: 'detail', code: 'invalid_domain' } },
    'invalid_domain',
    400,
    /domain is malformed/,
    /bare domain/,
  ],
  [
    { preset: 'errorShape', options: { shape: 'nestedCode', code: 'invalid_tech_key' } },
    'invalid_tech_key',
    400,
    /technology key is malformed/,
    /lowercase letters, digits and hyphens/,
  ],
  [
    { preset: 'errorShape', options: { shape: 'detailText', status: 422 } },
    'http_422',
    422,
    /could not make sense/,
    /./,
  ],
  [
    { preset: 'errorEmpty', options: { status: 404 } },
    'http_404',
    404,
    /does not (know|exist)/,
    /Base URL/,
  ],
  [{ preset: 'redirect' }, 'redirect_refused', 302, /redirect/, /final address/],
];

describe.each(READS)('$title', (one) => {
  it.each(REFUSALS)('is refused: %j', async (fault, code, status, message, hint) => {
    const [item = {}] = one.items(sandbox);
    sandbox.addFault({ ...fault, match: { path: one.path }, when: 'every' });
    const stopped = await runCase(sandbox, one, [item]);
    const continued = await runCase(sandbox, one, [item], { onError: 'continueRegularOutput' });

    // How many members a page may hold is not shown, so that a refusal without a known code may be about
    // the two that were asked for: one is tried, and what that is refused for is the reason.
    const inSteps = one.title === 'List Members: Get Many' && code === 'http_422';
    expect(sentTo(sandbox)).toHaveLength(inSteps ? 2 * 2 : 2);
    expect(sandbox.report().charged).toBe(0);
    expect(stopped.error).toMatchObject({
      httpCode: String(status),
      message: expect.stringMatching(message),
      description: expect.stringMatching(hint),
      context: { itemIndex: 0 },
    });
    expect(continued.json(one.name)).toEqual([
      errorItemOf(code, expect.stringMatching(message), {
        status,
        hint: expect.stringMatching(hint),
      }),
    ]);
    for (const run of [stopped, continued]) {
      expect(run.transcript()).not.toContain(sandbox.keys.user);
    }
  });
});
