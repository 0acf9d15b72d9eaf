/** What the soak has n8n do: one workflow each, started again and again with rows of its own. */
import type { Random } from '../sandbox/data/random';
import type { Company } from '../sandbox/data/companies';

/** A row that is put into a workflow. */
export interface Row {
  /** Its place in the run. */
  readonly n: number;
  /** What the node reads: a domain, messy text with one in it, or the key of a technology. */
  readonly text: string;
  /** Tells this row's side effect apart from all others. */
  readonly mark: string;
  /** Domains of the companies whose data is asked for, and has to be paid for once. */
  readonly asks: readonly string[];
}

export type Json = Readonly<Record<string, unknown>>;

export interface Workload {
  readonly name: string;
  /** How often it is started, compared with the others. */
  readonly weight: number;
  readonly node: Readonly<Record<string, unknown>> & { readonly type: string };
  /** Makes the rows of one run. */
  readonly rows: (supply: Supply) => Row[];
  /** What a row's success creates at the service. */
  readonly effect?: 'flag' | 'list' | 'job';
  /** Items that come out for each row: one, or the rows of a listing. */
  readonly gives: 'one' | 'many';
  /** Whether what came out for a row really belongs to it. */
  readonly fits: (item: Json, row: Row) => boolean;
}

/** Where rows come from. */
export interface Supply {
  readonly random: Random;
  readonly companies: readonly Company[];
  /** Keys of technologies whose first users are asked for. */
  readonly technologies: readonly string[];
  /**
   * Companies that use none of these: a refreshed company comes first among the users, and what was
   * paid for could not be told afterwards.
   */
  readonly refreshable: readonly Company[];
  readonly run: string;
}

/** Faults may keep the service from answering; nobody should have to wait long for that. */
const TIMEOUT = { requestTimeoutSeconds: 5 };
const RETRIED = { retryOnFail: true, maxTries: 3, waitBetweenTries: 500 };
const TO_ERRORS = { onError: 'continueErrorOutput' };
const TO_REGULAR = { onError: 'continueRegularOutput' };
const STOP = { onError: 'stopWorkflow' };

/** Users of a technology that are asked for at once. */
export const TECHNOLOGY_USERS = 150;
const BULK_DOMAINS = 100;
/** Shares of the rows that name a company nobody knows, or nothing at all. */
const UNKNOWN = 0.04;
const UNUSABLE = 0.02;

/** Begins the marks of all rows. */
export const MARK_PREFIX = 'soak ';

/** Begins the domains that the service does not know. */
export const UNKNOWN_PREFIX = 'unknown-';

function rowsOf(
  { random, run }: Supply,
  [min, max]: readonly [number, number],
  make: (n: number) => Omit<Row, 'n' | 'mark'>,
): Row[] {
  return Array.from({ length: random.int(min, max) }, (_unused, n) => ({
    n,
    mark: `${MARK_PREFIX}${run}/${String(n)}`,
    ...make(n),
  }));
}

const domainOf = ({ random, companies }: Supply): string => random.pick(companies).primaryDomain;

/** Rows as people have them: mostly known companies, now and then none. */
function leads(supply: Supply, counts: readonly [number, number], messy: boolean): Row[] {
  const { random, run } = supply;
  return rowsOf(supply, counts, (n) => {
    if (random.chance(UNUSABLE)) return { text: 'https://', asks: [] };
    if (random.chance(UNKNOWN)) {
      return { text: `${UNKNOWN_PREFIX}${run}-${String(n)}.example`, asks: [] };
    }
    const domain = domainOf(supply);
    const ways = [domain, `https://www.${domain}/about?x=1`, `Sales <sales@${domain}>`];
    return { text: messy ? random.pick(ways) : domain, asks: [domain] };
  });
}

/** Rows whose data costs nothing. */
function free(supply: Supply, counts: readonly [number, number]): Row[] {
  return rowsOf(supply, counts, () => ({ text: domainOf(supply), asks: [] }));
}

function refreshed(supply: Supply, counts: readonly [number, number]): Row[] {
  return free({ ...supply, companies: supply.refreshable }, counts);
}

const sameRow = (item: Json, row: Row): boolean => item['n'] === row.n && item['mark'] === row.mark;
const isAboutAsked = (item: Json, row: Row): boolean =>
  sameRow(item, row) && (item['enrichment'] as Json | undefined)?.['domain'] === row.asks[0];
const created = (item: Json): boolean => item['status'] === 'queued';

const lookup = {
  type: 'companyLookup',
  parameters: { operation: 'get', identifier: '={{ $json.text }}', options: TIMEOUT },
};
const flag = {
  type: 'flagData',
  parameters: {
    operation: 'create',
    identifier: '={{ $json.text }}',
    description: '={{ $json.mark }}',
    options: TIMEOUT,
  },
};

export const WORKLOADS: readonly Workload[] = [
  {
    name: 'Lookups',
    weight: 6,
    node: { ...lookup, ...TO_ERRORS },
    rows: (supply) => leads(supply, [1, 25], false),
    gives: 'one',
    fits: isAboutAsked,
  },
  {
    name: 'Lookups or stop',
    weight: 3,
    node: { ...lookup, ...STOP, ...RETRIED },
    rows: (supply) =>
      rowsOf(supply, [1, 5], () => {
        const domain = domainOf(supply);
        return { text: domain, asks: [domain] };
      }),
    gives: 'one',
    fits: isAboutAsked,
  },
  {
    name: 'Enrich companies',
    weight: 4,
    node: {
      type: 'bulkEnrich',
      parameters: {
        operation: 'enrichCompanies',
        domain: '={{ $json.text }}',
        include: ['firmographics'],
        options: TIMEOUT,
      },
      ...TO_REGULAR,
    },
    rows: (supply) => leads(supply, [20, 250], true),
    gives: 'one',
    fits: sameRow,
  },
  {
    name: 'Enrich partnerships',
    weight: 3,
    node: {
      type: 'bulkEnrich',
      parameters: {
        operation: 'enrichPartnerships',
        domain: '={{ $json.text }}',
        options: TIMEOUT,
      },
      ...TO_ERRORS,
      ...RETRIED,
    },
    rows: (supply) => leads(supply, [20, 150], true),
    gives: 'one',
    fits: sameRow,
  },
  {
    name: 'Technology users',
    weight: 1,
    node: {
      type: 'techUsers',
      parameters: {
        operation: 'getByTechnology',
        techKey: { __rl: true, mode: 'id', value: '={{ $json.text }}' },
        returnAll: false,
        limit: TECHNOLOGY_USERS,
        options: TIMEOUT,
      },
      ...TO_ERRORS,
    },
    rows: (supply) =>
      rowsOf(supply, [1, 2], () => ({ text: supply.random.pick(supply.technologies), asks: [] })),
    gives: 'many',
    fits: (item) => typeof item['domain'] === 'string',
  },
  {
    name: 'Flags',
    weight: 4,
    node: { ...flag, ...TO_ERRORS, ...RETRIED },
    rows: (supply) => free(supply, [1, 8]),
    effect: 'flag',
    gives: 'one',
    fits: created,
  },
  {
    name: 'Flags or stop',
    weight: 2,
    node: { ...flag, ...STOP, ...RETRIED },
    rows: (supply) => free(supply, [1, 4]),
    effect: 'flag',
    gives: 'one',
    fits: created,
  },
  {
    name: 'Flags by API Request',
    weight: 2,
    node: {
      type: 'apiRequest',
      parameters: {
        method: 'POST',
        path: '=companies/{{ $json.text }}/flags',
        body: '={{ JSON.stringify({ description: $json.mark }) }}',
        options: TIMEOUT,
      },
      ...TO_ERRORS,
      ...RETRIED,
    },
    rows: (supply) => free(supply, [1, 6]),
    effect: 'flag',
    gives: 'one',
    fits: created,
  },
  {
    name: 'Bulk lookup by API Request',
    weight: 1,
    node: {
      type: 'apiRequest',
      parameters: {
        method: 'POST',
        path: 'companies',
        body: '={{ JSON.stringify({ domains: $json.asks, include: ["technologies", "firmographics"] }) }}',
        options: TIMEOUT,
      },
      ...TO_REGULAR,
    },
    rows: (supply) =>
      rowsOf(supply, [1, 2], () => {
        const domains = Array.from({ length: BULK_DOMAINS }, () => domainOf(supply));
        return { text: '', asks: [...new Set(domains)] };
      }),
    gives: 'one',
    fits: (item, { asks }) => Number(item['domains_found']) === asks.length,
  },
  {
    name: 'Lists',
    weight: 2,
    node: {
      type: 'companyList',
      parameters: {
        resource: 'list',
        operation: 'create',
        name: '={{ $json.mark }}',
        options: TIMEOUT,
      },
      ...TO_REGULAR,
      ...RETRIED,
    },
    rows: (supply) => free(supply, [1, 3]),
    effect: 'list',
    gives: 'one',
    fits: (item, { mark }) => item['name'] === mark,
  },
  {
    name: 'Refresh',
    weight: 1,
    node: {
      type: 'refreshAndWait',
      parameters: { operation: 'startRefresh', domain: '={{ $json.text }}', options: TIMEOUT },
      ...TO_ERRORS,
      ...RETRIED,
    },
    rows: (supply) => refreshed(supply, [5, 90]),
    effect: 'job',
    gives: 'one',
    fits: (item) => typeof item['job_id'] === 'string',
  },
  {
    name: 'Refresh and wait',
    weight: 1,
    node: {
      type: 'refreshAndWait',
      parameters: {
        operation: 'refreshAndWait',
        domain: '={{ $json.text }}',
        options: { ...TIMEOUT, maxWaitMinutes: 5 },
      },
      ...TO_REGULAR,
    },
    rows: (supply) => refreshed(supply, [2, 20]),
    effect: 'job',
    gives: 'one',
    fits: sameRow,
  },
];
