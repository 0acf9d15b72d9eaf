/** Tests that a failing domain costs only itself and few requests, in one run or in several. */
import fc from 'fast-check';

import {
  BadRequestError,
  ConnectionError,
  InvalidResponseError,
  UnknownOutcomeError,
  UnprocessableError,
  type ServiceError,
} from '../../../src/client/errors';
import { CreditBudget } from '../../../src/run/credit-budget';
import {
  answerFor,
  askInBatches,
  BatchService,
  domainsOf,
  jobOf,
  serverError,
} from './support/batch-service';
import { outcomeOf, SharedService } from './coalescing/support';

const said = { message: 'No', hint: '-' };

/** The node finds rejected domains by halving, and failing ones in two steps. */
const FAILURES: Array<[string, ServiceError]> = [
  ['invalid_domain', new BadRequestError({ code: 'invalid_domain', ...said, status: 400 })],
  [
    'a rejection without a code',
    new UnprocessableError({ code: 'http_422', ...said, status: 422 }),
  ],
  ['a server error (500)', serverError()],
  ['no response', new ConnectionError({ code: 'no_answer', ...said })],
  ['broken JSON', new InvalidResponseError({ code: 'invalid_response', ...said })],
];

const isTrouble = ({ failureScope }: ServiceError) => failureScope === 'uncertain';

/** Returns the maximum number of requests for a batch with `bad` bad domains. */
function mostRequests(error: ServiceError, count: number, bad: number): number {
  if (bad === 0) return 1;
  const root = Math.ceil(Math.sqrt(count));
  // If the service does not say what it rejects, the node tries smaller batches first.
  const sizes = error.code === 'http_422' ? 2 * Math.ceil(Math.log2(count + 1)) : 0;
  return isTrouble(error)
    ? 1 + root + bad * Math.max(4, root)
    : 1 + 2 * bad * Math.ceil(Math.log2(count + 1)) + sizes;
}

const world = fc.record({ count: fc.integer({ min: 1, max: 100 }), picks: fc.array(fc.nat(99)) });

/** Returns domains with so few bad ones that the service does not look completely down. */
function domainsIn({ count, picks }: { count: number; picks: number[] }, error: ServiceError) {
  const most = isTrouble(error) ? Math.ceil(Math.sqrt(count)) - 1 : 9;
  const bad = [...new Set(picks.map((pick) => pick % count))].slice(0, Math.min(most, count - 1));
  const domains = domainsOf(count);
  return { domains, bad: new Set(bad.map((index) => domains[index]!)) };
}

describe.each(FAILURES)('when the service fails on domains with %s', (_what, error) => {
  it('outputs and counts every good row once in a batch of one run', async () => {
    await fc.assert(
      fc.asyncProperty(world, async (given) => {
        const { domains, bad } = domainsIn(given, error);
        const billed: string[] = [];
        const service = new BatchService((_number, batch) => {
          if (batch.some((domain) => bad.has(domain))) return error;
          billed.push(...batch);
          return answerFor(batch);
        });
        const guard = new CreditBudget(domains.length);
        const { outcomes } = await askInBatches(jobOf(service, { domains, guard }));

        const failed = [...outcomes].flatMap(([domain, { kind }]) =>
          kind === 'row' ? [] : domain,
        );
        expect([outcomes.size, new Set(failed)]).toEqual([domains.length, bad]);
        expect(billed.sort()).toEqual(domains.filter((domain) => !bad.has(domain)).sort());
        // A domain that may have been charged counts once, however often its requests were split.
        expect(guard.maxSpent).toBe(domains.length - (error.hadNoEffect ? bad.size : 0));
        expect(service.batches.length).toBeLessThanOrEqual(
          mostRequests(error, domains.length, bad.size),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('returns each run its own rows from a request shared by many runs', async () => {
    await fc.assert(
      fc.asyncProperty(world, async (given) => {
        const { domains, bad } = domainsIn(given, error);
        const service = new SharedService((batch) =>
          batch.some((domain) => bad.has(domain)) ? error : answerFor(batch),
        );
        const outcomes = await Promise.all(
          domains.map(async (domain) => await outcomeOf(service.ask([domain]))),
        );

        const failed = domains.filter((_domain, index) => 'error' in outcomes[index]!);
        expect(new Set(failed)).toEqual(bad);
        expect(service.requests.length).toBeLessThanOrEqual(
          mostRequests(error, domains.length, bad.size),
        );
      }),
      { numRuns: 30 },
    );
  });

  it.each([3, 100, 5_000])(
    'ends after few requests and reports each domain when all of %i domains fail',
    async (count) => {
      const service = new BatchService(() => error);
      const guard = new CreditBudget(count);
      const { outcomes } = await askInBatches(jobOf(service, { domains: domainsOf(count), guard }));
      const failures = [...outcomes.values()].map((outcome) =>
        outcome.kind === 'failed' ? outcome.error.code : outcome.kind,
      );

      expect(failures).toHaveLength(count);
      expect(new Set(failures.filter((code) => code !== 'not_attempted'))).toEqual(
        new Set([error.code]),
      );
      // Up to 20 batches are in flight at once. The bound ignores the circuit breaker of the run,
      // which ends server errors sooner.
      const most = isTrouble(error) ? Math.ceil(count / 100) * 11 : 25 + (count > 100 ? 40 : 0);
      expect(service.batches.length).toBeLessThanOrEqual(most);
      if (error.hadNoEffect) expect(guard.maxSpent).toBe(0);
    },
  );
});

it('sends a request only once if it may have been processed', async () => {
  const unknown = new UnknownOutcomeError({ code: 'unknown_outcome', ...said });
  const service = new BatchService(() => unknown);
  await askInBatches(jobOf(service, { domains: domainsOf(100) }));

  expect(service.batches).toHaveLength(1);
});
