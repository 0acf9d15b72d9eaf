/**
 * Every read that fails keeps good items, routes failed items to the right output, and explains
 * what to do.
 */
import type { INodeParameters } from 'n8n-workflow';

import { errorItemOf } from './error-items';
import { runNode } from './nodes';
import { READS_OF_ONE, runCase } from './operations';
import { trackedDomains, useSandbox, userCredential, type NodeSettings } from './service';

const sandbox = useSandbox();

describe.each(READS_OF_ONE)('$title with If Not Found', (one) => {
  const { item: unknown = {}, code = '', requested = {} } = one.unknown ?? {};
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
      ...requested,
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

const VALUE = '={{ $json.value }}';
const LOOKUP = ['Company Lookup', 'companyLookup'] as const;
const GRAPH = ['Partner Graph', 'partnerGraph'] as const;
const USERS = ['Tech Users', 'techUsers'] as const;

type Refusal = [
  name: string,
  type: string,
  parameters: INodeParameters,
  value: string,
  message: RegExp,
];

/** Values that are no company, for every kind of parameter that names one. */
const UNUSABLE: readonly Refusal[] = [
  [...LOOKUP, { identifier: VALUE }, '', /^"Company" is empty$/],
  [...LOOKUP, { identifier: VALUE }, 'a/b', /neither a domain nor a slug/],
  [...LOOKUP, { identifier: VALUE }, '10.0.0.1', /IP address/],
  ...[
    { name: GRAPH, operation: 'getPartnership' },
    { name: GRAPH, operation: 'getSharedPartners' },
    { name: GRAPH, operation: 'getPairGraph' },
  ].flatMap(({ name, operation }): Refusal[] => {
    const pair = { operation, identifierA: 'hubspot.com', identifierB: 'stripe.com' };
    return [
      [...name, { ...pair, identifierA: VALUE }, '', /^"Company A" is empty$/],
      [...name, { ...pair, identifierB: VALUE }, 'x/y', /^"Company B" is neither/],
    ];
  }),
  ...[
    { name: GRAPH, operation: 'getReversePartners', label: 'Partner Domain' },
    { name: USERS, operation: 'getByVendor', label: 'Vendor Domain' },
    { name: USERS, operation: 'count', label: 'Vendor Domain' },
  ].flatMap(({ name, operation, label }): Refusal[] => {
    const parameters = { operation, countBy: 'vendor', partnerDomain: VALUE, vendorDomain: VALUE };
    const words = `^"${label}" contains no usable domain: `;
    return [
      [...name, parameters, '', new RegExp(`${words}""\\. The field is empty`)],
      [...name, parameters, 'hubspot', new RegExp(`${words}.* The value contains no domain`)],
    ];
  }),
];

it.each(UNUSABLE)(
  '%s (%s, %j) refuses %j before anything is sent, or fails only that item',
  async (name, type, parameters, value, message) => {
    const items = [{ value: trackedDomains(sandbox, 1)[0] }, { value }];
    const stopped = await runNode(sandbox, type, parameters, items);

    expect(stopped.error).toMatchObject({
      name: 'NodeOperationError',
      message: expect.stringMatching(message),
      description: expect.stringMatching(/^Enter a (company )?domain like example\.com/),
      context: { itemIndex: 1 },
    });
    expect(sandbox.report().requests).toBe(0);
    const run = await runNode(sandbox, type, parameters, items, { onError: 'continueErrorOutput' });

    expect(sandbox.report().requests).toBeGreaterThan(0);
    const failed = run.json(name, 1).filter((item) => item['value'] === value);
    expect(failed).toEqual([
      { value, ...errorItemOf('invalid_input', expect.stringMatching(message)) },
    ]);
  },
);
