import { type Account, buildAccounts, initialCredits, type KeyLimits } from './accounts';
import { Ledger } from './billing/ledger';
import { type Choices, DEFAULT_CHOICES } from './choices';
import { Clock } from './clock';
import { Recorder } from './control/report';
import { getWorld, type World } from './data/world';
import { FaultStore } from './faults/store';
import { Freshness } from './jobs/freshness';
import { LIMITS } from './limits';
import { RateLimiter } from './throttle/limiter';
import type { WindowMode } from './throttle/window';

/** How a service is set up; every part has a default. */
export interface ServiceOptions {
  /** Companies in the world. Default 3000. */
  companies?: number;
  /** Same seed, same world. Default 1. */
  seed?: number;
  /** How many times faster jobs and rate windows pass. Default 1. */
  timeScale?: number;
  /** Milliseconds every answer is delayed. Default 0. */
  latencyMs?: number;
  /** How rate windows pass. Default fixed. */
  window?: WindowMode;
  /** Limits of every key; default 600 a minute and 100,000 a day. */
  keyLimits?: Partial<KeyLimits>;
  /** Other ways to do what the interface does not show. */
  choices?: Partial<Choices>;
  /** Check every response against its schema; a mismatch becomes a 500 and is kept. */
  validateResponses?: boolean;
  /** Requests kept in detail in the report. Default 5000. */
  reportSize?: number;
  /** Real time in milliseconds; tests may stand still. */
  now?: () => number;
}

/** All state of one running service; whoever handles a request finds everything here. */
export class Service {
  readonly world: World;
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly limiter: RateLimiter;
  readonly faults = new FaultStore();
  readonly recorder: Recorder;
  readonly freshness = new Freshness();
  readonly validateResponses: boolean;
  /** Responses that did not fit their schema. */
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
    this.makeAccounts();
  }

  /** The account behind a key; undefined for an unknown one. */
  accountOf(key: string): Account | undefined {
    return this.accounts.get(key);
  }

  listAccounts(): Account[] {
    return [...this.accounts.values()];
  }

  /** Puts everything back to how it was at the start. */
  reset(): void {
    this.clock.reset();
    this.ledger.reset();
    this.limiter.reset();
    this.faults.clear();
    this.recorder.reset();
    this.freshness.reset();
    this.violations.length = 0;
    this.choices = this.initialChoices();
    this.latencyMs = this.options.latencyMs ?? 0;
    this.makeAccounts();
  }

  private initialChoices(): Choices {
    return structuredClone({ ...DEFAULT_CHOICES, ...this.options.choices });
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
