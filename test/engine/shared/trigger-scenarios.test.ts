/**
 * Random scenarios for the three triggers, in which the service omits, rejects or renames data.
 * Each trigger must emit every change once, and nothing that did not happen. `FULL=1` runs 1,000
 * scenarios per trigger.
 */
import fc from 'fast-check';

import { json } from '../../src/client/support/service';
import { PolledWorkflow } from '../harness';
import { credentialFor, packageNode, useService } from './service';
import {
  history,
  TRIGGERS,
  type History,
  type Section,
  type Step,
  type Watched,
} from './trigger-stories';

const service = useService();

/**
 * Returns the events that a successful poll must emit, and updates `known`. After the first poll, a
 * section that was unknown before has no events.
 */
function newsOf(
  known: Map<Section, Record<string, string>>,
  section: Section,
  now: Step,
  isFirst: boolean,
): string[] {
  const current = section.read(now);
  if (current === undefined) return [];
  const before = known.get(section) ?? {};
  const isNew = !known.has(section) && !isFirst;
  const [came, went, changed = ''] = section.events;
  const events = Object.entries({ ...before, ...current }).flatMap(([entity, value]) => {
    const [old, present] = [before[entity], current[entity]];
    // The service can omit a value; the last one then stays known.
    if (present === '' && old !== undefined) current[entity] = old;
    if (old === undefined) return [`${came} ${entity}`];
    if (present === undefined) return [`${went} ${entity}`];
    return old !== '' && value !== '' && old !== value ? [`${changed} ${entity}`] : [];
  });
  known.set(section, current);
  return isNew ? [] : events;
}

async function holds(watched: Watched, given: History): Promise<void> {
  service.received.length = 0;
  const { maxCredits, emitExisting, steps } = given;
  const workflow = new PolledWorkflow({
    node: packageNode(watched.type, {
      ...watched.parameters(given),
      options: { minMinutesBetweenReads: 0, maxCredits, emitExisting },
    }),
    credentials: credentialFor(service.baseUrl),
  });
  const known = new Map<Section, Record<string, string>>();
  const seen = new Set<unknown>();
  const state = { isActive: false };
  let isFirst = true;
  const look = async (poll: () => Promise<void>, now: Step, at: number) => {
    const answer = watched.answer(given, at);
    service.answer((request, response) => {
      const [status, data] =
        now.mood === 'fails'
          ? [500, {}]
          : answer(new URL(request.url, service.baseUrl), request.body);
      json(data, status)(request, response);
    });
    const before = workflow.items.length;
    const failureOf = async () =>
      await poll().then(
        () => undefined,
        (thrown: unknown) => thrown as Error,
      );
    const first = await failureOf();
    // A poll refuses once that more than half was removed.
    const error = first?.message.includes('would be removed') ? await failureOf() : first;
    const items = workflow.items.slice(before).filter(({ change_id: id }) => !seen.has(id));
    for (const { change_id: id } of items) seen.add(id);
    const events = items.map((item) => watched.brief(item)).sort();
    if (error !== undefined) {
      expect(events).toEqual([]);
      // Without a total, only a further request shows that a list has ended, and it could cost more.
      const needed = watched.rows(now) + (now.saysTotal ? 0 : 1);
      const covered = maxCredits === 0 || maxCredits >= needed;
      if (now.mood === 'well' && covered) throw error;
      return;
    }
    const news = watched.sections.flatMap((section) => newsOf(known, section, now, isFirst));
    expect([at, events]).toEqual([at, isFirst && !emitExisting ? [] : news.sort()]);
    isFirst = false;
  };
  for (const [at, now] of steps.entries()) {
    const { happens } = now;
    if (!state.isActive || happens === 'restart') {
      workflow.kill();
      state.isActive = false;
      const activate = async () => {
        await workflow.activate();
        state.isActive = true;
      };
      await look(activate, now, at);
    } else await look(async () => workflow.poll(), now, at);
    if (state.isActive && happens === 'poll twice')
      await look(async () => workflow.poll(), now, at);
  }
}

it.each(TRIGGERS)(
  '$type emits each change once in random scenarios',
  async (watched) => {
    await fc.assert(
      fc.asyncProperty(history, async (given) => {
        await holds(watched, given);
      }),
      { numRuns: process.env['FULL'] === '1' ? 1000 : 40 },
    );
  },
  1_200_000,
);
