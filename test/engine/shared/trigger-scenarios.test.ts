/**
 * Random scenarios for the three triggers, in which the service omits, rejects or renames data.
 * Each trigger must emit every change once, and nothing that did not happen. `FULL=1` runs 1,000
 * scenarios per trigger.
 */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { REAL_TIME } from '../../../src/client/settings';
import { json, TestService } from '../../src/client/support/service';
import { PolledWorkflow } from '../harness';
import { byId } from './nodes';
import { credentialFor, packageNode } from './service';

const RUNS = process.env['FULL'] === '1' ? 1000 : 40;

/** The parts of a request that determine the response. */
interface Requested {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
}

/** A response: its status and its JSON. */
type Answer = readonly [status: number, json: unknown];

/** The current behavior of the service. */
let answer: (request: Requested) => Answer = () => [500, {}];
let service: TestService;
let real: typeof REAL_TIME;
beforeAll(async () => {
  real = { ...REAL_TIME };
  // Short waits, because these tests do not check how long retries wait.
  Object.assign(REAL_TIME, { backoffBaseMs: 1, backoffMaxMs: 2, spreadMs: 1 });
  service = await TestService.start((request, response) => {
    const { pathname: path, searchParams: query } = new URL(request.url, 'http://x.test');
    const [status, body] = answer({ path, query, body: request.body });
    json(body, status)(request, response);
  });
});
afterAll(async () => {
  Object.assign(REAL_TIME, real);
  await service.stop();
});

const COMPANIES = 6;
const each = <T>(value: fc.Arbitrary<T>) =>
  fc.array(value, { minLength: COMPANIES, maxLength: COMPANIES });
const FIELDS = ['slug', 'primary_domain'] as const;

/** A change between two polls, and the state of the service during the next poll. */
const step = fc.record({
  /** Whether each company is in the data. */
  here: each(fc.boolean()),
  tier: each(fc.constantFrom('high', 'medium', '')),
  /** The fields that identify a company in a row, in addition to its `anchor`. */
  shown: each(fc.subarray([...FIELDS])),
  /** Variant of each company's slug, because slugs can change. */
  slug: each(fc.nat(2)),
  hasNewEvidence: each(fc.boolean()),
  has: each(fc.subarray(['a', 'b', 'c', 'd'])),
  mood: fc.constantFrom('well', 'well', 'well', 'well', 'refuses', 'fails', 'short'),
  saysTotal: fc.boolean(),
  happens: fc.constantFrom('nothing', 'nothing', 'restart', 'rename', 'poll twice'),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const history = fc.record({
  /** The field that identifies a company at every poll. */
  anchor: each(fc.constantFrom(...FIELDS)),
  /** Maximum number of rows per page. */
  cap: fc.constantFrom(2, 3, 1000),
  maxCredits: fc.constantFrom(0, 0, 3, 6, 8),
  emitExisting: fc.boolean(),
  byVendor: fc.boolean(),
  steps: fc.array(step, { minLength: 2, maxLength: 7 }),
});
type History = typeof history extends fc.Arbitrary<infer T> ? T : never;

const NAMES = [0, 1, 2, 3, 4, 5];

/** Returns the row of a company in this step. */
function rowOf(
  index: number,
  { anchor }: Pick<History, 'anchor'>,
  { shown, slug }: Step,
): IDataObject {
  const all: Record<(typeof FIELDS)[number], unknown> = {
    slug:
      anchor[index] === 'slug' ? `s${String(index)}` : `s${String(index)}-${String(slug[index])}`,
    primary_domain: `c${String(index)}.com`,
  };
  const names = FIELDS.filter((name) => name === anchor[index] || shown[index]?.includes(name));
  return Object.fromEntries(names.map((name) => [name, all[name]])) as IDataObject;
}

/** Returns the number of the company in an item. */
function indexIn(item: IDataObject): number {
  const [, slug, domain] = /"s(\d)(?:-\d)?"|"c(\d)\.com"/.exec(JSON.stringify(item)) ?? [];
  return Number(slug ?? domain);
}

/** Returns the event of an item by its value in the parameter Events. */
function eventOf(item: IDataObject): string {
  return (item['event'] as string).replaceAll(/_(.)/g, (_all, letter: string) =>
    letter.toUpperCase(),
  );
}

/** A trigger, its responses and its expected events in a random scenario. */
interface Watched {
  readonly type: string;
  readonly parameters: (given: History) => IDataObject;
  readonly answer: (given: History, at: number) => (request: Requested) => Answer;
  /** Returns the events that a successful poll must emit, and updates `known`. */
  readonly news: (known: Known, given: History, now: Step, isFirst: boolean) => string[];
  readonly brief: (item: IDataObject) => string;
  /** Returns the number of billed rows if a poll reads everything. */
  readonly rows: (given: History, now: Step) => number;
}

/** The last emitted or recorded state of each entity. */
type Known = Map<string, string>;

async function holds(watched: Watched, given: History): Promise<void> {
  service.received.length = 0;
  const { maxCredits, emitExisting, steps } = given;
  const parameters = watched.parameters(given);
  const workflow = new PolledWorkflow({
    node: packageNode(watched.type, {
      ...parameters,
      options: { minMinutesBetweenReads: 0, maxGonePercent: 100, maxCredits, emitExisting },
    }),
    credentials: credentialFor(service.baseUrl),
  });
  const known: Known = new Map();
  const seen = new Set<unknown>();
  const state = { isActive: false };
  let isFirst = true;
  const look = async (poll: () => Promise<void>, now: Step, at: number) => {
    answer = watched.answer(given, at);
    const before = workflow.items.length;
    const error = await poll().then(
      () => undefined,
      (thrown: unknown) => thrown as Error,
    );
    const items = workflow.items.slice(before).filter(({ change_id: id }) => !seen.has(id));
    for (const { change_id: id } of items) seen.add(id);
    const events = items.map((item) => watched.brief(item)).sort();
    if (error !== undefined) {
      expect(events).toEqual([]);
      // Without a total, only a further request shows that a list has ended, and it could cost more.
      const needed = watched.rows(given, now) + (now.saysTotal ? 0 : 1);
      const covered = maxCredits === 0 || maxCredits >= needed;
      if (now.mood === 'well' && covered) throw error;
      return;
    }
    const news = watched.news(known, given, now, isFirst);
    expect([at, events]).toEqual([at, isFirst && !emitExisting ? [] : news.sort()]);
    isFirst = false;
  };
  for (const [at, now] of steps.entries()) {
    if (!state.isActive || now.happens === 'restart' || now.happens === 'rename') {
      workflow.kill();
      await look(
        async () => {
          state.isActive = false;
          await workflow.activate(now.happens === 'rename' ? { name: `Node ${String(at)}` } : {});
          state.isActive = true;
        },
        now,
        at,
      );
    } else await look(async () => workflow.poll(), now, at);
    if (state.isActive && now.happens === 'poll twice')
      await look(async () => workflow.poll(), now, at);
  }
}

const here = ({ here: is }: Step) => NAMES.filter((index) => is[index]);

/** What the two triggers have in common whose rows are companies. */
const OF_COMPANIES: Pick<Watched, 'brief' | 'rows'> = {
  brief: (item) => `${eventOf(item)} ${String(indexIn(item))}`,
  rows: (_given, now) => here(now).length,
};

const members: Watched = {
  type: 'listMembersTrigger',
  parameters: () => ({ listId: byId('lst_1') }),
  answer:
    (given, at) =>
    ({ query }) => {
      const now = given.steps[at]!;
      const [offset, limit] = [Number(query.get('offset')), Number(query.get('limit'))];
      if (now.mood === 'fails') return [500, { error: 'internal_error' }];
      // Only from the third page on: a rejected second page after a short first page also looks
      // like the end of the list.
      if (now.mood === 'refuses' && offset >= 2 * given.cap)
        return [422, { error: 'invalid_request' }];
      const all = here(now).map((index) => ({
        ...rowOf(index, given, now),
        ...(now.tier[index] === '' ? {} : { tier: now.tier[index] }),
      }));
      const rows = all.slice(offset, offset + Math.min(limit, given.cap));
      const kept = now.mood === 'short' && offset + given.cap >= all.length ? rows.slice(1) : rows;
      const says = now.saysTotal || now.mood === 'short';
      // If only one row were missing, the node would assume that the total is too high by one.
      const total = all.length + (now.mood === 'short' ? 2 : 0);
      return [200, { members: kept, ...(says ? { total_count: total } : {}) }];
    },
  news: (known, _given, now) => {
    const news: string[] = [];
    for (const index of NAMES) {
      const tier = now.tier[index]!;
      const before = known.get(String(index));
      if (now.here[index] !== true) {
        if (before !== undefined) news.push(`removed ${String(index)}`);
        known.delete(String(index));
        continue;
      }
      if (before === undefined) news.push(`added ${String(index)}`);
      else if (before !== '' && tier !== '' && before !== tier)
        news.push(`tierChanged ${String(index)}`);
      known.set(String(index), tier === '' ? (before ?? '') : tier);
    }
    return news;
  },
  ...OF_COMPANIES,
};

const DAY = 86_400_000;

const users: Watched = {
  type: 'techUsersTrigger',
  parameters: ({ byVendor }) => ({
    watchBy: byVendor ? 'vendor' : 'technology',
    techKey: byId('tracker'),
    vendorDomain: 'tracker.com',
    events: ['startedUsing', 'noLongerListed'],
  }),
  answer: (given, at) => {
    const now = given.steps[at]!;
    const rows = here(now)
      .map((index) => [evidenceOf(index, given, at), index] as const)
      .sort(([one], [other]) => other - one)
      .map(([seen, index]) => ({
        ...rowOf(index, given, now),
        last_seen_at: new Date(Date.UTC(2026, 0, 1) + seen * DAY + index * 1000).toISOString(),
      }));
    return ({ path, query }) => {
      const page = Number(query.get('page'));
      const limit = Math.min(Number(query.get('limit')), given.cap);
      if (now.mood === 'fails') return [500, { error: 'internal_error' }];
      if (now.mood === 'refuses' && page > 1) return [422, { error: 'invalid_request' }];
      const data = rows.slice((page - 1) * limit, page * limit);
      const isLast = page * limit >= rows.length;
      const isShort = now.mood === 'short';
      const says = now.saysTotal || isShort;
      const total = says ? { total_results: rows.length + (isShort ? 2 : 0) } : {};
      return [
        200,
        {
          [path.includes('vendors') ? 'vendor' : 'technology']: says
            ? { total_companies: rows.length }
            : {},
          data: isShort && isLast ? data.slice(1) : data,
          pagination: { page, limit, ...total, has_next: !isLast },
        },
      ];
    };
  },
  news: (known, _given, now) => {
    const news: string[] = [];
    for (const index of NAMES) {
      const [isHere, was] = [now.here[index] === true, known.has(String(index))];
      if (isHere && !was) news.push(`startedUsing ${String(index)}`);
      if (!isHere && was) news.push(`noLongerListed ${String(index)}`);
      if (isHere) known.set(String(index), '');
      else known.delete(String(index));
    }
    return news;
  },
  ...OF_COMPANIES,
};

/**
 * Returns the day of the last evidence for a company. A company that has just appeared always has
 * new evidence.
 */
function evidenceOf(index: number, { steps }: History, at: number): number {
  for (let day = at; day > 0; day--) {
    const came = steps[day - 1]?.here[index] !== true;
    if (came || steps[day]?.hasNewEvidence[index] === true) return day;
  }
  return 0;
}

const ACCOUNTS = [0, 1, 2];

/** The sections of an account, with the events for an added and a removed entry. */
const SECTIONS = [
  { name: 't', has: techOf, events: ['technologyAdopted', 'technologyDropped'] },
  { name: 'p', has: partnersOf, events: ['partnershipGained', 'partnershipLost'] },
] as const;

const accounts: Watched = {
  type: 'accountChangesTrigger',
  parameters: () => ({
    domains: ACCOUNTS.map((index) => `c${String(index)}.com`).join(', '),
    events: SECTIONS.flatMap(({ events }) => [...events]),
  }),
  answer: (given, at) => {
    const now = given.steps[at]!;
    return ({ body }) => {
      const { domains } = JSON.parse(body) as { domains: string[] };
      if (now.mood === 'fails') return [500, { error: 'internal_error' }];
      if (now.mood === 'refuses') return [422, { error: 'invalid_request' }];
      return [200, { data: domains.map((domain) => accountRow(Number(domain[1]), now)) }];
    };
  },
  news: (known, _given, now, isFirst) =>
    ACCOUNTS.flatMap((index) =>
      SECTIONS.flatMap(({ name, has, events }) =>
        newsOf(known, `${name}${String(index)}`, has(index, now), events, isFirst),
      ),
    ),
  brief: ({ domain, ...item }) => {
    const about = JSON.stringify(item);
    const [, key = '?'] = /"(?:slug-)?([a-d])(?:\.com)?"/.exec(about) ?? [];
    return `${eventOf(item)} ${(domain as string)[1] ?? ''} ${key}`;
  },
  rows: (_given, now) =>
    ACCOUNTS.filter((index) => now.here[index]).reduce(
      (sum, index) => sum + 1 + (partnersOf(index, now)?.length ?? 0),
      0,
    ),
};

/** Returns an account's technologies; undefined if the response did not contain all of them. */
function techOf(index: number, now: Step): string[] | undefined {
  if (now.here[index] !== true || (now.mood === 'short' && index === 0)) return undefined;
  return now.has[index];
}

function partnersOf(index: number, now: Step): string[] | undefined {
  return now.here[index] === true ? now.has[index + 3] : undefined;
}

function accountRow(index: number, now: Step): unknown {
  const domain = `c${String(index)}.com`;
  if (now.here[index] !== true) return { domain, status: 'not_tracked' };
  const technologies = (now.has[index] ?? []).map((tech_key) => ({ tech_key }));
  const partnerships = (partnersOf(index, now) ?? []).map((key) => ({
    partner_slug: `slug-${key}`,
    // A partner's domain can be missing at first and appear in a later step.
    ...(now.tier[index] === '' ? {} : { partner_domain: `${key}.com` }),
  }));
  const isShort = now.mood === 'short' && index === 0;
  return {
    domain,
    status: 'tracked',
    company: { primary_domain: domain },
    technologies: isShort ? technologies.slice(1) : technologies,
    technology_count: technologies.length + (isShort && technologies.length === 0 ? 1 : 0),
    partnerships,
    ...(now.saysTotal ? { partnership_count: partnerships.length } : {}),
  };
}

/**
 * Returns the events for a section of an account. After the first poll, a section that was unknown
 * before has no events.
 */
function newsOf(
  known: Known,
  section: string,
  now: string[] | undefined,
  [came, went]: readonly [string, string],
  isFirst: boolean,
): string[] {
  if (now === undefined) return [];
  const stored = known.get(section);
  const before = JSON.parse(stored ?? '[]') as string[];
  known.set(section, JSON.stringify(now));
  if (stored === undefined && !isFirst) return [];
  const of = (keys: string[], event: string) =>
    keys.map((key) => `${event} ${section.slice(1)} ${key}`);
  const added = now.filter((key) => !before.includes(key));
  return [
    ...of(added, came),
    ...of(
      before.filter((key) => !now.includes(key)),
      went,
    ),
  ];
}

it.each([
  ['List Members Trigger', members],
  ['Tech Users Trigger', users],
  ['Account Changes Trigger', accounts],
])(
  '%s emits each change once in random scenarios',
  async (_name, watched) => {
    await fc.assert(
      fc.asyncProperty(history, async (given) => {
        await holds(watched, given);
      }),
      { numRuns: RUNS },
    );
  },
  1_200_000,
);
