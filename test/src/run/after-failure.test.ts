/** Tests the rule for a failed request of several domains: failure × slices × what is known. */
import fc from 'fast-check';

import * as errors from '../../../src/client/errors';
import { afterFailure, splitAndRetry, type NextStep } from '../../../src/run/after-failure';
import {
  exhausted,
  firstOf,
  ones,
  rejection,
  serverError,
  tooLarge,
} from './support/batch-service';

const text = { message: 'No', hint: '-' };
const invalidDomain: errors.ServiceError = new errors.BadRequestError({
  code: 'invalid_domain',
  ...text,
  status: 400,
});
const noAnswer = new errors.ConnectionError({ code: 'no_answer', ...text });
const unreadable = new errors.InvalidResponseError({ code: 'invalid_response', ...text });

const FAILURES = {
  batch_too_large: tooLarge(),
  'a rejection without a code': rejection(),
  invalid_domain: invalidDomain,
  'a server error': serverError(),
  'no response': noAnswer,
  'an unreadable response': unreadable,
  'a response that is too large': new errors.InvalidResponseError({
    code: 'response_too_large',
    ...text,
  }),
};

const FAIL: NextStep = { is: 'fail' };
const parts = (size: number): NextStep => ({ is: 'parts', size });
const smaller = (size: number): NextStep => ({ is: 'smaller', size });

interface Request {
  /** Number of domains of each slice; a number stands for so many slices of one domain. */
  readonly slices: number | number[];
  /** Largest number of domains that the service has accepted. */
  readonly taken?: number;
  readonly isPart?: boolean;
}

it.each<[keyof typeof FAILURES, Request, NextStep]>([
  // A single slice cannot be split.
  ['a rejection without a code', { slices: 1 }, FAIL],
  ['a server error', { slices: 1 }, FAIL],
  ['a server error', { slices: [40] }, FAIL],
  // The batch is halved.
  ['batch_too_large', { slices: 100 }, smaller(50)],
  ['batch_too_large', { slices: 100, taken: 100 }, smaller(50)],
  ['batch_too_large', { slices: [60, 5] }, smaller(1)],
  ['a rejection without a code', { slices: 99, taken: 50 }, smaller(49)],
  // A batch of this size was accepted, so the rejection is about one domain.
  ['a rejection without a code', { slices: 50, taken: 50 }, parts(25)],
  ['invalid_domain', { slices: 50 }, parts(25)],
  // The failing domain is found in two steps.
  ['a server error', { slices: 3 }, parts(1)],
  ['a server error', { slices: 4 }, parts(1)],
  ['a server error', { slices: 100, taken: 100 }, parts(10)],
  ['a server error', { slices: 10, isPart: true }, parts(1)],
  ['no response', { slices: [1, 20, 3, 1, 1] }, parts(2)],
  ['an unreadable response', { slices: 50 }, parts(7)],
  ['a response that is too large', { slices: 50 }, parts(7)],
  ['a response that is too large', { slices: 4 }, FAIL],
])('after %s, for %j, the next step is %j', (failure, { slices, taken = 0, isPart }, next) => {
  const sizes = typeof slices === 'number' ? ones(slices) : slices;
  const known = { taken, leastPrice: 1, isPart: isPart === true };
  expect(afterFailure(FAILURES[failure], sizes, known)).toEqual(next);
});

const page = { ...text, isPage: true };

it.each<[string, errors.ServiceError]>([
  ['an error page of a gateway', new errors.ServerError({ code: 'x', ...page, status: 502 })],
  [
    'a login page',
    new errors.InvalidResponseError({ code: 'x', ...text, affectsAnyRequest: true }),
  ],
  ['401', new errors.AuthenticationError({ code: 'x', ...text, status: 401 })],
  ['403', new errors.ForbiddenError({ code: 'x', ...text, status: 403 })],
  ['404 for the endpoint', new errors.NotFoundError({ code: 'x', ...text, status: 404 })],
  ['429', new errors.RateLimitError({ code: 'x', ...text, status: 429 })],
  ['a failed connection', new errors.ConnectionError({ code: 'connection_failed', ...text })],
  ['a request that was not sent', new errors.NotAttemptedError({ code: 'x', ...text })],
  ['a request that may have been processed', errors.createUnknownOutcomeError({ message: 'No' })],
  ['409', new errors.ConflictError({ code: 'x', ...text, status: 409 })],
])('fails the whole request after %s', (_what, error) => {
  expect(afterFailure(error, ones(100), { taken: 0, leastPrice: 1 })).toEqual(FAIL);
});

type Figures = [requested?: number, shortfall?: number];

it.each<[string, Figures, number[], price: number, retried: number, remaining: number]>([
  ['as many domains as credits are left', [100, 60], ones(100), 1, 40, 0],
  ['no domain if no credits are left', [100, 100], ones(100), 1, 0, 0],
  ['no domain if more credits are missing than requested', [100, 130], ones(100), 1, 0, 0],
  ['no domain if the response has no figures', [], ones(3), 0, 0, 0],
  ['one domain per credit if others of the batch are free', [50, 40], ones(100), 1, 10, 0],
  ['only covered domains if each costs more than 1', [50, 10], ones(5), 1, 4, 0],
  ['only slices that the credits cover completely', [60, 25], [30, 20, 10], 0, 1, 5],
  ['one domain less if the shortfall is 0', [4, 0], ones(4), 0, 3, 0],
  ['never all, even if the shortfall is tiny', [2 ** 60, 1], ones(4), 0, 3, 2 ** 58],
  ['not a single slice', [4, 0], [4], 0, 0, 3],
])(
  'when credits run out (402), retries %s',
  (_what, [requested, shortfall], sizes, leastPrice, retried, remaining) => {
    const refusal = exhausted(requested!, shortfall!);
    const next = afterFailure(refusal, sizes, { taken: 0, leastPrice });
    expect(next).toMatchObject({ is: 'covered', covered: firstOf(retried), remaining });
  },
);

it('requests fewer slices than the failed request, whatever fails and whatever is known', () => {
  const figure = fc.oneof(fc.nat(300), fc.constantFrom(undefined, 0, 2 ** 53, 1e300));
  const failure = fc.oneof(
    fc.constantFrom(serverError(), noAnswer, unreadable, tooLarge(), rejection(), invalidDomain),
    fc.constant(new errors.BadRequestError({ code: 'http_413', ...text, status: 413 })),
    fc.tuple(figure, figure).map(([all, missing]) => exhausted(all as never, missing as never)),
  );
  const sizes = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 100 });
  const known = fc.record({ taken: fc.nat(100), leastPrice: fc.constantFrom(0, 1) });
  fc.assert(
    fc.property(failure, sizes, known, (error, slices, what) => {
      const next = afterFailure(error, slices, what);
      if ('size' in next) expect(next.size).toBeLessThan(slices.length);
      if ('size' in next) expect(next.size).toBeGreaterThan(0);
      if (next.is !== 'covered') return;
      expect(new Set(next.covered).size).toBeLessThan(slices.length);
      expect(next.remaining).toBeGreaterThanOrEqual(0);
    }),
  );
});

describe('splitAndRetry', () => {
  /** Splits slices, which fail as `failureOf` decides, and records the requests. */
  async function split(
    failureOf: (slice: number) => errors.ServiceError | undefined,
    { count = 20, size = 1, error = rejection(), isOneByOne = false } = {},
  ) {
    const progress = { answered: false, refusedAlone: 0 };
    const seen = { requests: [] as number[][], mostAtOnce: 0, settled: 0, over: false };
    const skipped: number[] = [];
    let atOnce = 0;
    await splitAndRetry<number, { failure: errors.ServiceError | undefined }>(
      firstOf(count),
      { error, size },
      progress,
      {
        send: async (part) => {
          seen.requests.push([...part]);
          atOnce += 1;
          seen.mostAtOnce = Math.max(seen.mostAtOnce, atOnce);
          await new Promise(setImmediate);
          atOnce -= 1;
          return { failure: part.map(failureOf).find((failure) => failure !== undefined) };
        },
        settle: async () => {
          seen.settled += 1;
          await Promise.resolve();
        },
        allSucceeded: () => undefined,
        allFailed: async () => {
          seen.over = true;
          await Promise.resolve();
        },
        giveUp: (rest) => skipped.push(...rest),
        isOneByOne,
      },
    );
    return { ...seen, skipped, refusedAlone: progress.refusedAlone };
  }

  it('gives up after ten slices that are rejected alone', async () => {
    const { requests, skipped } = await split(() => rejection());
    expect(requests).toHaveLength(10);
    expect(skipped).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
  });

  it.each([
    ['parts of several slices are rejected', rejection(), { count: 40, size: 2 }],
    ['the service fails on slices', serverError(), {}],
  ])('does not give up when %s', async (_what, failure, slices) => {
    const { requests, skipped, refusedAlone } = await split(() => failure, slices);
    expect(refusedAlone).toBe(0);
    expect(requests).toHaveLength(20);
    expect(skipped).toEqual([]);
  });

  it.each([
    ['one by one until one succeeds, then several at the same time', 5, {}, 14],
    ['one by one if none succeeds', 9, { count: 9 }, 1],
    ['one by one if the job sends its requests one by one', 0, { isOneByOne: true }, 1],
  ])('sends parts %s', async (_how, rejected, settings, most) => {
    const { mostAtOnce } = await split(
      (slice) => (slice < rejected ? rejection() : undefined),
      settings,
    );
    expect(mostAtOnce).toBe(most);
  });

  it.each<[string, (slice: number) => errors.ServiceError | undefined, boolean]>([
    ['ends if the service fails on each part', () => serverError(), true],
    [
      'continues if a part is rejected',
      (slice) => (slice < 3 ? serverError() : rejection()),
      false,
    ],
    ['continues if a part succeeds', (slice) => (slice < 3 ? serverError() : undefined), false],
  ])('after a server error, %s', async (_what, failureOf, isOver) => {
    const slices = { count: 4, error: serverError() };
    const { over, settled, mostAtOnce } = await split(failureOf, slices);
    expect({ over, settled }).toEqual({ over: isOver, settled: isOver ? 0 : 4 });
    expect(mostAtOnce).toBe(4);
  });
});
