/** List Members Trigger in n8n's poll context, against the local service. */
import { UnexpectedError, type IDataObject } from 'n8n-workflow';

import { PolledWorkflow } from '../harness';
import { ask, byId } from '../shared/nodes';
import { createList, useLists } from '../list-members/list-members';
import { packageNode, trackedDomains, userCredential } from '../shared/service';

const sandbox = useLists();

afterEach(() => {
  jest.restoreAllMocks();
});

const add = async (list: string, domains: string[]) =>
  await ask(sandbox, 'POST', `lists/${list}/domains`, { domains });
const remove = async (list: string, domain: string) =>
  await ask(sandbox, 'DELETE', `lists/${list}/domains/${domain}`);

/** Prepares a trigger that watches a list of `size` companies and reads it at every poll. */
async function watched(
  size: number,
  { options, ...parameters }: IDataObject = {},
  n8n: { durableBudgetMs?: number } = {},
) {
  const list = await createList(sandbox);
  const domains = trackedDomains(sandbox, size);
  for (let from = 0; from < size; from += 100) await add(list, domains.slice(from, from + 100));
  const workflow = new PolledWorkflow({
    node: packageNode('listMembersTrigger', {
      listId: byId(list),
      ...parameters,
      options: { minMinutesBetweenReads: 0, ...(options as IDataObject | undefined) },
    }),
    credentials: userCredential(sandbox),
    ...n8n,
  });
  return { list, domains, workflow };
}

/** Like `watched`, but also runs the first poll. */
async function started(...given: Parameters<typeof watched>) {
  const one = await watched(...given);
  await one.workflow.activate();
  return one;
}

const DURABLE = { durableBudgetMs: 60_000 };

const eventsOf = (workflow: PolledWorkflow) =>
  workflow.items.map((item) => [item['event'], item['domain']]);

it('emits nothing in the first poll, then each addition and removal once', async () => {
  const { list, domains, workflow } = await started(3);
  const [fourth] = trackedDomains(sandbox, 4).slice(3);
  await workflow.poll();
  expect(workflow.executions).toEqual([]);

  await add(list, [fourth ?? '']);
  await remove(list, domains[0] ?? '');
  await workflow.poll();
  await workflow.poll();

  expect(workflow.items).toMatchObject([
    {
      event: 'added',
      domain: fourth,
      change_id: expect.stringMatching(/^[\w-]{22}$/),
      detected_at: expect.stringMatching(/Z$/),
      list_id: list,
      tier: 'high',
      company_name: expect.any(String),
    },
    {
      event: 'removed',
      domain: domains[0],
      company_name: sandbox.world.companies[0]?.name,
      tier: 'high',
    },
  ]);
});

it.each([
  // Without durable cursors, n8n saves the state only with an execution.
  ['n8n restarts', {}, 2],
  ['n8n has durable poll cursors', DURABLE, 1],
])(
  'saves changes that it does not emit, in as few executions as possible, when %s',
  async (_what, n8n, executions) => {
    const { list, domains, workflow } = await started(3, { events: ['added'] }, n8n);
    const [company = ''] = domains;
    const restart = async () => {
      workflow.kill();
      await workflow.activate();
    };
    await remove(list, company);
    await workflow.poll();
    await restart();
    await add(list, [company]);
    await restart();
    await restart();
    await workflow.poll();

    expect(workflow.executions).toHaveLength(executions);
    expect(eventsOf(workflow)).toEqual([['added', company]]);
  },
);

it.each([
  ['fails the poll', {}],
  ['has durable poll cursors', DURABLE],
])(
  'emits changes again with the same IDs when n8n could not store the execution and %s',
  async (_what, n8n) => {
    const { list, workflow } = await started(1, {}, n8n);
    await add(list, trackedDomains(sandbox, 3).slice(1));
    workflow.onEmit = () => {
      throw new Error('the database is gone');
    };
    const failed = workflow.poll();
    if (n8n === DURABLE) {
      await failed;
      // Until then, n8n could still be storing the execution.
      await workflow.poll();
      jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
    } else await expect(failed).rejects.toThrow(/2 changes: the database is gone/);
    workflow.kill();
    workflow.onEmit = () => undefined;
    await workflow.activate();
    await workflow.poll();

    const ids = workflow.items.map((item) => item['change_id']);
    expect(ids).toHaveLength(4);
    expect(ids.slice(2)).toEqual(ids.slice(0, 2));
  },
);

it('emits changes once when the execution ends before n8n looks for it', async () => {
  const { list, workflow } = await started(1);
  const more = trackedDomains(sandbox, 3).slice(1);
  await add(list, more);
  workflow.onEmit = () => {
    throw new UnexpectedError('No active execution found', { extra: { executionId: '7' } });
  };
  await workflow.poll();
  workflow.onEmit = () => undefined;
  await workflow.poll();

  expect(eventsOf(workflow).sort()).toEqual(more.map((domain) => ['added', domain]).sort());
});

it('refuses once that most members were removed, and accepts it when the next poll finds the same', async () => {
  const { list, domains, workflow } = await started(12);
  for (const domain of domains) await remove(list, domain);
  await expect(workflow.poll()).rejects.toThrow(
    '12 of 12 members of the list would be removed since the last poll (100.0%)',
  );
  expect(workflow.executions).toEqual([]);
  await add(list, domains);
  await workflow.poll();
  expect(workflow.items).toEqual([]);

  for (const domain of domains) await remove(list, domain);
  await expect(workflow.poll()).rejects.toThrow('12 of 12 members');
  const [news = ''] = trackedDomains(sandbox, 13).slice(12);
  await add(list, [news]);
  await workflow.poll();
  await workflow.poll();

  expect(workflow.items.filter(({ event }) => event === 'removed')).toHaveLength(12);
  expect(eventsOf(workflow).filter(([event]) => event === 'added')).toEqual([['added', news]]);
});

it('starts over and says why, and emits existing members only for another list', async () => {
  const { list, workflow } = await started(2, { options: { emitExisting: true } });
  const baseUrl = sandbox.baseUrl.replace('127.0.0.1', 'localhost');
  const credentials = userCredential(sandbox, 'user', { baseUrl });
  await workflow.activate({ credentials });
  await workflow.activate({ credentials, parameters: { tier: 'high' } });
  const [third = ''] = trackedDomains(sandbox, 3).slice(2);
  await add(list, [third]);
  await workflow.poll();
  expect(workflow.items.slice(2)).toMatchObject([
    { event: 'added', domain: third, note: expect.stringContaining('started over') },
  ]);

  const other = await createList(sandbox);
  await add(other, trackedDomains(sandbox, 2));
  await workflow.activate({ parameters: { listId: byId(other) } });
  expect(workflow.items).toHaveLength(5);
  expect(workflow.logsWith('started over').map((line) => /because (.*?):/.exec(line)?.[1])).toEqual(
    ['its key or tier changed', 'its key or tier changed', 'it watches something else now'],
  );
});

it('emits nothing and keeps its state when the list changes while it is read', async () => {
  const { list, workflow } = await started(150);
  const [news = ''] = trackedDomains(sandbox, 151).slice(150);
  await add(list, [news]);
  sandbox.addFault({
    preset: 'setField',
    options: { field: 'total_count', value: 150 },
    match: { path: `/v1/lists/${list}/members` },
    when: { nth: 2 },
  });
  await workflow.poll();
  expect(workflow.items).toEqual([]);
  expect(workflow.logsWith('The list changed while the trigger read it')).toHaveLength(1);
  await workflow.poll();

  expect(eventsOf(workflow)).toEqual([['added', news]]);
});

it('emits each change once when polls overlap or it is published again during a poll', async () => {
  const { list, workflow } = await watched(2, { options: { emitExisting: true } });
  const [third = '', fourth = '', fifth = ''] = trackedDomains(sandbox, 5).slice(2);
  await Promise.all([workflow.activate(), workflow.activate()]);
  workflow.kill();
  await workflow.activate();
  expect(workflow.items).toHaveLength(2);

  await add(list, [third]);
  await Promise.all([workflow.poll(), workflow.activate()]);
  expect(workflow.items).toHaveLength(3);

  await add(list, [fourth, fifth]);
  await Promise.all([workflow.poll(), workflow.poll()]);
  workflow.kill();
  await workflow.activate();
  expect(workflow.items).toHaveLength(5);
});

it('starts over when an execution has overwritten its saved state, and says so once', async () => {
  const { list, workflow } = await started(2);
  workflow.overwrite({ global: { of: 'a Code node' } });
  workflow.kill();
  await workflow.activate();
  for (const domain of trackedDomains(sandbox, 4).slice(2)) {
    await add(list, [domain]);
    await workflow.poll();
  }

  const [first, second] = workflow.items;
  expect(first?.['note']).toContain('because n8n no longer has its saved state');
  expect([second?.['event'], second?.['note']]).toEqual(['added', undefined]);
});

it('begins with a first poll when it was renamed', async () => {
  const { list, domains, workflow } = await started(2);
  await add(list, trackedDomains(sandbox, 3).slice(2));
  workflow.kill();
  await workflow.activate({ name: 'Renamed' });
  expect(workflow.items).toEqual([]);
  await remove(list, domains[0] ?? '');
  await workflow.poll();

  expect(eventsOf(workflow)).toEqual([['removed', domains[0]]]);
});

it('saves its state before the execution with the changes starts', async () => {
  const { list, workflow } = await started(2);
  await add(list, trackedDomains(sandbox, 3).slice(2));
  let found: unknown;
  workflow.onEmit = () => {
    found = structuredClone(workflow.stored);
  };
  await workflow.poll();
  // When an execution ends, it saves the static data as it was when the execution began.
  workflow.overwrite(found as typeof workflow.stored);
  workflow.kill();
  await workflow.activate();

  expect(workflow.executions).toHaveLength(1);
  expect(workflow.items).toHaveLength(1);
});
