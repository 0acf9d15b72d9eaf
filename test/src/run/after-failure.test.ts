/** Tests the rule for a failed request of several domains: failure × slices × what is known. */
import fc from 'fast-check';

import * as errors from '../../../src/client/errors';
import { afterFailure, splitAndRetry, type NextStep } from '../../../src/run/after-failure';
import { exhausted, serverError, tooLarge } from './support/batch-service';

const said = { message: 'No', hint: '-' };
const refused = (code: string, status = 400): errors.ServiceError =>
  new errors.BadRequestError({ code, ...said, status });
const noAnswer = new errors.ConnectionError({ code: 'no_answer', ...said });
const odd = new errors.InvalidResponseError({ code: 'invalid_response', ...said });
const large = new errors.InvalidResponseError({ code: 'response_too_large', ...said });
const singles = (count: number): number[] => Array<number>(count).fill(1);
const FAIL: NextStep = { is: 'fail' };
const parts = (size: number): NextStep => ({ is: 'parts', size });
const smaller = (size: number): NextStep => ({ is: 'smaller', size });

it.each<[string, errors.ServiceError, number[], number, NextStep]>([
  ['fails a single domain that the service rejects', refused('http_422', 422), [1], 0, FAIL],
  ['fails a single domain after a server error', serverError(), [1], 0, FAIL],
  ['fails a single run after a server error', serverError(), [40], 0, FAIL],
  ['halves the batch after batch_too_large', tooLarge(), singles(100), 0, smaller(50)],
  [
    'halves the batch after batch_too_large, even if that size was accepted before',
    tooLarge(),
    singles(100),
    100,
    smaller(50),
  ],
  ['requests two runs separately after batch_too_large', tooLarge(), [60, 5], 0, smaller(1)],
  [
    'halves the batch after a rejection without a code, if no batch of that size was accepted',
    refused('http_422', 422),
    singles(99),
    50,
    smaller(49),
  ],
  [
    'searches for the rejected domain after a rejection without a code, if that size was accepted',
    refused('http_422', 422),
    singles(50),
    50,
    parts(25),
  ],
  [
    'searches for the rejected domain after invalid_domain',
    refused('invalid_domain'),
    singles(50),
    0,
    parts(25),
  ],
  [
    'requests three domains one by one after a server error',
    serverError(),
    singles(3),
    0,
    parts(1),
  ],
  ['requests four domains one by one after a server error', serverError(), singles(4), 0, parts(1)],
  [
    'splits 100 domains into parts of ten after a server error',
    serverError(),
    singles(100),
    100,
    parts(10),
  ],
  [
    'splits five runs into parts of two when no response arrives',
    noAnswer,
    [1, 20, 3, 1, 1],
    0,
    parts(2),
  ],
  [
    'splits 50 domains into parts of seven after an unreadable response',
    odd,
    singles(50),
    0,
    parts(7),
  ],
  [
    'splits 50 domains into parts of seven after a response that is too large',
    large,
    singles(50),
    0,
    parts(7),
  ],
  ['fails four domains after a response that is too large', large, singles(4), 0, FAIL],
])('%s', (_what, error, sizes, taken, next) => {
  expect(afterFailure(error, sizes, { taken, leastPrice: 1 })).toEqual(next);
});

it('splits a part on which the service fails into single slices', () => {
  const known = { taken: 0, leastPrice: 1, isPart: true };
  expect(afterFailure(serverError(), singles(10), known)).toEqual(parts(1));
});

const page = { ...said, isPage: true };

it.each<[string, errors.ServiceError]>([
  ['an error page of a gateway', new errors.ServerError({ code: 'x', ...page, status: 502 })],
  [
    'a login page',
    new errors.InvalidResponseError({ code: 'x', ...said, affectsAnyRequest: true }),
  ],
  ['401', new errors.AuthenticationError({ code: 'x', ...said, status: 401 })],
  ['403', new errors.ForbiddenError({ code: 'x', ...said, status: 403 })],
  ['404 for the endpoint', new errors.NotFoundError({ code: 'x', ...said, status: 404 })],
  ['429', new errors.RateLimitError({ code: 'x', ...said, status: 429 })],
  ['a failed connection', new errors.ConnectionError({ code: 'connection_failed', ...said })],
  ['a request that was not sent', new errors.NotAttemptedError({ code: 'x', ...said })],
  ['a request that may have been processed', errors.createUnknownOutcomeError({ message: 'No' })],
  ['409', new errors.ConflictError({ code: 'x', ...said, status: 409 })],
])('fails the whole request after %s', (_what, error) => {
  expect(afterFailure(error, singles(100), { taken: 0, leastPrice: 1 })).toEqual(FAIL);
});

describe('when credits run out (402)', () => {
  it.each<[string, errors.ServiceError, number[], number, number[], number]>([
    [
      'retries as many domains as credits are left',
      exhausted(100, 60),
      singles(100),
      1,
      [...Array(40).keys()],
      0,
    ],
    ['retries no domain if no credits are left', exhausted(100, 100), singles(100), 1, [], 0],
    [
      'retries no domain if more credits are missing than the request needs',
      exhausted(100, 130),
      singles(100),
      1,
      [],
      0,
    ],
    [
      'retries no domain if the response has no figures',
      exhausted(undefined as never, undefined as never),
      singles(3),
      0,
      [],
      0,
    ],
    [
      'retries one domain per remaining credit if some domains of the batch are free',
      exhausted(50, 40),
      singles(100),
      1,
      [...Array(10).keys()],
      0,
    ],
    [
      'retries only the domains that the credits cover if each costs more than 1',
      exhausted(50, 10),
      singles(5),
      1,
      [0, 1, 2, 3],
      0,
    ],
    [
      'retries only slices that the credits cover completely',
      exhausted(60, 25),
      [30, 20, 10],
      0,
      [0],
      5,
    ],
    ['treats a shortfall of 0 as 1', exhausted(4, 0), singles(4), 0, [0, 1, 2], 0],
    [
      'never retries all domains, even if the shortfall is too small for the figures',
      exhausted(2 ** 60, 1),
      singles(4),
      0,
      [0, 1, 2],
      2 ** 58,
    ],
    ['does not retry a single slice', exhausted(4, 0), [4], 0, [], 3],
  ])('%s', (_what, error, sizes, leastPrice, covered, left) => {
    const next = afterFailure(error, sizes, { taken: 0, leastPrice });
    expect(next).toMatchObject({ is: 'covered', covered, remaining: left });
  });
});

it('requests fewer slices than the failed request, whatever fails and whatever is known', () => {
  const figure = fc.oneof(fc.nat(300), fc.constantFrom(undefined, 0, 2 ** 53, 1e300));
  const failure = fc.oneof(
    fc.constantFrom(serverError(), noAnswer, odd, tooLarge(), refused('http_422', 422)),
    fc.constantFrom(refused('invalid_domain'), refused('http_413', 413)),
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
    { count = 20, size = 1, error = refused('http_422', 422), isOneByOne = false } = {},
  ) {
    const progress = { answered: false, refusedAlone: 0 };
    const seen = { requests: [] as number[][], mostAtOnce: 0, settled: 0, over: false };
    const given: number[] = [];
    let atOnce = 0;
    const slices = Array.from({ length: count }, (_one, slice) => slice);
    await splitAndRetry<number, { failure: errors.ServiceError | undefined }>(
      slices,
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
        giveUp: (rest) => given.push(...rest),
        isOneByOne,
      },
    );
    return { ...seen, given, refusedAlone: progress.refusedAlone };
  }

  it('gives up after ten slices that are rejected alone', async () => {
    const { requests, given } = await split(() => refused('http_422', 422));
    expect(requests).toHaveLength(10);
    expect(given).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
  });

  it('does not give up after rejected parts of several slices', async () => {
    const { requests, given, refusedAlone } = await split(() => refused('http_422', 422), {
      count: 40,
      size: 2,
    });
    expect(refusedAlone).toBe(0);
    expect(requests).toHaveLength(20);
    expect(given).toEqual([]);
  });

  it('does not count slices as rejected when the service fails on them', async () => {
    const { requests, refusedAlone } = await split(() => serverError());
    expect(refusedAlone).toBe(0);
    expect(requests).toHaveLength(20);
  });

  it('sends parts one by one until one succeeds, then several at the same time', async () => {
    const { mostAtOnce } = await split((slice) =>
      slice < 5 ? refused('http_422', 422) : undefined,
    );
    expect(mostAtOnce).toBe(14);
    const { mostAtOnce: never } = await split(() => refused('http_422', 422), { count: 9 });
    expect(never).toBe(1);
  });

  it('sends parts one by one if the job sends its requests one by one', async () => {
    const { mostAtOnce } = await split(() => undefined, { isOneByOne: true });
    expect(mostAtOnce).toBe(1);
  });

  it.each<[string, (slice: number) => errors.ServiceError | undefined, boolean]>([
    ['ends if the service fails on each part', () => serverError(), true],
    [
      'continues if a part is rejected',
      (slice) => (slice < 3 ? serverError() : refused('http_422', 422)),
      false,
    ],
    ['continues if a part succeeds', (slice) => (slice < 3 ? serverError() : undefined), false],
  ])('after a server error, %s', async (_what, failureOf, isOver) => {
    const { over, settled, mostAtOnce } = await split(failureOf, {
      count: 4,
      error: serverError(),
    });
    expect({ over, settled }).toEqual({ over: isOver, settled: isOver ? 0 : 4 });
    expect(mostAtOnce).toBe(4);
  });
});
