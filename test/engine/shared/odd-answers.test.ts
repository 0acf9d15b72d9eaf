/**
 * Responses without the requested data: empty, not ready, or with other content.
 */
import type { INodeParameters } from 'n8n-workflow';

import { json, TestService, text, type Answering } from '../../src/client/support/service';
import { errorItemOf } from './error-items';
import { byId, runNode } from './nodes';
import { useService } from './service';

const service = useService();

const listId = byId('7');
const run = async (
  type: string,
  parameters: INodeParameters,
  answer: Answering,
  at: TestService = service,
) => {
  at.answer(answer);
  const items = [{ domain: 'a.com' }];
  return await runNode(at, type, parameters, items, { onError: 'continueRegularOutput' });
};

type Case = readonly [name: string, type: string, parameters: INodeParameters];

/**
 * Returns the output for each response. Runs them at the same time, because the node waits before
 * it repeats some requests.
 */
const itemsOf = async ([name, type, parameters]: Case, answers: readonly Answering[]) =>
  await Promise.all(
    answers.map(async (answer) =>
      (await run(type, parameters, answer, await TestService.start())).json(name),
    ),
  );
const ALL = { operation: 'getMany', returnAll: true };
const LISTS: readonly Case[] = [
  ['Company Lookup', 'companyLookup', ALL],
  ['Partner Graph', 'partnerGraph', { ...ALL, operation: 'getPartners', identifier: 'a' }],
  ['List Members', 'listMembers', { ...ALL, listId }],
  ['Company List', 'companyList', { ...ALL, resource: 'list' }],
  ['Company List', 'companyList', { ...ALL, resource: 'permission', listId }],
];

const OTHERS: ReadonlyArray<readonly [answer: Answering, code: string, words: string]> = [
  [json({ status: 'computing', data: [] }, 202), 'not_ready', 'still processing this request'],
  [
    json({ data: [], error: { message: 'No room' } }),
    'invalid_response',
    'The response is an error',
  ],
  [json({ error: 'maintenance', message: 'Soon' }), 'invalid_response', 'service says: Soon'],
];

describe.each(LISTS)('%s (%#)', (name, type, parameters) => {
  it('returns no rows for a list that Go wrote as null, and an error for no list at all', async () => {
    const empty = await run(type, parameters, json({ data: null }));
    const none = await itemsOf([name, type, parameters], [text('', 204), json({})]);

    expect(empty.json(name)).toEqual([]);
    const failed = errorItemOf('invalid_response', expect.stringContaining('has no list'));
    expect(none).toEqual([[failed], [failed]]);
  });

  it('reports the message of the service when the response is an error or not ready', async () => {
    const errors = await itemsOf(
      [name, type, parameters],
      OTHERS.map(([answer]) => answer),
    );

    expect(errors).toEqual(
      OTHERS.map(([, code, words]) => [errorItemOf(code, expect.stringContaining(words))]),
    );
  });
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
  [{ nodes: [{ id: {} }], edges: [] }, 'nodes: entry 1 has no id \\"id\\"'],
  [{ nodes: [7], edges: [] }, 'nodes: entry 1 is not usable'],
  [{ nodes: [], edges: [{ source: 1 }] }, 'edges: entry 1 has no id \\"target\\"'],
])('rejects the graph %j: %s', async (answer, words) => {
  const parameters = { operation: 'getGraph', identifier: 'a', graphOutput: 'rows' };
  const result = await run('partnerGraph', parameters, json(answer));

  expect(JSON.stringify(result.json('Partner Graph'))).toContain(
    `"message":"The response is not a graph: ${words}"`,
  );
});
