/** Tests that a failing domain costs only itself and few requests, in one run or in several. */
import fc from 'fast-check';

import * as errors from '../../../src/client/errors';
import { CreditBudget } from '../../../src/run/credit-budget';
import {
  answerFor,
  BatchService,
  domainsOf,
  lookUp,
  rejection,
  serverError,
} from './support/batch-service';
import { SharedService } from './coalescing/support';

const text = { message: 'No', hint: '-' };

/** The node finds rejected domains by halving, and failing ones in two steps. */
const FAILURES: Array<[string, errors.ServiceError]> = [
  ['invalid_domain', new errors.BadRequestError({ code: 'invalid_domain', ...text, status: 400 })],
  ['a rejection without a code', rejection()],
  ['a server error (500)', serverError()],
  ['no response', new errors.ConnectionError({ code: 'no_answer', ...text })],
  ['broken JSON', new errors.InvalidResponseError({ code: 'invalid_response', ...text })],
];

const isTrouble = ({ failureScope }: errors.ServiceError) => failureScope === 'uncertain';

/** Returns the maximum number of requests for a batch with `bad` bad domains. */
function mostRequests(error: errors.ServiceError, count: number, bad: number): number {
  if (bad === 0) return 1;
  const root = Math.ceil(Math.sqrt(count));
  // If the service does not say what it rejects, the node tries smaller batches first.
  const sizes = error.code === 'http_422' ? 2 * Math.ceil(Math.log2(count + 1)) : 0;
  return isTrouble(error)
    ? 1 + root + bad * Math.max(4, root)
    : 1 + 2 * bad * Math.ceil(Math.log2(count + 1)) + sizes;
}

const scenarios = fc.record({
  count: fc.integer({ min: 1, max: 100 }),
  picks: fc.array(fc.nat(99)),
});

/** Returns domains with so few bad ones that the service does not look completely down. */
function domainsIn(
  { count, picks }: { count: number; picks: number[] },
  error: errors.ServiceError,
) {
  const most = isTrouble(error) ? Math.ceil(Math.sqrt(count)) - 1 : 9;
  const bad = [...new Set(picks.map((pick) => pick % count))].slice(0, Math.min(most, count - 1));
  const domains = domainsOf(count);
  return { domains, bad: new Set(bad.map((index) => domains[index]!)) };
}

describe.each(FAILURES)('when the service fails on domains with %s', (_what, error) => {
  it('outputs and counts every good row once in a batch of one run', async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, async (given) => {
        const { domains, bad } = domainsIn(given, error);
        const billed: string[] = [];
        const service = new BatchService((_number, batch) => {
          if (batch.some((domain) => bad.has(domain))) return error;
          billed.push(...batch);
          return answerFor(batch);
        });
        const credits = new CreditBudget(domains.length);
        const { outcomes } = await lookUp(service, domains, { credits });

        const failed = [...outcomes].flatMap(([domain, { kind }]) =>
          kind === 'row' ? [] : domain,
        );
        expect([outcomes.size, new Set(failed)]).toEqual([domains.length, bad]);
        expect(billed.sort()).toEqual(domains.filter((domain) => !bad.has(domain)).sort());
        // A domain that may have been charged counts once, however often its requests were split.
        expect(credits.maxSpent).toBe(domains.length - (error.hadNoEffect ? bad.size : 0));
        expect(service.batches.length).toBeLessThanOrEqual(
          mostRequests(error, domains.length, bad.size),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('returns each run its own rows from a request shared by many runs', async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, async (given) => {
        const { domains, bad } = domainsIn(given, error);
        const service = new SharedService((batch) =>
          batch.some((domain) => bad.has(domain)) ? error : answerFor(batch),
        );
        const outcomes = await service.lookUpEach(domains);

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
      const credits = new CreditBudget(count);
      const { outcomes } = await lookUp(service, count, { credits });
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
      if (error.hadNoEffect) expect(credits.maxSpent).toBe(0);
    },
  );
});

it('sends a request only once if it may have been processed', async () => {
  const unknown = new errors.UnknownOutcomeError({ code: 'unknown_outcome', ...text });
  const service = new BatchService(() => unknown);
  await lookUp(service, 100);

  expect(service.batches).toHaveLength(1);
});
