/** Responses without the requested data: empty, not ready, or with other content. */
import type { INodeParameters } from 'n8n-workflow';

import { json, type Answering } from '../../src/client/support/service';
import { errorItemOf } from './error-items';
import { byId, runNode } from './nodes';
import { useService } from './service';

const service = useService();

const run = async (type: string, parameters: INodeParameters, answer: Answering) => {
  service.answer(answer);
  const items = [{ domain: 'a.com' }];
  return await runNode(service, type, parameters, items, { onError: 'continueRegularOutput' });
};

const ALL = { operation: 'getMany', returnAll: true, listId: byId('7') };

it.each<[name: string, type: string, parameters: INodeParameters]>([
  ['Company Lookup', 'companyLookup', ALL],
  ['Partner Graph', 'partnerGraph', { ...ALL, operation: 'getPartners', identifier: 'a' }],
  ['List Members', 'listMembers', ALL],
  ['Company List', 'companyList', { ...ALL, resource: 'list' }],
  ['Company List', 'companyList', { ...ALL, resource: 'permission' }],
])('%s tells an empty list from no list and from an error (%#)', async (name, type, parameters) => {
  const outputFor = async (answer: unknown) =>
    (await run(type, parameters, json(answer))).json(name);
  const failed = (words: string) => [
    errorItemOf('invalid_response', expect.stringContaining(words)),
  ];

  expect(await outputFor({ data: null })).toEqual([]);
  expect(await outputFor({})).toEqual(failed('has no list'));
  expect(await outputFor({ error: 'maintenance', message: 'Soon' })).toEqual(
    failed('service says: Soon'),
  );
});

it('reports entries of a batch response that are not objects', async () => {
  const row = { domain: 'a.com', status: 'not_tracked', partnership_count: 'x' };
  const parameters = { operation: 'enrichPartnerships', domain: '={{ $json.domain }}' };
  const result = await run('bulkEnrich', parameters, json({ results: ['a.com', row] }));
  const hints = JSON.stringify(result.hints('Bulk Enrich'));

  expect(hints).toContain('results.* (text instead of an object, 1 time)');
  expect(hints).not.toContain('Invalid input');
});

it.each([
  [{ nodes: 'x', edges: [] }, 'nodes should be a list'],
  [{ nodes: [{ id: {} }], edges: [] }, 'nodes: entry 1 has no id "id"'],
  [{ nodes: [7], edges: [] }, 'nodes: entry 1 is not usable'],
  [{ nodes: [], edges: [{ source: 1 }] }, 'edges: entry 1 has no id "target"'],
])('rejects the graph %j: %s', async (answer, words) => {
  const parameters = { operation: 'getGraph', identifier: 'a', graphOutput: 'rows' };
  const [failed] = (await run('partnerGraph', parameters, json(answer))).json('Partner Graph');

  expect(failed?.['message']).toBe(`The response is not a graph: ${words}`);
});
