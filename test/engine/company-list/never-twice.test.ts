/** Company List: what changes something is done once, whatever n8n repeats and whatever answer is lost. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { FaultRequest } from '../../../sandbox';
import { sentTo, useSandbox } from '../shared/service';
import { ask, byId } from '../shared/nodes';
import { companyList, INVISIBLE, NAME, namesOfLists, OWN, SHARED } from './company-list';

const sandbox = useSandbox({ companies: 500 });

const RETRY = { retryOnFail: true, maxTries: 4, waitBetweenTries: 1 } as const;

interface Effect {
  readonly title: string;
  readonly method: string;
  readonly parameters: INodeParameters;
  /** How to find out whether it was done, as the error says it. */
  readonly check: RegExp;
}

const definition = '{ "root": { "field": "country", "operator": "equals", "value": "France" } }';

/** What a second sending would do again, or be refused. */
const UNREPEATABLE: Effect[] = [
  {
    title: 'Create',
    method: 'POST',
    parameters: { resource: 'list', operation: 'create', name: '={{ $json.name }}' },
    check: /Look for a list named "A" with Get Many/,
  },
  {
    title: 'Transfer Ownership',
    method: 'POST',
    parameters: { resource: 'list', operation: 'transferOwnership', user: 'user-colleague' },
    check: /See who owns the list/,
  },
  {
    title: 'Grant',
    method: 'POST',
    parameters: { resource: 'permission', operation: 'grant', user: 'user-colleague' },
    check: /See who has access/,
  },
];

/** What is the same however often it is sent. */
const REPEATABLE: Effect[] = [
  {
    title: 'Rename',
    method: 'PATCH',
    parameters: { resource: 'list', operation: 'rename', name: 'New' },
    check: /./,
  },
  {
    title: 'Delete',
    method: 'DELETE',
    parameters: { resource: 'list', operation: 'delete' },
    check: /./,
  },
  {
    title: 'Revoke',
    method: 'DELETE',
    parameters: {
      resource: 'permission',
      operation: 'revoke',
      listId: byId(SHARED),
      permissionId: byId('1'),
    },
    check: /./,
  },
];

const run = async (
  { parameters }: Effect,
  items = [{ list: OWN, name: 'A' }],
  change: Parameters<typeof companyList>[3] = {},
) =>
  await companyList(sandbox, { listId: byId('={{ $json.list }}'), ...parameters }, items, change);
const sent = (method: string) => sentTo(sandbox).filter((one) => one.method === method);

describe.each(UNREPEATABLE)('$title', (effect) => {
  const { method, check } = effect;

  it.each<[string, FaultRequest]>([
    ['the connection is reset after it was done', { preset: 'resetAfter' }],
    ['the answer is cut off', { preset: 'cutConnection' }],
    ['500', { preset: 'html500' }],
    ['200 with an HTML page', { preset: 'html200' }],
  ])('%s: sent once, the outcome is unknown, and how to check is said', async (_what, fault) => {
    sandbox.addFault({ ...fault, match: { method }, when: 'every' });
    const result = await run(effect, undefined, RETRY);

    expect(result.error).toMatchObject({
      message: expect.stringMatching(/^The service may or may not have done this \(POST/),
      description: expect.stringMatching(check),
    });
    expect(sent(method)).toHaveLength(1);
    expect(result.transcript()).not.toContain(sandbox.keys.user);
  });

  it('a 429 was surely not done: sent again', async () => {
    sandbox.addFault({ preset: 'rateLimit', options: { seconds: 0.05 }, match: { method } });
    const result = await run(effect);

    expect(result.error?.message).toBeUndefined();
    expect(sent(method).map(({ status }) => status)).toEqual([429, expect.any(Number)]);
    expect(result.json(NAME)).toHaveLength(1);
  });
});

describe.each(REPEATABLE)('$title', (effect) => {
  const { method } = effect;

  it.each<[string, FaultRequest]>([
    ['reset before it was done', { preset: 'resetBefore' }],
    ['reset after it was done', { preset: 'resetAfter' }],
    ['503', { preset: 'unavailable' }],
    ['200 with an HTML page', { preset: 'html200' }],
  ])('%s: sent again, and done', async (_what, fault) => {
    const usual = (await run(effect)).json(NAME);
    sandbox.reset();
    sandbox.addFault({ ...fault, match: { method }, when: 'first' });
    const result = await run(effect);

    expect(result.error?.message).toBeUndefined();
    expect(result.json(NAME).map(withoutTimes)).toEqual(usual.map(withoutTimes));
    expect(sent(method)).toHaveLength(2);
  });
});

/** Times differ from run to run. */
function withoutTimes(json: IDataObject): IDataObject {
  return Object.fromEntries(Object.entries(json).filter(([name]) => !name.endsWith('_at')));
}

describe.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
  'with Retry On Fail, On Error: %s',
  (onError) => {
    it.each([...UNREPEATABLE, ...REPEATABLE.slice(0, 2)])(
      '$title: when the first item fails again and again, the others are done once',
      async (effect) => {
        sandbox.addFault({
          preset: 'forbidden',
          match: { method: effect.method, bodyIncludes: '"name":"X"' },
          when: 'every',
        });
        const items = [
          { list: INVISIBLE, name: 'X' },
          { list: OWN, name: 'A' },
          { list: 'lst_000004', name: 'B' },
        ];
        await run(effect, items, { ...RETRY, onError });
        const succeeded = sent(effect.method).filter(({ status }) => (status ?? 0) < 300);
        const done =
          effect.title === 'Create'
            ? (await namesOfLists(sandbox)).filter((name) => name.length === 1)
            : succeeded.map(({ path }) => path);

        expect(new Set(done).size).toBe(done.length);
        expect(sent(effect.method).length).toBeGreaterThanOrEqual(4);
        // When it stops, what has not been sent is not sent any more.
        if (onError !== 'stopWorkflow') expect(done).toHaveLength(2);
      },
    );
  },
);

it('a definition is replaced once, also when another item fails again and again', async () => {
  await companyList(
    sandbox,
    {
      resource: 'definition',
      operation: 'replace',
      listId: byId('={{ $json.list }}'),
      definitionMode: 'json',
      definition,
    },
    [{ list: INVISIBLE }, { list: OWN }],
    { ...RETRY, onError: 'continueRegularOutput' },
  );

  expect(await ask(sandbox, 'GET', `lists/${OWN}/definition`)).toMatchObject({ version: 2 });
});

it('the same item in another execution creates another list', async () => {
  const [create] = UNREPEATABLE;
  if (create === undefined) throw new Error('There is no case.');
  await run(create, undefined, { executionId: 'list one' });
  await run(create, undefined, { executionId: 'list two' });
  await run(create, undefined, { executionId: 'list two' });

  expect((await namesOfLists(sandbox)).filter((name) => name === 'A')).toHaveLength(2);
});

it('a list that is gone at once was not deleted by this run', async () => {
  const [, remove] = REPEATABLE;
  if (remove === undefined) throw new Error('There is no case.');
  const result = await run(remove, [{ list: 'lst_999999', name: '' }]);

  expect(result.error).toMatchObject({ httpCode: '404' });
  expect(sent('DELETE')).toHaveLength(1);
});

describe.each(REPEATABLE.slice(1))(
  '$title, not found after an attempt without an answer',
  (effect) => {
    beforeEach(() => {
      sandbox.addFault({ preset: 'html502', match: { method: 'DELETE' }, when: 'first' });
    });

    it('is no success when nothing is found any more, as behind a wrong address', async () => {
      sandbox.addFault({
        preset: 'errorHtml',
        options: { status: 404 },
        when: { from: 2, to: 99 },
      });
      const result = await run(effect);

      expect(result.error).toMatchObject({ httpCode: '404' });
      expect(sent('GET')).toHaveLength(1);
    });

    it('is no success when it is still there', async () => {
      sandbox.addFault({
        preset: 'errorHtml',
        options: { status: 404 },
        match: { method: 'DELETE' },
        when: { nth: 2 },
      });
      const result = await run(effect);

      expect(result.error?.message).toMatch(/nothing to delete, but still lists it/);
      expect(sent('DELETE')).toHaveLength(2);
    });
  },
);
