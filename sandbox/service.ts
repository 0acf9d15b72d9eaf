import { type Account, buildAccounts, initialCredits, type KeyLimits, KEYS } from './accounts';
import { Ledger } from './billing/ledger';
import { type Choices, DEFAULT_CHOICES } from './choices';
import { Clock } from './clock';
import { Recorder } from './control/report';
import { getWorld, type World } from './data/world';
import { FaultStore } from './faults/store';
import { errors } from './errors';
import { FlagQueue } from './flags';
import { Freshness } from './jobs/freshness';
import { JobStore } from './jobs/store';
import { LIMITS } from './limits';
import { materialize, type Materialization } from './lists/materialize';
import { SAMPLE_LISTS, sampleDefinition } from './lists/samples';
import { type List, ListStore, userOf } from './lists/store';
import { RateLimiter } from './throttle/limiter';
import type { WindowMode } from './throttle/window';
import { TechnologyUsers } from './views/technologies';

/** Options of a service. Each has a default. */
export interface ServiceOptions {
  /** Number of companies in the world. Default 3000. */
  companies?: number;
  /** Seed of the world: the same seed makes the same data. Default 1. */
  seed?: number;
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

/** All state of one running service, for all request handlers. */
export class Service {
  readonly world: World;
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly limiter: RateLimiter;
  readonly faults = new FaultStore();
  readonly recorder: Recorder;
  readonly freshness = new Freshness();
  readonly jobs: JobStore;
  readonly flags = new FlagQueue();
  readonly lists = new ListStore();
  readonly technologyUsers: TechnologyUsers;
  readonly validateResponses: boolean;
  /** Responses that failed their schema. */
  readonly violations: string[] = [];
  choices: Choices;
  latencyMs: number;
  private accounts = new Map<string, Account>();

  constructor(private readonly options: ServiceOptions) {
    this.world = getWorld(options.companies ?? 3000, options.seed ?? 1);
    this.clock = new Clock(options.timeScale ?? 1, options.now);
    this.ledger = new Ledger(this.clock, initialCredits());
    this.limiter = new RateLimiter(this.clock, options.window ?? 'fixed');
    this.recorder = new Recorder(options.reportSize ?? 5000);
    this.validateResponses = options.validateResponses ?? false;
    this.choices = this.initialChoices();
    this.latencyMs = options.latencyMs ?? 0;
    this.jobs = new JobStore(this.world, this.clock, this.freshness);
    this.technologyUsers = new TechnologyUsers(this);
    this.makeAccounts();
    this.makeSampleLists();
  }

  /** Returns the account of a key, or undefined for an unknown key. */
  accountOf(key: string): Account | undefined {
    return this.accounts.get(key);
  }

  listAccounts(): Account[] {
    return [...this.accounts.values()];
  }

  /**
   * Makes sure a user belongs to an organization.
   *
   * @throws 404 `user_not_found`
   */
  requireColleague(organizationId: string, userId: string): void {
    const known = this.listAccounts().some(
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

  /** Resets everything to the initial state. */
  reset(): void {
    this.clock.reset();
    this.ledger.reset();
    this.limiter.reset();
    this.faults.clear();
    this.recorder.reset();
    this.freshness.reset();
    this.jobs.reset();
    this.flags.reset();
    this.lists.reset();
    this.violations.length = 0;
    this.choices = this.initialChoices();
    this.latencyMs = this.options.latencyMs ?? 0;
    this.makeAccounts();
    this.makeSampleLists();
  }

  private initialChoices(): Choices {
    return structuredClone({ ...DEFAULT_CHOICES, ...this.options.choices });
  }

  private makeSampleLists(): void {
    for (const sample of SAMPLE_LISTS) {
      const account = this.accounts.get(KEYS[sample.owner])!;
      const now = this.clock.now();
      const definition = sampleDefinition(sample);
      const list = this.lists.create(userOf(account), sample.name, definition, now);
      if (sample.orgWide !== undefined) this.lists.grant(list, null, sample.orgWide, now);
    }
  }

  private makeAccounts(): void {
    const limits: KeyLimits = {
      requestsPerMinute: LIMITS.requestsPerMinute,
      requestsPerDay: LIMITS.requestsPerDay,
      ...this.options.keyLimits,
    };
    this.accounts = new Map(buildAccounts(limits).map((account) => [account.key, account]));
  }
}
