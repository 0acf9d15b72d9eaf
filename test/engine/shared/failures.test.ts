/**
 * Every read that fails keeps good items, routes failed items to the right output, and explains
 * what to do.
 */
import { READS_OF_ONE, runCase } from './operations';
import { useSandbox, userCredential, type NodeSettings } from './service';

const sandbox = useSandbox();

describe.each(READS_OF_ONE)('$title with If Not Found', (one) => {
  const { item: unknown = {}, code = '', asked = {} } = one.unknown ?? {};
  const run = async (onError: NonNullable<NodeSettings['onError']>, options = {}) => {
    const [first = {}, second = {}] = one.items(sandbox);
    return await runCase(sandbox, one, [first, unknown, second], { onError, options });
  };

  it('outputs found: false for an unknown item and found: true for the others', async () => {
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
      message: expect.stringMatching(/^The service (doesn't (track|know)|has no)/),
    });
  });

  it('fails when the Base URL is wrong', async () => {
    const credentials = userCredential(sandbox, 'user', { baseUrl: `${sandbox.baseUrl}/wrong` });
    const result = await runCase(sandbox, one, one.items(sandbox).slice(0, 1), {
      options: { ifNotFound: 'item' },
      onError: 'continueErrorOutput',
      credentials,
    });

    expect(result.json(one.name, 0)).toEqual([]);
    expect(result.json(one.name, 1)[0]).toMatchObject({
      message: expect.stringContaining('has no record that matches this request'),
      error: { status: 404, hint: expect.stringContaining('Base URL') },
    });
  });

  it('applies the setting of each item to that item only', async () => {
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
