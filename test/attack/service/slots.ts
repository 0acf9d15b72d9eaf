import type { IDataObject } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox';
import { REAL_TIME } from '../../../src/client/settings';
import { toText } from '../../../src/values/text';
import { ask } from '../../engine/shared/nodes';
import { hubs } from '../../engine/shared/partners';
import { startUnlimitedSandbox } from '../../engine/shared/service';
import { TestService } from '../../src/client/support/service';
import type { Variant } from '../operations/variants';
import { itemsFor } from '../operations/values';
import { Front } from './front';

/** A fixed time, so that lists have the same age in every cell. */
const NOW = Date.UTC(2026, 0, 1);

/** A local service with its own front, which runs one cell at a time. */
export interface Slot {
  readonly sandbox: Sandbox;
  readonly front: Front;
}

export class Slots {
  private readonly free: Slot[] = [];
  private readonly waiting: Array<(slot: Slot) => void> = [];
  private readonly all: Slot[] = [];
  private readonly usualTimes = { ...REAL_TIME };
  private readonly usualStacks = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace') ?? {};

  /** @param stranger A host of somebody else, which must never receive a request. */
  private constructor(readonly stranger: TestService) {
    // These tests are not about waits of the client.
    // Waits that the service requests stay unchanged.
    Object.assign(REAL_TIME, { backoffBaseMs: 1, backoffMaxMs: 4, spreadMs: 1 });
    // Jest looks up every stack frame in source maps, which these tests do not need.
    Error.prepareStackTrace = (error, frames) =>
      [String(error), ...frames.map(String)].join('\n    at ');
  }

  static async start(count: number): Promise<Slots> {
    const slots = new Slots(await TestService.start());
    for (let index = 0; index < count; index++) {
      // Runs 60 times as fast, so that `Retry-After: 60` of a running job takes 1 s.
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

  /** Shortens the timeout of requests from now on. */
  hurry(): void {
    Object.assign(REAL_TIME, { requestTimeoutMs: 1_000, slowTimeoutMs: 1_000 });
  }

  /** Runs `work` in a slot that no other cell uses at the same time. */
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
    await TestService.stopAll();
    for (const { sandbox } of this.all) await sandbox.close();
    Object.defineProperty(Error, 'prepareStackTrace', this.usualStacks);
    Object.assign(REAL_TIME, this.usualTimes);
  }
}

/** Resets the service, and creates the objects that the variant's items refer to. */
export async function prepare({ sandbox, front }: Slot, { shown }: Variant) {
  await front.end();
  sandbox.reset();
  // Two items change the same list. On a busy machine, their edits could overlap and conflict.
  sandbox.setChoices({ jobSeconds: { first: 0, last: 0 }, definitionEditMs: 0 });
  const made = { jobs: [] as string[], permissions: [] as string[], lists: [] as string[] };
  const make = async (path: string, body: IDataObject) => await ask(sandbox, 'POST', path, body);
  for (const index of [0, 1, 2]) {
    if (shown.has('jobId')) {
      const domains = [sandbox.world.companies[index]?.primaryDomain];
      made.jobs.push(toText((await make('companies/refresh', { domains }))['job_id']));
    }
    if (!shown.has('listId') && !shown.has('path')) continue;
    const { list_id } = await make('lists', { name: `A list ${index}` });
    const list = list_id as string;
    await make(`lists/${list}/domains`, { domains: hubs(sandbox) });
    // With two permissions, an operation that lists them returns several rows.
    await make(`lists/${list}/permissions`, { access_level: 'viewer', org_wide: true });
    const permission = await make(`lists/${list}/permissions`, {
      access_level: 'viewer',
      user_id: 'user-colleague',
    });
    made.lists.push(list);
    made.permissions.push(toText(permission['permission_id']));
  }
  return { items: itemsFor(sandbox, made), chargedBefore: sandbox.report().charged };
}
