/** One request that the service received. */
export interface RequestEntry {
  /** Time of arrival, in milliseconds since 1970. */
  readonly at: number;
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** Name of the key, or null. Never the key itself. */
  key: string | null;
  /** Number of entries in the body's `domains`, or 0 without that field. */
  domains: number;
  /** HTTP status. Null while the request is in process, or if the client received no response. */
  status: number | null;
  charged: number;
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
  readonly created: Created = { flags: 0, jobs: 0, lists: 0, domains: 0, grants: 0 };
  connections = 0;
  private readonly totals = emptyTotals();
  private readonly byKey: Record<string, Totals> = {};
  private recent: RequestEntry[] = [];
  private active = 0;
  private peak = 0;

  /** @param size how many requests are kept in detail */
  constructor(private readonly size: number) {}

  /** Records that a request arrived. Every `begin` needs one `end` when the request is over. */
  begin(method: string, path: string): RequestEntry {
    this.active += 1;
    this.peak = Math.max(this.peak, this.active);
    const entry: RequestEntry = {
      at: Date.now(),
      method,
      path,
      key: null,
      domains: 0,
      status: null,
      charged: 0,
    };
    this.recent.push(entry);
    // Trimming in bulk keeps the cost per request constant.
    if (this.recent.length > this.size * 2) this.recent = this.recent.slice(-this.size);
    return entry;
  }

  /** Records how a request ended. `status` is null if the client received none. */
  end(entry: RequestEntry, status: number | null): void {
    this.active -= 1;
    entry.status = status;
    add(this.totals, entry);
    add((this.byKey[entry.key ?? '(none)'] ??= emptyTotals()), entry);
  }

  /** Returns a copy of everything recorded since the last reset. */
  report(): Report {
    return structuredClone({
      ...this.totals,
      byKey: this.byKey,
      created: this.created,
      peakConcurrency: this.peak,
      connections: this.connections,
      recent: this.recent.slice(-this.size),
    });
  }
}

function emptyTotals(): Totals {
  return { requests: 0, charged: 0, domains: 0, byStatus: {} };
}

function add(totals: Totals, entry: RequestEntry): void {
  const status = entry.status === null ? 'none' : String(entry.status);
  totals.requests += 1;
  totals.charged += entry.charged;
  totals.domains += entry.domains;
  totals.byStatus[status] = (totals.byStatus[status] ?? 0) + 1;
}
