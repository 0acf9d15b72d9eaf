/** Answers of lists that are empty, not ready, or none, and what the service says with them. */
import type { INodeParameters } from 'n8n-workflow';

import { json, text, TestService, type Answering } from '../../src/client/support/service';
import { errorItemOf } from './error-items';
import { byId, runNode } from './nodes';

afterEach(async () => {
  await TestService.stopAll();
});

const LIST = byId('7');
const run = async (type: string, parameters: INodeParameters, answer: Answering) => {
  const service = await TestService.start(answer);
  const items = [{ domain: 'a.com' }];
  const result = await runNode(service, type, parameters, items, {
    onError: 'continueRegularOutput',
  });
  return { result, requests: service.received.length };
};

const LISTS: ReadonlyArray<readonly [string, string, INodeParameters]> = [
  ['Company Lookup', 'companyLookup', { operation: 'getMany', returnAll: true }],
  ['Partner Graph', 'partnerGraph', { operation: 'getPartners', identifier: 'a', returnAll: true }],
  ['List Members', 'listMembers', { operation: 'getMany', listId: LIST, returnAll: true }],
  ['Company List', 'companyList', { resource: 'list', operation: 'getMany', returnAll: true }],
  [
    'Company List',
    'companyList',
    { resource: 'permission', operation: 'getMany', listId: LIST, returnAll: true },
  ],
];

describe.each(LISTS)('%s (%#)', (name, type, parameters) => {
  it.each<[string, Answering]>([
    ['204', text('', 204)],
    ['{}', json({})],
    ['data: null', json({ data: null })],
  ])('%s is an empty list, said as such, after one request', async (_what, answer) => {
    const { result, requests } = await run(type, parameters, answer);

    expect([result.json(name), requests]).toEqual([[], 1]);
    expect(JSON.stringify(result.hints(name))).toContain('answered without a list');
  });

  it.each<[string, Answering, string]>([
    ['202', json({ status: 'computing', data: [] }, 202), 'still working on this list'],
    ['a word for it', json({ status: 'pending', data: [] }), 'still working on this list'],
    ['error', json({ data: [], error: { message: 'No room' } }), 'the service says: No room'],
    ['errors', json({ data: null, errors: [{ detail: 'Odd' }] }), 'the service says: Odd'],
    [
      'message',
      json({ error: 'maintenance', message: 'Be back soon' }),
      'the service says: Be back soon',
    ],
  ])('%s is an error in the words of the service', async (_what, answer, words) => {
    const { result } = await run(type, parameters, answer);

    expect(result.json(name)).toEqual([
      errorItemOf(
        words.startsWith('still') ? 'not_ready' : 'invalid_response',
        expect.stringContaining(words),
      ),
    ]);
  });
});

it('an error that looks like a company is none', async () => {
  const error = { name: 'ValidationError', message: 'Domain is odd', statusCode: 400 };
  const parameters = { operation: 'get', identifier: 'a.com', options: { output: 'result' } };
  const { result } = await run('companyLookup', parameters, json(error));

  expect(result.json('Company Lookup')).toEqual([
    errorItemOf('invalid_response', expect.stringContaining('Domain is odd')),
  ]);
});

it.each<[string, Answering]>([
  ['204', text('', 204)],
  ['201 with anything', json({ ok: true }, 201)],
])('a flag that is answered with %s was created', async (_what, answer) => {
  const { result, requests } = await run('flagData', { identifier: 'a.com' }, answer);

  expect(result.error).toBeUndefined();
  expect(result.json('Flag Data')[0]).not.toHaveProperty('error');
  expect(requests).toBe(1);
});

it('a list that is answered with 201 and its address was created', async () => {
  const answer = json({ ok: true }, 201, { location: 'https://x.example/v1/lists/42' });
  const parameters = { resource: 'list', operation: 'create', name: 'Mine' };
  const { result } = await run('companyList', parameters, answer);

  expect(result.json('Company List')).toEqual([
    expect.objectContaining({ list_id: '42', name: 'Mine' }),
  ]);
});
