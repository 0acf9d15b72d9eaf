/** Include, which is read once per run and must be the same for all items. */
import type { IDataObject } from 'n8n-workflow';

import { json } from '../../src/client/support/service';
import { useService, type NodeSettings } from '../shared/service';
import { enrich, leads, NAME } from './bulk-enrich';

const service = useService();
beforeEach(() => {
  service.answer((request, response) => {
    const { domains } = JSON.parse(request.body) as { domains: string[] };
    json({ data: domains.map((domain) => ({ domain, status: 'tracked' })) })(request, response);
  });
});

const enrichWith = async (values: readonly unknown[], settings: NodeSettings = {}) => {
  const items = values.map((include, id) => ({ company: `${String(id)}.com`, include }));
  const parameters = { include: '={{ $json.include }}', output: 'result' };
  return await enrich(service, parameters, items as IDataObject[], settings);
};
const [FIRST, SECOND] = ['firmographics', 'technologies'];

it('sends one request when an expression gives all items the same sections', async () => {
  const run = await enrichWith([
    [SECOND, FIRST],
    [FIRST, SECOND],
    [FIRST, SECOND, FIRST],
  ]);

  expect(run.error).toBeUndefined();
  expect(service.received.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
    { domains: ['0.com', '1.com', '2.com'], include: [FIRST, SECOND] },
  ]);
  expect(run.traced()).toEqual([0, 1, 2]);
});

it.each([
  [[FIRST], 'Include must be the same for all items', 'use another node behind an If node'],
  [[], 'Include must be the same for all items', 'Nothing was sent'],
  ['techs', '"Include" has the invalid value "techs"', 'Use one of: Firmographics, Partnerships'],
  [[SECOND, 7], '"Include" has the invalid value "7"', 'Use one of:'],
  [
    { technologies: true },
    '"Include" has the invalid value "{"technologies":true}"',
    'Use one of:',
  ],
])('fails before a request when Include is %j for one item', async (include, message, hint) => {
  const values = [[SECOND], include];
  const { error } = await enrichWith(values);
  const run = await enrichWith(values, { onError: 'continueErrorOutput' });

  expect(error).toMatchObject({ message, description: expect.stringContaining(hint) });
  expect(run.json(NAME, 1).map((row) => row['message'])).toEqual([message, message]);
  expect(service.received).toEqual([]);
});

it('reports entries of a response that are not objects', async () => {
  const row = { domain: 'a.com', status: 'not_tracked', partnership_count: 'x' };
  service.answer(json({ results: ['a.com', row] }));
  const run = await enrich(service, { operation: 'enrichPartnerships' }, leads(['a.com']));
  const hints = run.messages(NAME).join();

  expect(hints).toContain('results.* (text instead of an object)');
  expect(hints).not.toContain('Invalid input');
});
