/** One request that the service received. */
export interface RequestEntry {
  /** 1, 2, 3 … in order of arrival. */
  readonly number: number;
  /** Time of arrival, in milliseconds since 1970. */
  readonly at: number;
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** The endpoint, such as `POST /v1/companies`; null when no endpoint matched. */
  readonly endpoint: string | null;
  /** Name of the key, or null. Never the key itself. */
  key: string | null;
  /** Number of entries in the body's `domains`, or 0 without that field. */
  domains: number;
  /** HTTP status. Null while the request is in process, or if the client received no response. */
  status: number | null;
  milliseconds: number | null;
  charged: number;
  /** Name of the fault that hit the request. */
  fault: string | null;
}

/** Sums over a group of requests. */
export interface Totals {
  requests: number;
  charged: number;
  domains: number;
  byStatus: Record<string, number>;
}

/** Number of side effects by kind. */
export interface Created {
  flags: number;
  jobs: number;
  lists: number;
  domains: number;
  grants: number;
}

export interface Report extends Totals {
  byKey: Record<string, Totals>;
  byEndpoint: Record<string, Totals>;
  created: Created;
  /** Maximum number of requests in process at the same time. */
  peakConcurrency: number;
  /** TCP connections opened since the last reset. */
  connections: number;
  /** The last requests, oldest first; at most `reportSize`. */
  recent: RequestEntry[];
}

/** Records requests: sums for all of them, details for the last few thousand. */
export class Recorder {
  private totals = emptyTotals();
  private byKey = new Map<string, Totals>();
  private byEndpoint = new Map<string, Totals>();
  private recent: RequestEntry[] = [];
  private number = 0;
  private active = 0;
  private peak = 0;
  private connections = 0;
  private created: Created = nothingCreated();

  /** @param size how many requests are kept in detail */
  constructor(private readonly size: number) {}

  connected(): void {
    this.connections += 1;
  }

  /** Records that a request arrived. Every `begin` needs one `end` when the request is over. */
  begin(method: string, path: string, endpoint: string | null): RequestEntry {
    this.number += 1;
    this.active += 1;
    this.peak = Math.max(this.peak, this.active);
    const entry: RequestEntry = {
      number: this.number,
      at: Date.now(),
      method,
      path,
      endpoint,
      key: null,
      domains: 0,
      status: null,
      milliseconds: null,
      charged: 0,
      fault: null,
    };
    this.recent.push(entry);
    // Trimming in bulk keeps the cost per request constant.
    if (this.recent.length > this.size * 2) this.recent = this.recent.slice(-this.size);
    return entry;
  }

  /** Records how a request ended. `status` is null if the client received none. */
  end(entry: RequestEntry, status: number | null): void {
    this.active = Math.max(0, this.active - 1);
    entry.status = status;
    entry.milliseconds = Date.now() - entry.at;
    add(this.totals, entry);
    add(group(this.byKey, entry.key ?? '(none)'), entry);
    add(group(this.byEndpoint, entry.endpoint ?? '(unknown)'), entry);
  }

  count(kind: keyof Created, by = 1): void {
    this.created[kind] += by;
  }

  /** Returns a copy of everything recorded since the last reset. */
  report(): Report {
    return structuredClone({
      ...this.totals,
      byKey: Object.fromEntries(this.byKey),
      byEndpoint: Object.fromEntries(this.byEndpoint),
      created: this.created,
      peakConcurrency: this.peak,
      connections: this.connections,
      recent: this.recent.slice(-this.size),
    });
  }

  reset(): void {
    this.totals = emptyTotals();
    this.byKey = new Map();
    this.byEndpoint = new Map();
    this.recent = [];
    this.number = 0;
    this.active = 0;
    this.peak = 0;
    this.connections = 0;
    this.created = nothingCreated();
  }
}

function emptyTotals(): Totals {
  return { requests: 0, charged: 0, domains: 0, byStatus: {} };
}

function nothingCreated(): Created {
  return { flags: 0, jobs: 0, lists: 0, domains: 0, grants: 0 };
}

function group(groups: Map<string, Totals>, name: string): Totals {
  let totals = groups.get(name);
  if (totals === undefined) {
    totals = emptyTotals();
    groups.set(name, totals);
  }
  return totals;
}

function add(totals: Totals, entry: RequestEntry): void {
  const status = entry.status === null ? 'none' : String(entry.status);
  totals.requests += 1;
  totals.charged += entry.charged;
  totals.domains += entry.domains;
  totals.byStatus[status] = (totals.byStatus[status] ?? 0) + 1;
}
