import { type Account, buildAccounts, type KeyLimits, KEYS, type KeyName } from './accounts';
import { type Choices, DEFAULT_CHOICES } from './choices';
import { Clock } from './clock';
import { getWorld, type World } from './data/world';
import { FaultStore } from './faults/store';
import { errors } from './errors';
import { Freshness } from './jobs/freshness';
import { JobStore } from './jobs/store';
import { Ledger } from './ledger';
import { RateLimiter, type WindowMode } from './limiter';
import { LIMITS } from './limits';
import { materialize, type Materialization } from './lists/materialize';
import { REGISTRY_VERSION } from './lists/definition';
import { SAMPLE_LISTS } from './lists/samples';
import { type List, ListStore, userOf } from './lists/store';
import { Recorder } from './report';
import { TechnologyUsers } from './views/technologies';

/** Options of a service. Each has a default. */
export interface ServiceOptions {
  /** Number of companies in the world. Default 3000. */
  companies?: number;
  /** How many times faster jobs and rate windows pass. Default 1. */
  timeScale?: number;
  /** Delay of every response in milliseconds. Default 0. */
  latencyMs?: number;
  /** Kind of rate windows. Default fixed. */
  window?: WindowMode;
  /** Rate limits of every key. Default 600 requests per minute and 100,000 per day. */
  keyLimits?: Partial<KeyLimits>;
  /** Choices about behavior that the API spec leaves open. */
  choices?: Partial<Choices>;
  /** Whether to check every response against its schema. A mismatch is recorded and becomes a 500. */
  validateResponses?: boolean;
  /** Number of requests that the report keeps in detail. Default 5000. */
  reportSize?: number;
  /** Returns the real time in milliseconds. Tests can stop it. */
  now?: () => number;
}

/** Properties of a key that tests can change. */
export interface KeyChange {
  credits?: number | undefined;
  batchCeiling?: number | undefined;
  requestsPerMinute?: number | undefined;
  requestsPerDay?: number | undefined;
}

/** A flag in the data-quality review queue. It never changes company data. */
export interface Flag {
  readonly flagId: number;
  readonly companyId: number;
  readonly description?: string;
}

/** The service that a server runs. A reset replaces it with a new one. */
export interface Running {
  service: Service;
  readonly reset: () => void;
}

/** All state of one service, for all request handlers. */
export class Service {
  readonly world: World;
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly limiter: RateLimiter;
  readonly faults = new FaultStore();
  readonly recorder: Recorder;
  readonly freshness = new Freshness();
  readonly jobs: JobStore;
  readonly flags: Flag[] = [];
  readonly lists = new ListStore();
  readonly technologyUsers: TechnologyUsers;
  readonly validateResponses: boolean;
  /** The accounts by their keys. */
  readonly accounts: ReadonlyMap<string, Account>;
  /** Responses that failed their schema. */
  readonly violations: string[] = [];
  choices: Choices;
  latencyMs: number;

  constructor(options: ServiceOptions) {
    this.world = getWorld(options.companies ?? 3000);
    this.clock = new Clock(options.timeScale ?? 1, options.now);
    this.ledger = new Ledger(this.clock);
    this.limiter = new RateLimiter(this.clock, options.window ?? 'fixed');
    this.recorder = new Recorder(options.reportSize ?? 5000);
    this.validateResponses = options.validateResponses ?? false;
    this.choices = { ...DEFAULT_CHOICES, ...options.choices };
    this.latencyMs = options.latencyMs ?? 0;
    this.jobs = new JobStore(this.world, this.clock, this.freshness);
    this.technologyUsers = new TechnologyUsers(this);
    const { requestsPerMinute, requestsPerDay } = LIMITS;
    const limits = { requestsPerMinute, requestsPerDay, ...options.keyLimits };
    this.accounts = new Map(buildAccounts(limits).map((account) => [account.key, account]));
    for (const sample of SAMPLE_LISTS) {
      const owner = userOf(this.accountOf(sample.owner));
      const definition = { registry_version: REGISTRY_VERSION, root: sample.root };
      const list = this.lists.create(owner, sample.name, definition, this.clock.now());
      if (sample.orgWide !== undefined) {
        this.lists.grant(list, null, sample.orgWide, this.clock.now());
      }
    }
  }

  accountOf(name: KeyName): Account {
    return this.accounts.get(KEYS[name])!;
  }

  creditsOf(name: KeyName): number {
    return this.ledger.balanceOf(this.accountOf(name).organizationId);
  }

  /** Changes the credits and limits of a key. */
  changeKey(name: KeyName, { credits, ...limits }: KeyChange): void {
    const account = Object.assign(this.accountOf(name), limits);
    if (credits !== undefined) this.ledger.setBalance(account.organizationId, credits);
  }

  /**
   * Makes sure a user belongs to an organization.
   *
   * @throws 404 `user_not_found`
   */
  requireColleague(organizationId: string, userId: string): void {
    const known = [...this.accounts.values()].some(
      (account) => account.userId === userId && account.organizationId === organizationId,
    );
    if (!known) throw errors.notFound('user_not_found', 'Your organization has no such user.');
  }

  /** Returns a list's members from the cache. Computes them if there is no cache or `anew` is true. */
  membersOf(list: List, anew: boolean): Materialization {
    if (list.cache === null || anew) {
      const { root } = list.definition;
      list.cache = materialize(this, root, list.added, list.excluded, this.clock.now());
    }
    return list.cache;
  }
}
