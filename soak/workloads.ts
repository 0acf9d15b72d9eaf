/** The soak's workloads. Each is one workflow, which the soak starts repeatedly with new rows. */
import type { Random } from '../sandbox/data/random';
import type { Company } from '../sandbox/data/companies';

/** An input row of a workflow. */
export interface Row {
  /** Index of the row in its run. */
  readonly n: number;
  /** Input for the node: a domain, messy text that contains one, or the key of a technology. */
  readonly text: string;
  /** Unique mark that identifies this row's side effect. */
  readonly mark: string;
  /** Domains of the companies that the row requests. Each must be charged once. */
  readonly asks: readonly string[];
}

export type Json = Readonly<Record<string, unknown>>;

export interface Workload {
  readonly name: string;
  /** Relative frequency of starts. */
  readonly weight: number;
  readonly node: Readonly<Record<string, unknown>> & { readonly type: string };
  /** Creates the rows of one run. */
  readonly rows: (supply: Supply) => Row[];
  /** Kind of side effect that a successful row has at the service. */
  readonly effect?: 'flag' | 'list' | 'job';
  /** Output items per row: one, or many for a listing. */
  readonly gives: 'one' | 'many';
  /** Returns whether an output item really belongs to its row. */
  readonly fits: (item: Json, row: Row) => boolean;
}

/** Data from which workloads create rows. */
export interface Supply {
  readonly random: Random;
  readonly companies: readonly Company[];
  /** Keys of technologies whose first users the soak requests. */
  readonly technologies: readonly string[];
  /**
   * Companies that use none of these technologies. A refreshed company moves to the top of the
   * users. The soak could then no longer determine which users it was charged for.
   */
  readonly refreshable: readonly Company[];
  readonly run: string;
}

/** Use a short timeout, because faults can prevent a response. */
const TIMEOUT = { requestTimeoutSeconds: 5 };
const RETRIED = { retryOnFail: true, maxTries: 3, waitBetweenTries: 500 };
const TO_ERRORS = { onError: 'continueErrorOutput' };
const TO_REGULAR = { onError: 'continueRegularOutput' };
const STOP = { onError: 'stopWorkflow' };

/** Number of users of a technology in one request. */
export const TECHNOLOGY_USERS = 150;
const BULK_DOMAINS = 100;
/** Share of the rows with an unknown company. `UNUSABLE` is the share without any company. */
const UNKNOWN = 0.04;
const UNUSABLE = 0.02;

/** Prefix of the marks of all rows. */
export const MARK_PREFIX = 'soak ';

/** Prefix of the domains that the service does not know. */
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

/** Returns realistic rows: mostly known companies, sometimes none. */
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

/** Returns rows whose data is free. */
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
