import { requestInBatches, type BatchJob } from '../../../../src/run/batches';
import { CircuitBreaker, CreditBudget } from '../../../../src/run/run-guards';
import type { BatchResponse } from '../../../../src/run/responses/batch-response';
import * as errors from '../../../../src/client/errors';

export const ENDPOINT = '/v1/companies';

export const domainsOf = (count: number): string[] =>
  Array.from({ length: count }, (_unused, index) => `company-${index}.com`);

export const ones = (count: number): number[] => Array<number>(count).fill(1);

const words = (status: number, code = `http_${String(status)}`) => {
  return { code, message: `${code}!`, hint: '-', status };
};

export const serverError = (): errors.ServiceError => new errors.ServerError(words(500));

export const tooLarge = (): errors.ServiceError =>
  new errors.BatchTooLargeError(words(400, 'batch_too_large'));

/** Returns an error for a rejected request, without a code of the API spec. */
export const rejection = (): errors.ServiceError => new errors.UnprocessableError(words(422));

export const exhausted = (requested: number, shortfall: number): errors.ServiceError =>
  new errors.CreditExhaustedError({
    ...words(402, 'credit_exhausted'),
    details: { requested, shortfall },
  });

export const answerFor = (domains: readonly string[]): BatchResponse => ({
  rows: new Map(domains.map((domain) => [domain, { domain, status: 'tracked' }])),
  rejected: new Set(),
});

/** Faults of a service that takes batches. Domains are given by their index. */
export interface BatchFaults {
  readonly largest?: number;
  /** How the service refuses a larger batch; by default with the error code. */
  readonly refusal?: 'code' | '422';
  /** Domains that make the service reject, or fail on, the whole batch. */
  readonly rejected?: readonly number[];
  readonly broken?: readonly number[];
  readonly outage?: number;
  readonly balance?: number;
  readonly price?: number;
}

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
type Reply = (number: number, batch: readonly string[]) => BatchResponse | Error;

export class BatchService {
  readonly batches: Array<readonly string[]> = [];

  constructor(private readonly reply: Reply = (_number, batch) => answerFor(batch)) {}

  readonly request: BatchJob['request'] = async (batch, { breaker }) => {
    breaker.assertClosed();
    this.batches.push(batch);
    const number = this.batches.length;
    // Responses arrive in another order than the requests were sent.
    for (let turn = (number * 7) % 5; turn >= 0; turn -= 1) await new Promise(setImmediate);
    const outcome = this.reply(number, batch);
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };
}

export interface JobSettings extends Partial<BatchJob> {
  readonly credits?: CreditBudget | undefined;
  readonly stopAtFirstFailure?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly warn?: (message: string) => void;
}

/** Looks up domains, or this number of domains, in a run of its own. */
export async function lookUp(
  service: Pick<BatchService, 'request'>,
  domains: number | readonly string[],
  settings: JobSettings = {},
) {
  const { credits, stopAtFirstFailure, signal, warn = () => undefined, ...change } = settings;
  const job: BatchJob = {
    domains: typeof domains === 'number' ? domainsOf(domains) : domains,
    request: service.request,
    creditsOf: (row) => (row.status === 'tracked' ? 1 : 0),
    endpoint: ENDPOINT,
    ceilings: new Map(),
    batchSize: 100,
    ...change,
  };
  return await requestInBatches(job, {
    signal,
    credits: credits ?? new CreditBudget(),
    breaker: new CircuitBreaker(stopAtFirstFailure),
    warn,
  });
}

export function tally(
  outcomes: ReadonlyMap<string, { kind: string; error?: errors.ServiceError }>,
) {
  const counts: Record<string, number> = {};
  for (const { kind, error } of outcomes.values()) {
    const name = error?.code ?? kind;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** `3×100 20 → row 320`: requests in order, equal ones in a row together, and the counted outcomes. */
export function formatRequests(requests: readonly string[], counts: Record<string, number>) {
  const series: Array<{ request: string; times: number }> = [];
  for (const request of requests) {
    const last = series.at(-1);
    if (last?.request === request) last.times += 1;
    else series.push({ request, times: 1 });
  }
  const sent = series.map(({ request, times }) => (times > 1 ? `${times}×${request}` : request));
  const ends = Object.entries(counts).map(([kind, count]) => `${kind} ${count}`);
  return `${sent.join(' ')} → ${ends.sort().join(' ')}`;
}
