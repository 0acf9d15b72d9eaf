import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { ChangingService } from '../engine/shared/changing-service';
import { byId } from './example';
import type { RealHost } from './harness';
import { PublishedTrigger, type Emitted } from './published-trigger';
import { Service } from './service';

/** Numbers of the changes around the kills of {@link expectAfterKillBetween}. */
const KEYS = [6, 7, 8, 9];

const seen = (day: number) => new Date(Date.UTC(2026, 0, day)).toISOString();

/**
 * The examples with triggers, published on a real n8n that polls every minute. The data of the
 * service changes during the test.
 */
export class EveryTrigger {
  private listId = '';
  private companies: string[] = [];
  private triggers: readonly PublishedTrigger[] = [];

  private constructor(
    private readonly host: RealHost,
    private readonly service: Service,
    private readonly changing: ChangingService,
  ) {}

  /** Publishes the triggers and waits for the first poll of each trigger. */
  static async publish(host: RealHost): Promise<EveryTrigger> {
    const service = new Service(host);
    const every = new EveryTrigger(host, service, await new ChangingService().start());
    every.companies = await service.domains(10);
    every.listId = String((await service.ask('lists', { name: 'Watched' }))['list_id']);
    await every.addToList(0, 1, 2);
    every.changing.users = [{ slug: 'alpha', lastSeen: seen(1) }];
    every.use('crm-a');
    await every.publishAll();
    await every.firstPolls();
    return every;
  }

  async stop(): Promise<void> {
    await this.changing.stop();
  }

  /** All triggers, in this order: list, technology, accounts. */
  get all(): readonly PublishedTrigger[] {
    return this.triggers;
  }

  /** Waits until each trigger has emitted `count` items, and returns the items of each trigger. */
  async until(count: number): Promise<Emitted[][]> {
    return await Promise.all(this.triggers.map(async (trigger) => await trigger.until(count)));
  }

  async addToList(...numbers: number[]): Promise<void> {
    const domains = numbers.map((number) => this.companies[number]);
    await this.service.ask(`lists/${this.listId}/domains`, { domains });
  }

  /** Describes the event that the list's trigger emits for an added company. */
  added(number: number): string {
    return `added ${this.companies[number] ?? ''}`;
  }

  /** Adds a company that uses the technology from now on. */
  startUsing(slug: string, day: number): void {
    this.changing.users.push({ slug, lastSeen: seen(day) });
  }

  stopUsing(gone: string): void {
    this.changing.users = this.changing.users.filter(({ slug }) => slug !== gone);
  }

  /** Sets the technologies that the account uses from now on. */
  use(...keys: string[]): void {
    const technologies = keys.map((key) => ({ key }));
    this.changing.companies = { 'alpha.com': { technologies, partnerships: {} } };
  }

  /** Expects one event more from a technology and an account when polls take longer than n8n waits. */
  async expectOnceFromSlowPolls(): Promise<void> {
    const [, users, accounts] = this.triggers;
    const before = [
      (await users?.emitted())?.length ?? 0,
      (await accounts?.emitted())?.length ?? 0,
    ];
    this.changing.delayMs = 50_000;
    this.startUsing('slow', 20);
    this.use('crm-a', 'chat', ...KEYS.map((one) => `key-${String(one)}`), 'slow');
    const items = await Promise.all(
      [users, accounts].map(async (one, index) => await one?.until((before[index] ?? 0) + 1)),
    );
    this.changing.delayMs = 0;

    expect(items.map((some) => brief(some ?? []).at(-1))).toEqual([
      'started_using slow.com tracker',
      'technology_adopted alpha.com slow',
    ]);
    expect(items.map((some) => some?.length)).toEqual(before.map((count) => count + 1));
  }

  private async publishAll(): Promise<void> {
    const { id, name } = (await this.host.rest.request('POST', '/rest/credentials', {
      name: 'A service whose data change',
      type: 'companyIntelligenceUserApi',
      data: { baseUrl: this.changing.baseUrl, apiKey: 'ci_user_of_this_test' },
    })) as { id: string; name: string };
    const credential = { id, name };
    this.triggers = [
      await PublishedTrigger.publish(this.host, 'Notify about List Changes', {
        listId: byId(this.listId),
      }),
      await PublishedTrigger.publish(
        this.host,
        'Notify about New Technology Users',
        { techKey: byId('tracker') },
        credential,
      ),
      await PublishedTrigger.publish(
        this.host,
        'Notify about Account Changes',
        { accounts: 'domains', domains: 'https://www.alpha.com/' },
        credential,
      ),
    ];
  }

  /**
   * Waits for the first poll of each trigger. n8n polls when it has activated the workflow, some
   * time after it was published.
   */
  private async firstPolls(): Promise<void> {
    const parts = ['/members', '/technologies/', 'POST /v1/companies'];
    for (;;) {
      const { recent } = await this.service.report();
      const asked = [...recent.map(({ path }) => path), ...this.changing.asked];
      if (parts.every((part) => asked.some((path) => path.includes(part)))) break;
      await sleep(500);
    }
    await sleep(2000);
  }
}

const brief = (items: readonly Emitted[]) =>
  items.map(({ event, domain, tech_key: key }) => [event, domain, key].filter(Boolean).join(' '));

/**
 * Changes the watched data, and kills n8n with kill -9 between polls and while the data changes.
 *
 * @returns a description of each trigger's events, and the IDs of all events
 */
async function killedBetweenPolls(host: RealHost, every: EveryTrigger) {
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
  return { told: told.map(brief), ids: told.flat().map((item) => item['change_id']) };
}

/** Returns the expected events for the changes of {@link killedBetweenPolls}, each change once. */
function eachOnce(every: EveryTrigger): string[][] {
  return [
    [every.added(3), every.added(4), every.added(5)],
    [
      'started_using beta.com tracker',
      'started_using gamma.com tracker',
      'no_longer_listed alpha.com tracker',
    ],
    [
      'technology_adopted alpha.com shop',
      'technology_adopted alpha.com chat',
      'technology_dropped alpha.com shop',
    ],
  ];
}

/** Expects that every trigger emits each change once, even after kill -9. */
export async function expectEachOnce(host: RealHost, every: EveryTrigger): Promise<void> {
  const { told, ids } = await killedBetweenPolls(host, every);

  expect(told).toEqual(eachOnce(every));
  expect(new Set(ids).size).toBe(9);
}

/** Environment of an n8n that a test can kill between two steps of a poll. */
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
  host: RealHost,
  every: EveryTrigger,
  { atOnce, isFirstTold }: { readonly atOnce: number; readonly isFirstTold: boolean },
): Promise<void> {
  const before = 3;
  const told = isFirstTold ? [6, 7, 8, 9] : [7, 8, 9];
  const killAt = async (moment: string, change: number) => {
    writeFileSync(join(host.userFolder, 'kill-at'), moment);
    await changeAll(every, change);
    await host.ended();
  };

  await killAt(`unstored ${String(atOnce)}`, 6);
  await changeAll(every, 7);
  await host.restart();
  await every.until(before + told.length - 2);
  await killAt('unstarted 3', 8);
  await changeAll(every, 9);
  await host.restart();
  const all = await every.until(before + told.length);

  // The order of events from the same poll is not defined.
  expect(all.map((items) => brief(items.slice(before)).sort())).toEqual([
    told.map((number) => every.added(number)).sort(),
    told.map((number) => `started_using user-${String(number)}.com tracker`),
    told.map((number) => `technology_adopted alpha.com key-${String(number)}`),
  ]);
  const ids = all.flat().map((item) => item['change_id']);
  expect(new Set(ids).size).toBe(ids.length);
}

/** Changes something for each trigger: adds a list member, a technology user and a technology. */
async function changeAll(every: EveryTrigger, number: number): Promise<void> {
  await every.addToList(number);
  every.startUsing(`user-${String(number)}`, number);
  const keys = KEYS.filter((one) => one <= number);
  every.use('crm-a', 'chat', ...keys.map((one) => `key-${String(one)}`));
}
