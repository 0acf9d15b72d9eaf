/** Places where cells run: each a local service with a front of its own, used by one cell at a time. */
import type { Sandbox } from '../../../sandbox';
import { REAL_TIME } from '../../../src/client/settings';
import { hubs } from '../../engine/shared/partners';
import { startUnlimitedSandbox } from '../../engine/shared/service';
import { TestService } from '../../src/client/support/service';
import type { Variant } from '../operations/variants';
import { itemsFor } from '../operations/values';
import { Front } from './front';

/** A standing-still time, so that lists are as old in one cell as in the next. */
const NOW = Date.UTC(2026, 0, 1);

export interface Slot {
  readonly sandbox: Sandbox;
  readonly front: Front;
}

/** What a variant needs to be there before its first item. */
interface Made {
  readonly jobs: string[];
  readonly permissions: string[];
  readonly lists: string[];
}

export class Slots {
  private readonly free: Slot[] = [];
  private readonly waiting: Array<(slot: Slot) => void> = [];
  private readonly all: Slot[] = [];
  private readonly usualTimes = { ...REAL_TIME };
  private readonly usualStacks = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace') ?? {};

  /** @param stranger a host of somebody else's, to which nothing may ever be sent */
  private constructor(readonly stranger: TestService) {
    // What is waited for is not what is tested here. Waits that the service asks for stay as they are.
    Object.assign(REAL_TIME, { backoffBaseMs: 1, backoffMaxMs: 4, spreadMs: 1 });
    // Jest looks up every frame of every stack in source maps, which nobody reads here.
    Error.prepareStackTrace = (error, frames) =>
      [String(error), ...frames.map(String)].join('\n    at ');
  }

  static async start(count: number): Promise<Slots> {
    const slots = new Slots(await TestService.start());
    for (let index = 0; index < count; index++) {
      // Sixty times as fast, so that `Retry-After: 60` of a running job is one second.
      const sandbox = await startUnlimitedSandbox({
        companies: 300,
        timeScale: 60,
        now: () => NOW,
      });
      const slot = { sandbox, front: await Front.start(sandbox) };
      slots.all.push(slot);
      slots.free.push(slot);
    }
    return slots;
  }

  /** Does something with a place that nobody else uses meanwhile. */
  async with<T>(work: (slot: Slot) => Promise<T>): Promise<T> {
    const slot =
      this.free.pop() ?? (await new Promise<Slot>((resolve) => this.waiting.push(resolve)));
    try {
      return await work(slot);
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.free.push(slot);
      else next(slot);
    }
  }

  async close(): Promise<void> {
    for (const { sandbox, front } of this.all) {
      await front.close();
      await sandbox.close();
    }
    await this.stranger.stop();
    Object.defineProperty(Error, 'prepareStackTrace', this.usualStacks);
    Object.assign(REAL_TIME, this.usualTimes);
  }
}

/** Puts the service back to the start and makes what the variant's items refer to. */
export async function prepare({ sandbox, front }: Slot, { shown }: Variant) {
  await front.end();
  sandbox.reset();
  // Two of the items change the same list. On a busy machine, one could fall into the other's edit.
  sandbox.setChoices({ jobSeconds: { first: 0, last: 0 }, definitionEditMs: 0 });
  const made: Made = { jobs: [], permissions: [], lists: [] };
  for (const index of [0, 1, 2]) {
    if (shown.has('jobId')) made.jobs.push(await startJob(sandbox, index));
    if (shown.has('listId') || shown.has('path')) made.lists.push(await createList(sandbox, index));
    const list = made.lists[index];
    if (list !== undefined) made.permissions.push(await grant(sandbox, list));
  }
  const items = itemsFor(sandbox, made);
  return { items, before: sandbox.report() };
}

async function ask(
  sandbox: Sandbox,
  path: string,
  body: unknown,
): Promise<Record<string, unknown>> {
  const { status, body: text } = await sandbox.ask({
    method: 'POST',
    path: `/v1/${path}`,
    headers: { 'x-api-key': sandbox.keys.user, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (status >= 300) throw new Error(`POST ${path}: ${String(status)} ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
}

async function startJob(sandbox: Sandbox, index: number): Promise<string> {
  const domains = [sandbox.world.companies[index]?.primaryDomain];
  return String((await ask(sandbox, 'companies/refresh', { domains }))['job_id']);
}

async function createList(sandbox: Sandbox, index: number): Promise<string> {
  const list = await ask(sandbox, 'lists', { name: `A list ${String(index)}` });
  const domains = hubs(sandbox);
  await ask(sandbox, `lists/${String(list['list_id'])}/domains`, { domains });
  return String(list['list_id']);
}

/** Makes two, so that a list of them is one. */
async function grant(sandbox: Sandbox, list: string): Promise<string> {
  await ask(sandbox, `lists/${list}/permissions`, { access_level: 'viewer', org_wide: true });
  const body = { access_level: 'viewer', user_id: 'user-colleague' };
  const permission = await ask(sandbox, `lists/${list}/permissions`, body);
  return String(permission['permission_id']);
}
