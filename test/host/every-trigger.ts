import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { INode, INodeParameters } from 'n8n-workflow';

import { answerFrom, type TriggerData } from '../engine/shared/trigger-data';
import { TestService } from '../src/client/support/service';
import { byId, changeExample, outcomeOf } from './example';
import type { RealHost } from './harness';
import { Service, type Row } from './service';
import { dataOf, executionsOf, publish } from './workflows';

const KEYS = [6, 7, 8, 9];

/** n8n also polls when it starts. */
const POLL_EVERY_MS = 20_000;
/** Three schedules, because n8n refuses one that polls more than once a minute. */
const pollTimes = [0, 1, 2].map((poll) => {
  return { mode: 'custom', cronExpression: `${String((poll * POLL_EVERY_MS) / 1000)} * * * * *` };
});

/** Waits for a moment that is some seconds away from every poll. */
async function untilBetweenPolls(): Promise<void> {
  const since = Date.now() % POLL_EVERY_MS;
  if (since < 3_000) await sleep(3_000 - since);
  else if (since > 12_000) await sleep(POLL_EVERY_MS + 3_000 - since);
}

async function publishTrigger(
  host: RealHost,
  example: string,
  parameters: INodeParameters,
  credentials?: INode['credentials'],
) {
  const isTrigger = ({ type }: INode) => type.endsWith('Trigger');
  const often = {
    pollTimes: { item: pollTimes },
    options: { minMinutesBetweenReads: 0 },
  };
  const { id, versionId, nodes } = await changeExample(host, example, (node) => {
    if (!isTrigger(node)) return {};
    const whole = { ...node.parameters, ...often, ...parameters };
    return { parameters: whole, ...(credentials && { credentials }) };
  });
  await publish(host, { id, versionId });
  const { name = '' } = nodes.find(isTrigger) ?? {};
  const emitted = async (): Promise<Row[]> => {
    const items: Row[] = [];
    for (const execution of (await executionsOf(host, { workflowId: id })).reverse()) {
      const data = await dataOf(host, execution.id);
      if (data !== undefined) items.push(...outcomeOf(data).outputs(name));
    }
    return items;
  };
  const until = async (count: number): Promise<Row[]> => {
    const deadline = Date.now() + 600_000;
    for (;;) {
      const items = await emitted();
      if (items.length >= count) return items;
      if (Date.now() > deadline) {
        throw new Error(`${String(items.length)} items of ${name}, not ${String(count)}`);
      }
      await sleep(500);
    }
  };
  return { emitted, until };
}

/**
 * Publishes the examples with triggers on a real n8n that polls three times a minute, and waits for the first
 * poll of each. Returns functions that change the watched data.
 */
export async function publishTriggers(host: RealHost) {
  const service = new Service(host);
  const data: TriggerData = { users: [], accounts: {} };
  const changing = await TestService.start(answerFrom(data));
  const companies = await service.domains(10);
  const listId = await service.createManualList('Watched', companies.slice(0, 3));
  const addToList = async (number: number): Promise<void> => {
    await service.ask(`lists/${listId}/domains`, { domains: [companies[number]] });
  };
  const startUsing = (slug: string, day: number): void => {
    const lastSeen = new Date(Date.UTC(2026, 0, day)).toISOString();
    data.users = [...data.users, { slug, lastSeen }];
  };
  const use = (...technologies: string[]): void => {
    data.accounts = { 'alpha.com': { technologies } };
  };
  startUsing('alpha', 1);
  use('crm-a');
  const companyIntelligenceUserApi = await host.rest.saveCredential({
    name: 'A service whose data change',
    type: 'companyIntelligenceUserApi',
    data: { baseUrl: changing.baseUrl, apiKey: 'ci_user_of_this_test' },
  });
  const credentials = { companyIntelligenceUserApi };
  const techKey = byId('tracker');
  const accounts = { accounts: 'domains', domains: 'https://www.alpha.com/' };
  /** In this order: list, technology, accounts. */
  const all = [
    await publishTrigger(host, 'Notify about List Changes', { listId: byId(listId) }),
    await publishTrigger(host, 'Notify about New Technology Users', { techKey }, credentials),
    await publishTrigger(host, 'Notify about Account Changes', accounts, credentials),
  ];
  // n8n polls when it has activated the workflow, some time after it was published.
  const parts = ['/members', '/technologies/', 'POST /v1/companies'];
  for (;;) {
    const { recent } = await host.report();
    const changed = changing.received.map(({ method, url }) => `${method} ${url}`);
    const asked = [...recent.map(({ path }) => path), ...changed];
    if (parts.every((part) => asked.some((path) => path.includes(part)))) break;
    await sleep(500);
  }
  await sleep(2000);
  return {
    host,
    all,
    /** Waits until each trigger has emitted `count` items, and returns the items of each. */
    until: async (count: number): Promise<Row[][]> =>
      await Promise.all(all.map(async (trigger) => await trigger.until(count))),
    addToList,
    added: (number: number) => `added ${companies[number] ?? ''}`,
    startUsing,
    stopUsing: (gone: string): void => {
      data.users = data.users.filter(({ slug }) => slug !== gone);
    },
    use,
    changeAll: async (number: number): Promise<void> => {
      await untilBetweenPolls();
      await addToList(number);
      startUsing(`user-${String(number)}`, number);
      use('crm-a', 'chat', ...KEYS.filter((one) => one <= number).map((one) => `key-${one}`));
    },
    stop: async () => await changing.stop(),
  };
}

export type EveryTrigger = Awaited<ReturnType<typeof publishTriggers>>;

const brief = (items: readonly Row[]) =>
  items.map(({ event, domain, tech_key: key }) => [event, domain, key].filter(Boolean).join(' '));

function expectDifferentIds(told: ReadonlyArray<readonly Row[]>): void {
  const ids = told.flat().map((item) => item['change_id']);
  expect(new Set(ids).size).toBe(ids.length);
}

/**
 * Changes the watched data, and kills n8n with kill -9 between polls and while the data changes.
 * Expects that every trigger emits each change once.
 */
export async function expectEachOnce(every: EveryTrigger): Promise<void> {
  const { host } = every;
  await every.addToList(3);
  every.startUsing('beta', 2);
  every.use('crm-a', 'shop');
  await every.until(1);

  await sleep(2000);
  await host.kill();
  await every.addToList(4);
  every.startUsing('gamma', 3);
  every.use('crm-a', 'shop', 'chat');
  await host.restart();
  await every.until(2);

  await sleep(2000);
  await host.kill();
  await host.restart();
  await every.addToList(5);
  every.stopUsing('alpha');
  every.use('crm-a', 'chat');
  const told = await every.until(3);

  const [used, adopted] = ['tracker', 'technology_adopted alpha.com'];
  expect(told.map(brief)).toEqual([
    [every.added(3), every.added(4), every.added(5)],
    [
      `started_using beta.com ${used}`,
      `started_using gamma.com ${used}`,
      `no_longer_listed alpha.com ${used}`,
    ],
    [`${adopted} shop`, `${adopted} chat`, 'technology_dropped alpha.com shop'],
  ]);
  expectDifferentIds(told);
}

export const killable = {
  NODE_OPTIONS: `--require=${JSON.stringify(join(__dirname, 'kill-between.cjs'))}`,
};

/**
 * Continues after {@link expectEachOnce}. Kills n8n with kill -9 at two moments. The first is after
 * n8n has saved the triggers' state, but before it stores their executions. The second is after n8n
 * has stored executions, but before they run.
 *
 * @param atOnce how many executions n8n stores at the same time
 * @param isFirstTold whether the triggers emit the changes made before the first kill
 */
export async function expectAfterKillBetween(
  every: EveryTrigger,
  { atOnce, isFirstTold }: { readonly atOnce: number; readonly isFirstTold: boolean },
): Promise<void> {
  const { host } = every;
  const before = 3;
  const told = isFirstTold ? [6, 7, 8, 9] : [7, 8, 9];
  const killAt = async (moment: string, change: number) => {
    writeFileSync(join(host.userFolder, 'kill-at'), moment);
    await every.changeAll(change);
    await host.ended();
    await every.changeAll(change + 1);
    await host.restart();
  };

  await killAt(`unstored ${String(atOnce)}`, 6);
  await every.until(before + told.length - 2);
  await killAt('unstarted 3', 8);
  const all = await every.until(before + told.length);

  // The order of events from the same poll is not defined.
  expect(all.map((items) => brief(items.slice(before)).sort())).toEqual([
    told.map((number) => every.added(number)).sort(),
    told.map((number) => `started_using user-${String(number)}.com tracker`),
    told.map((number) => `technology_adopted alpha.com key-${String(number)}`),
  ]);
  expectDifferentIds(all);
}
