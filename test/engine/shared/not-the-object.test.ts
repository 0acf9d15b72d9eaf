/** A success answer that is none, and lists with entries that are no objects. */
import type { INodeParameters } from 'n8n-workflow';

import { json, TestService } from '../../src/client/support/service';
import { useService } from './service';
import { errorItemOf } from './error-items';
import { byId, runNode } from './nodes';

const service = useService();

const LIST = byId('7');
const run = async (type: string, parameters: INodeParameters, of: TestService = service) =>
  await runNode(of, type, parameters, [{ domain: 'a.com' }], { onError: 'continueRegularOutput' });

const ONE: Array<[string, string, INodeParameters]> = [
  [
    'Company Lookup',
    'companyLookup',
    { operation: 'get', identifier: 'a.com', options: { output: 'result' } },
  ],
  [
    'Partner Graph',
    'partnerGraph',
    { operation: 'getPartnership', identifierA: 'a', identifierB: 'b' },
  ],
  ['Partner Graph', 'partnerGraph', { operation: 'getGraph', identifier: 'a' }],
  ['Refresh and Wait', 'refreshAndWait', { operation: 'getJob', jobId: '7' }],
  ['List Members', 'listMembers', { operation: 'materialize', listId: LIST }],
  ['Company List', 'companyList', { resource: 'list', operation: 'get', listId: LIST }],
];

const NONE = [
  {},
  { error: 'internal', message: 'Sorry' },
  { detail: { error: 'x', message: 'y' } },
  { error: { name: 'NotFound', code: 'x' } },
  { data: {} },
  { data: { error: 'x' } },
  { data: null },
];

it.each(ONE)(
  '%s (%#): a success without any of its fields is an error',
  async (name, type, parameters) => {
    // At once, because each is asked for again before it is given up.
    await Promise.all(
      NONE.map(async (answer) => {
        const own = await TestService.start(json(answer));
        const result = await run(type, parameters, own);

        expect([answer, result.json(name)]).toEqual([
          answer,
          [
            errorItemOf(
              'invalid_response',
              expect.stringMatching(/^The answer is not what was asked for/),
            ),
          ],
        ]);
      }),
    );
  },
);

it.each([{ data: { name: 'A', extra: 1 } }, { name: 'A', extra: 1 }])(
  'a company is found as %j',
  async (answer) => {
    service.answer(json(answer));
    const result = await run('companyLookup', {
      operation: 'get',
      identifier: 'a.com',
      simplify: false,
      options: { output: 'result' },
    });

    expect(result.json('Company Lookup')).toEqual([{ name: 'A', extra: 1 }]);
  },
);

it('a flag without any of its fields may or may not have been made', async () => {
  service.answer(json({ error: 'x', message: 'y' }, 201));
  const result = await run('flagData', { operation: 'create', identifier: 'a.com' });

  expect(result.json('Flag Data')).toEqual([errorItemOf('unknown_outcome')]);
  expect(service.received).toHaveLength(1);
});

it('entries of a list that are no objects do not vanish', async () => {
  service.answer(json({ data: [{ name: 'A' }, 'b.com', null, 7, ['x']] }));
  const result = await run('companyLookup', {
    operation: 'getMany',
    limit: 10,
    simplify: false,
  });

  expect(result.json('Company Lookup')).toEqual([
    { name: 'A' },
    { value: 'b.com' },
    // A value that is null has no column, but the entry has its item.
    {},
    { value: 7 },
    { value: ['x'] },
  ]);
});

it('entries of a batch answer that are no objects are told', async () => {
  service.answer(
    json({
      results: ['a.com', { domain: 'a.com', status: 'not_tracked', partnership_count: 'x' }],
    }),
  );
  const result = await run('bulkEnrich', {
    operation: 'enrichPartnerships',
    domain: '={{ $json.domain }}',
  });
  const hints = result.hints('Bulk Enrich').map(({ message }) => message);

  expect(hints.join(' ')).toContain('results (not only objects in it)');
  expect(hints.join(' ')).not.toContain('Invalid input');
});
