/** List Members Trigger in n8n's poll context, against the local service. */
import { ManualExecutionCancelledError, UnexpectedError, type IDataObject } from 'n8n-workflow';

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

/** Lets minutes pass for the triggers. */
function moveClock() {
  const { now } = Date;
  let passedMs = 0;
  jest.spyOn(Date, 'now').mockImplementation(() => now() + passedMs);
  return {
    pass: (minutes: number) => {
      passedMs += minutes * 60_000;
    },
  };
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
    const clock = moveClock();
    const { list, workflow } = await started(1, { options: { minMinutesBetweenReads: 60 } }, n8n);
    await add(list, trackedDomains(sandbox, 3).slice(1));
    clock.pass(60);
    workflow.onEmit = () => {
      throw new Error('the database is gone');
    };
    const failed = workflow.poll();
    if (n8n === DURABLE) {
      await failed;
      // Until then, n8n could still be storing the execution.
      await workflow.poll();
      clock.pass(1);
    } else await expect(failed).rejects.toThrow(/2 changes: the database is gone/);
    workflow.onEmit = () => undefined;
    await workflow.poll();
    clock.pass(60);
    await workflow.poll();

    const ids = workflow.items.map((item) => item['change_id']);
    expect(ids).toHaveLength(4);
    expect(ids.slice(2)).toEqual(ids.slice(0, 2));
  },
);

it.each<[string, Error]>([
  ['ends before n8n looks for it', new UnexpectedError('No active execution found')],
  ['is stopped', new ManualExecutionCancelledError('7')],
])('emits changes once when the execution %s', async (_what, error) => {
  const { list, workflow } = await started(1);
  const more = trackedDomains(sandbox, 3).slice(1);
  await add(list, more);
  workflow.onEmit = () => {
    throw error;
  };
  await workflow.poll();
  workflow.onEmit = () => undefined;
  await workflow.poll();

  expect(eventsOf(workflow).sort()).toEqual(more.map((domain) => ['added', domain]).sort());
});

it('refuses once that most members were removed, and accepts it in the next poll', async () => {
  const { list, domains, workflow } = await started(12);
  for (const domain of domains) await remove(list, domain);
  await expect(workflow.poll()).rejects.toThrow(
    '12 of 12 members of the list would be removed since the last poll (100.0%)',
  );
  expect(workflow.executions).toEqual([]);
  await workflow.poll();

  expect(eventsOf(workflow).sort()).toEqual(domains.sort().map((domain) => ['removed', domain]));
});

it.each([
  ['tier', '', { tier: 'high' }],
  ['Base URL', '127.0.0.1', {}],
])('starts over silently, even with Emit Existing, for another %s', async (_what, host, change) => {
  const { list, workflow } = await started(2, { options: { emitExisting: true } });
  const [third = '', fourth = ''] = trackedDomains(sandbox, 4).slice(2);
  await add(list, [third]);
  const baseUrl = host === '' ? {} : { baseUrl: sandbox.baseUrl.replace(host, 'localhost') };
  const credentials = userCredential(sandbox, 'user', baseUrl);
  await workflow.activate({ credentials, parameters: change });
  await add(list, [fourth]);
  await workflow.poll();

  expect(eventsOf(workflow).slice(2)).toEqual([['added', fourth]]);
  expect(workflow.logsWith('Watching started over')).toHaveLength(1);
});

it('emits existing members when it watches another list', async () => {
  const { workflow } = await started(2, { options: { emitExisting: true } });
  const other = await createList(sandbox);
  await add(other, trackedDomains(sandbox, 2));
  await workflow.activate({ parameters: { listId: byId(other) } });

  expect(workflow.items).toHaveLength(4);
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

it('emits nothing once, even with Emit Existing, and says so once when its state was overwritten', async () => {
  const { list, workflow } = await started(2, { options: { emitExisting: true } });
  // An execution saves what a Code node wrote.
  workflow.overwrite({ global: { of: 'a Code node' } });
  const more = trackedDomains(sandbox, 4).slice(2);
  for (const domain of more) {
    workflow.kill();
    await workflow.activate();
    await add(list, [domain]);
    await workflow.poll();
  }

  expect(eventsOf(workflow).slice(2)).toEqual(more.map((domain) => ['added', domain]));
  expect(workflow.executions).toHaveLength(3);
  expect(workflow.logsWith('saved state was lost, unreadable')).toHaveLength(1);
});
