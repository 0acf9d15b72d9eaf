/** Random stories of what the service has, and how it responds to each of the three triggers. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { byId } from './nodes';

/** A response: its status and its JSON. */
type Answer = readonly [status: number, json: unknown];

const NAMES = [0, 1, 2, 3, 4, 5];
const each = <T>(value: fc.Arbitrary<T>) =>
  fc.array(value, { minLength: NAMES.length, maxLength: NAMES.length });
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
  happens: fc.constantFrom('nothing', 'nothing', 'restart', 'poll twice'),
});
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

export const history = fc.record({
  /** The field that identifies a company at every poll. */
  anchor: each(fc.constantFrom(...FIELDS)),
  /** Maximum number of rows per page. */
  cap: fc.constantFrom(2, 3, 1000),
  maxCredits: fc.constantFrom(0, 0, 3, 6, 8),
  emitExisting: fc.boolean(),
  byVendor: fc.boolean(),
  steps: fc.array(step, { minLength: 2, maxLength: 7 }),
});
export type History = typeof history extends fc.Arbitrary<infer T> ? T : never;

/** Returns the row of a company in this step. */
function rowOf(index: number, { anchor }: History, { shown, slug }: Step): IDataObject {
  const has = (field: (typeof FIELDS)[number]) =>
    anchor[index] === field || shown[index]!.includes(field);
  const variant = anchor[index] === 'slug' ? '' : `-${slug[index]}`;
  return {
    ...(has('slug') ? { slug: `s${index}${variant}` } : {}),
    ...(has('primary_domain') ? { primary_domain: `c${index}.com` } : {}),
  };
}

/** Returns the event of an item by its value in the parameter Events. */
function eventOf({ event }: IDataObject): string {
  return (event as string).replaceAll(/_(.)/g, (_all, letter: string) => letter.toUpperCase());
}

/** A trigger, its responses and its expected events in a random scenario. */
export interface Watched {
  readonly type: string;
  readonly parameters: (given: History) => IDataObject;
  readonly answer: (given: History, at: number) => (url: URL, body: string) => Answer;
  readonly sections: readonly Section[];
  readonly brief: (item: IDataObject) => string;
  /** Returns the number of billed rows if a poll reads everything. */
  readonly rows: (now: Step) => number;
}

/** A table of entities, and the events of an added, a removed and a changed entity. */
export interface Section {
  readonly events: readonly [came: string, went: string, changed?: string];
  /** Returns the value of each entity; undefined if the response does not contain all of them. */
  readonly read: (now: Step) => Record<string, string> | undefined;
}

const here = ({ here: is }: Step) => NAMES.filter((index) => is[index]);

/** What the two triggers have in common whose rows are companies. */
const OF_COMPANIES = {
  brief: (item: IDataObject) => {
    const [, index] = /"[sc](\d)(?:-\d|\.com)?"/.exec(JSON.stringify(item)) ?? [];
    return `${eventOf(item)} ${index}`;
  },
  rows: (now: Step) => here(now).length,
};

const REFUSAL: Answer = [422, { error: 'invalid_request' }];

/** Returns a part of a list. In the mood `short`, its end has fewer rows than the total says. */
function pageOf<T>(all: readonly T[], from: number, limit: number, { mood, saysTotal }: Step) {
  const rows = all.slice(from, from + limit);
  const isLast = from + limit >= all.length;
  const isShort = mood === 'short';
  // If only one row were missing, the node would assume that the total is too high by one.
  const total = saysTotal || isShort ? all.length + (isShort ? 2 : 0) : undefined;
  return { rows: isShort && isLast ? rows.slice(1) : rows, isLast, total };
}

const members: Watched = {
  type: 'listMembersTrigger',
  parameters: () => ({ listId: byId('lst_1') }),
  answer:
    (given, at) =>
    ({ pathname, searchParams: query }) => {
      const now = given.steps[at]!;
      if (pathname.endsWith('/materialize')) return [200, { total_count: here(now).length }];
      const offset = Number(query.get('offset'));
      // Only from the third page on: a rejected second page after a short first page also looks
      // like the end of the list.
      if (now.mood === 'refuses' && offset >= 2 * given.cap) return REFUSAL;
      const all = here(now).map((index) => ({
        ...rowOf(index, given, now),
        ...(now.tier[index] === '' ? {} : { tier: now.tier[index] }),
      }));
      const limit = Math.min(Number(query.get('limit')), given.cap);
      const { rows, total } = pageOf(all, offset, limit, now);
      return [200, { members: rows, total_count: total }];
    },
  sections: [
    {
      events: ['added', 'removed', 'tierChanged'],
      read: (now) => Object.fromEntries(here(now).map((index) => [index, now.tier[index]!])),
    },
  ],
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
    const all = here(now)
      .map((index) => [evidenceOf(index, given, at), index] as const)
      .sort(([one], [other]) => other - one)
      .map(([seen, index]) => ({
        ...rowOf(index, given, now),
        last_seen_at: new Date(Date.UTC(2026, 0, 1) + seen * DAY + index * 1000).toISOString(),
      }));
    return ({ pathname, searchParams: query }) => {
      const page = Number(query.get('page'));
      const limit = Math.min(Number(query.get('limit')), given.cap);
      if (now.mood === 'refuses' && page > 1) return REFUSAL;
      const { rows, total, isLast } = pageOf(all, (page - 1) * limit, limit, now);
      const header = { total_companies: total === undefined ? total : all.length };
      const pagination = { page, limit, total_results: total, has_next: !isLast };
      const name = pathname.includes('vendors') ? 'vendor' : 'technology';
      return [200, { [name]: header, data: rows, pagination }];
    };
  },
  sections: [
    {
      events: ['startedUsing', 'noLongerListed'],
      read: (now) => Object.fromEntries(here(now).map((index) => [index, ''])),
    },
  ],
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
const TECHNOLOGIES = ['technologyAdopted', 'technologyDropped'] as const;
const PARTNERS = ['partnershipGained', 'partnershipLost'] as const;

const accounts: Watched = {
  type: 'accountChangesTrigger',
  parameters: () => ({
    domains: ACCOUNTS.map((index) => `c${index}.com`).join(', '),
    events: [...TECHNOLOGIES, ...PARTNERS],
  }),
  answer: (given, at) => (_url, body) => {
    const now = given.steps[at]!;
    const { domains } = JSON.parse(body) as { domains: string[] };
    if (now.mood === 'refuses') return REFUSAL;
    return [200, { data: domains.map((domain) => accountRow(Number(domain[1]), now)) }];
  },
  sections: ACCOUNTS.flatMap((index): Section[] => {
    const entries = (keys: readonly string[] = []) =>
      Object.fromEntries(keys.map((key) => [`${index} ${key}`, '']));
    return [
      {
        events: TECHNOLOGIES,
        read: (now) =>
          now.here[index] !== true || isCut(index, now) ? undefined : entries(now.has[index]),
      },
      {
        events: PARTNERS,
        read: (now) => (now.here[index] === true ? entries(now.has[index + 3]) : undefined),
      },
    ];
  }),
  brief: ({ domain, ...item }) => {
    const [, key = '?'] = /"(?:slug-)?([a-d])(?:\.com)?"/.exec(JSON.stringify(item)) ?? [];
    return `${eventOf(item)} ${(domain as string)[1] ?? ''} ${key}`;
  },
  rows: (now) =>
    ACCOUNTS.filter((index) => now.here[index]).reduce(
      (sum, index) => sum + 1 + now.has[index + 3]!.length,
      0,
    ),
};

/** Returns whether the response lacks technologies of an account. */
const isCut = (index: number, { mood }: Step) => mood === 'short' && index === 0;

function accountRow(index: number, now: Step): unknown {
  const domain = `c${index}.com`;
  if (now.here[index] !== true) return { domain, status: 'not_tracked' };
  const technologies = now.has[index]!.map((tech_key) => ({ tech_key }));
  const partnerships = now.has[index + 3]!.map((key) => ({
    partner_slug: `slug-${key}`,
    // A partner's domain can be missing at first and appear in a later step.
    ...(now.tier[index] === '' ? {} : { partner_domain: `${key}.com` }),
  }));
  const cut = isCut(index, now);
  return {
    domain,
    status: 'tracked',
    company: { primary_domain: domain },
    technologies: cut ? technologies.slice(1) : technologies,
    technology_count: technologies.length + (cut && technologies.length === 0 ? 1 : 0),
    partnerships,
    ...(now.saysTotal ? { partnership_count: partnerships.length } : {}),
  };
}

export const TRIGGERS = [members, users, accounts];
