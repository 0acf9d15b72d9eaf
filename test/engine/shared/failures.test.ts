/** Every read that fails keeps good items, and explains the failed ones on the right output. */
import type { INodeParameters } from 'n8n-workflow';

import { errorItemOf } from './error-items';
import { runNode } from './nodes';
import { READS_OF_ONE, runCase } from './operations';
import { trackedDomains, useSandbox } from './service';

const sandbox = useSandbox();
const settings = { onError: 'continueErrorOutput' } as const;

describe.each(READS_OF_ONE)('$title with If Not Found', (one) => {
  const { item: unknown = {}, code = '', requested = {} } = one.unknown ?? {};

  it('outputs found: false or an error for an unknown item, as each item says', async () => {
    const [first = {}] = one.items(sandbox);
    const items = [
      { ...first, then: 'item' },
      { ...unknown, then: 'item' },
      { ...unknown, then: 'error' },
    ];
    const options = { ifNotFound: '={{ $json.then }}' };
    const result = await runCase(sandbox, one, items, { ...settings, options });
    const rows = result.json(one.name, 0);
    const places = result.traced(0);

    expect(rows.map((json) => json['found'])).toEqual(places.map((place) => place !== 1));
    expect(rows[places.indexOf(1)]).toMatchObject({
      found: false,
      ...requested,
      reason: code,
      message: expect.stringMatching(/^The service (doesn't (track|know)|has no)/),
    });
    expect(new Set(places)).toEqual(new Set([0, 1]));
    expect(result.json(one.name, 1)).toMatchObject([{ then: 'error', error: { code } }]);
  });
});

const VALUE = '={{ $json.value }}';
const LOOKUP = ['Company Lookup', 'companyLookup', { identifier: VALUE }] as const;
const GRAPH = ['Partner Graph', 'partnerGraph'] as const;
const USERS = ['Tech Users', 'techUsers'] as const;
const PAIR = { identifierA: 'hubspot.com', identifierB: 'stripe.com' };
const ofVendor = (operation: string) => ({ operation, countBy: 'vendor', vendorDomain: VALUE });

/** Values that are no company, for every kind of parameter that names one. */
const UNUSABLE: ReadonlyArray<
  readonly [name: string, type: string, parameters: INodeParameters, value: string, message: RegExp]
> = [
  [...LOOKUP, '', /^"Company" is empty$/],
  [...LOOKUP, 'a/b', /neither a domain nor a slug/],
  ...['getPartnership', 'getSharedPartners', 'getPairGraph'].flatMap(
    (operation) =>
      [
        [...GRAPH, { operation, ...PAIR, identifierA: VALUE }, '', /^"Company A" is empty$/],
        [...GRAPH, { operation, ...PAIR, identifierB: VALUE }, 'x/y', /^"Company B" is neither/],
        [
          ...GRAPH,
          { operation, ...PAIR, identifierB: VALUE },
          'https://www.HubSpot.com/',
          /^Company A and Company B are the same: "hubspot\.com"$/,
        ],
      ] as const,
  ),
  [
    ...GRAPH,
    { operation: 'getReversePartners', partnerDomain: VALUE },
    'hubspot',
    /^"Partner Domain" is "hubspot": the value contains no domain/,
  ],
  [...USERS, ofVendor('getByVendor'), '', /^"Vendor Domain" is "": the field is empty$/],
  [
    ...USERS,
    ofVendor('count'),
    'hubspot',
    /^"Vendor Domain" is "hubspot": the value contains no domain/,
  ],
];

it.each(UNUSABLE)(
  '%s (%s, %j) refuses %j before anything is sent, or fails only that item',
  async (name, type, parameters, value, message) => {
    const items = [{ value: trackedDomains(sandbox, 1)[0] }, { value }];
    const stopped = await runNode(sandbox, type, parameters, items);

    expect(stopped.error).toMatchObject({
      name: 'NodeOperationError',
      message: expect.stringMatching(message),
      description: expect.stringMatching(
        /^Enter (a (company )?domain like example\.com|two different companies)/,
      ),
      context: { itemIndex: 1 },
    });
    expect(sandbox.report().requests).toBe(0);
    const run = await runNode(sandbox, type, parameters, items, settings);

    expect(sandbox.report().requests).toBeGreaterThan(0);
    const failed = run.json(name, 1).filter((item) => item['value'] === value);
    expect(failed).toEqual([
      { value, ...errorItemOf('invalid_input', expect.stringMatching(message)) },
    ]);
  },
);
