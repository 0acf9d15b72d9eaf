import { requestInBatches as ask, type BatchJob } from '../../../../src/run/batches';
import { CircuitBreaker } from '../../../../src/run/circuit-breaker';
import type { BatchResponse } from '../../../../src/run/responses/batch-response';
import { CreditBudget } from '../../../../src/run/credit-budget';
import type { CallOptions } from '../../../../src/client/client';
import {
  BatchTooLargeError,
  CreditExhaustedError,
  ServerError,
  UnprocessableError,
  type ServiceError,
} from '../../../../src/client/errors';

export const ENDPOINT = '/v1/companies';

export const domainsOf = (count: number): string[] =>
  Array.from({ length: count }, (_unused, index) => `company-${index}.com`);

export const serverError = (): ServiceError =>
  new ServerError({ code: 'http_500', message: 'Oops', hint: '-', status: 500 });

export const tooLarge = (): ServiceError =>
  new BatchTooLargeError({ code: 'batch_too_large', message: 'Too many', hint: '-', status: 400 });

/** Returns an error for a rejected request, without a code of the API spec. */
export const rejection = (): ServiceError =>
  new UnprocessableError({ code: 'http_422', message: 'No', hint: '-', status: 422 });

export const exhausted = (requested: number, shortfall: number): ServiceError =>
  new CreditExhaustedError({
    code: 'credit_exhausted',
    message: 'No credits',
    hint: '-',
    status: 402,
    requested,
    shortfall,
  });

export const answerFor = (domains: readonly string[]): BatchResponse => ({
  rows: new Map(domains.map((domain) => [domain, { domain, status: 'tracked' }])),
  rejected: new Set(),
  schemaMismatches: [],
});

/** Faults of a service that takes batches. Domains are given by their index. */
export interface BatchFaults {
  /** Largest batch that the service accepts. */
  readonly largest?: number;
  /** How the service refuses a larger batch; by default with the error code. */
  readonly refusal?: 'code' | '422';
  /** Domains that make the service reject the whole batch. */
  readonly rejected?: readonly number[];
  /** Domains that make the service fail on the whole batch. */
  readonly broken?: readonly number[];
  /** Number of requests that fail, whatever they contain. */
  readonly outage?: number;
  /** Credit balance of the organization. */
  readonly balance?: number;
  /** Credits per row. */
  readonly price?: number;
}

/**
 * Returns a function that responds to batches with these
 * faults: it throws, or returns one row per domain.
 */
export function createFaultyReply(
  domains: readonly string[],
  { largest = 100, refusal = 'code', rejected = [], broken = [], price = 1, ...left }: BatchFaults,
): (batch: readonly string[]) => BatchResponse {
  let { outage = 0, balance = Infinity } = left;
  return (batch) => {
    const has = (indexes: readonly number[]) =>
      indexes.some((index) => batch.includes(domains[index]!));
    outage -= 1;
    if (outage >= 0 || has(broken)) throw serverError();
    if (batch.length > largest) throw refusal === 'code' ? tooLarge() : rejection();
    if (has(rejected)) throw rejection();
    const cost = batch.length * price;
    if (cost > balance) throw exhausted(cost, cost - balance);
    balance -= cost;
    return answerFor(batch);
  };
}

/** Returns the response to a batch, by its number (1 for the first) and its domains. */
export type Reply = (number: number, batch: readonly string[]) => BatchResponse | Error;

/** Simulates one endpoint that takes batches, and records the requests. */
export class BatchService {
  /** All requested batches, including refused ones. */
  readonly batches: Array<readonly string[]> = [];
  /** Maximum number of batches in flight. */
  busiest = 0;
  private busy = 0;

  constructor(private readonly reply: Reply = (_number, batch) => answerFor(batch)) {}

  readonly ask = async (batch: readonly string[], options: CallOptions): Promise<BatchResponse> => {
    options.beforeSend?.();
    this.batches.push(batch);
    const number = this.batches.length;
    this.busy += 1;
    this.busiest = Math.max(this.busiest, this.busy);
    // Responses arrive in another order than the requests were sent.
    for (let turn = (number * 7) % 5; turn >= 0; turn -= 1) await new Promise(setImmediate);
    this.busy -= 1;
    const outcome = this.reply(number, batch);
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };

  get asked(): string[] {
    return this.batches.flat();
  }
}

/** A job, and the settings of its run. */
export interface RunJob extends BatchJob {
  readonly guard: CreditBudget;
  readonly stopAtFirstFailure: boolean;
  readonly signal: AbortSignal | undefined;
  readonly tell?: (message: string) => void;
}

/** Runs a job in a run of its own. */
export async function askInBatches({
  guard,
  stopAtFirstFailure,
  signal,
  tell = () => undefined,
  ...job
}: RunJob) {
  const breaker = new CircuitBreaker(stopAtFirstFailure);
  return await ask(job, { signal, credits: guard, breaker, warn: tell });
}

export function jobOf(service: BatchService, change: Partial<RunJob> = {}): RunJob {
  return {
    domains: [],
    request: service.ask,
    creditsOf: (row) => (row.status === 'tracked' ? 1 : 0),
    endpoint: ENDPOINT,
    ceilings: new Map(),
    batchSize: 100,
    guard: new CreditBudget(undefined),
    spendRemaining: false,
    stopAtFirstFailure: false,
    signal: undefined,
    ...change,
  };
}

/** Counts outcomes by kind, and failed ones by error code. */
export function tally(outcomes: ReadonlyMap<string, { kind: string; error?: ServiceError }>) {
  const counts: Record<string, number> = {};
  for (const { kind, error } of outcomes.values()) {
    const name = error?.code ?? kind;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
