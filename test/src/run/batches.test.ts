import { BATCHES_AT_ONCE } from '../../../src/run/batches';
import { CreditBudget } from '../../../src/run/credit-budget';
import { CancelledError } from '../../../src/client/errors';
import {
  answerFor,
  askInBatches,
  BatchService,
  domainsOf,
  exhausted,
  jobOf,
  serverError,
  tally,
} from './support/batch-service';

it('sends many batches at the same time, up to BATCHES_AT_ONCE', async () => {
  const service = new BatchService();
  await askInBatches(jobOf(service, { domains: domainsOf(200), batchSize: 2 }));
  expect(service.batches).toHaveLength(100);
  expect(service.busiest).toBe(BATCHES_AT_ONCE);
});

it.each([
  [100, 100],
  [7, 7],
  [0, 1],
])('with batch size %i, sends %i domains first and all in the end', async (batchSize, size) => {
  const service = new BatchService();
  await askInBatches(jobOf(service, { domains: domainsOf(150), batchSize }));
  expect(service.batches[0]).toHaveLength(size);
  expect(service.asked).toHaveLength(150);
});

it('distinguishes a row, a missing domain and a rejected domain', async () => {
  const service = new BatchService(() => ({
    ...answerFor(['a.com']),
    rejected: new Set(['b.com']),
    schemaMismatches: [{ field: 'slug', problem: 'odd' }],
  }));
  const report = await askInBatches(jobOf(service, { domains: ['a.com', 'b.com', 'c.com'] }));
  expect(Object.fromEntries(report.outcomes)).toEqual({
    'a.com': { kind: 'row', row: { domain: 'a.com', status: 'tracked' } },
    'b.com': { kind: 'rejected' },
    'c.com': { kind: 'missing' },
  });
  expect(report.schemaMismatches).toEqual([{ field: 'slug', problem: 'odd' }]);
});

it('counts a row of two domains once and returns a separate copy for each domain', async () => {
  const row = { domain: 'a.com', status: 'tracked', tags: ['x'] };
  const service = new BatchService((_number, batch) => ({
    ...answerFor([]),
    rows: new Map(batch.map((domain) => [domain, row])),
  }));
  const guard = new CreditBudget(10);
  const domains = ['a.com', 'www.a.com'];
  const { outcomes } = await askInBatches({
    ...jobOf(service, { domains, guard }),
    creditsOf: () => 1,
  });
  const [first, second] = [...outcomes.values()].map((one) => (one.kind === 'row' ? one.row : {}));

  expect(second).toEqual(first);
  expect(second).not.toBe(first);
  expect(second?.['tags']).not.toBe(first?.['tags']);
  expect(guard.maxSpent).toBe(1);
});

it('reports an unexpected type once when many batches contain it', async () => {
  const service = new BatchService((_number, batch) => ({
    ...answerFor(batch),
    schemaMismatches: [{ field: 'slug', problem: 'odd' }],
  }));
  const report = await askInBatches(jobOf(service, { domains: domainsOf(300) }));
  expect(report.schemaMismatches).toHaveLength(1);
});

describe('when a batch fails', () => {
  it('skips the batches that are not in flight if the run stops at the first failure', async () => {
    const service = new BatchService(() => serverError());
    const report = await askInBatches(
      jobOf(service, { domains: domainsOf(5_000), stopAtFirstFailure: true }),
    );
    // Batches in flight cannot be cancelled.
    expect(service.batches.length).toBeLessThanOrEqual(BATCHES_AT_ONCE);
    const { http_500: failed, not_attempted: spared, ...others } = tally(report.outcomes);
    expect(others).toEqual({});
    expect(failed! + spared!).toBe(5_000);
    expect(spared).toBeGreaterThanOrEqual(5_000 - BATCHES_AT_ONCE * 100);
  });

  it('rejects the run if the error does not come from the service', async () => {
    const service = new BatchService(() => new RangeError('a bug'));
    await expect(askInBatches(jobOf(service, { domains: domainsOf(10) }))).rejects.toThrow('a bug');
  });
});

describe('when credits run out (402)', () => {
  it.each([1, 3, 5])(
    'at batch %i of 5, keeps the rows of earlier batches and skips later ones',
    async (refused) => {
      const service = new BatchService((number, batch) =>
        number === refused ? exhausted(100, 100) : answerFor(batch),
      );
      // Each batch needs the whole limit, so the batches run one after another.
      const guard = new CreditBudget(100);
      const job = jobOf(service, { domains: domainsOf(500), guard, creditsOf: () => 0 });
      const {
        row = 0,
        not_attempted: spared = 0,
        ...others
      } = tally((await askInBatches(job)).outcomes);
      expect([row, spared]).toEqual([(refused - 1) * 100, (5 - refused) * 100]);
      expect(others).toEqual({ credit_exhausted: 100 });
      expect(service.batches).toHaveLength(refused);
    },
  );

  it('sends no waiting batch and reports its domains as not attempted', async () => {
    const service = new BatchService(() => exhausted(100, 100));
    const { outcomes } = await askInBatches(jobOf(service, { domains: domainsOf(10_000) }));
    expect(service.batches.length).toBeLessThanOrEqual(BATCHES_AT_ONCE);
    const refused = service.batches.length * 100;
    expect(tally(outcomes)).toEqual({
      credit_exhausted: refused,
      not_attempted: 10_000 - refused,
    });
    expect(outcomes.get('company-9999.com')).toMatchObject({
      error: {
        name: 'NotAttemptedError',
        message: expect.stringContaining('No credits'),
        details: { cause: 'credit_exhausted' },
      },
    });
  });

  it('does not send batches that already wait for the limiter', async () => {
    const service = new BatchService((number, batch) =>
      number === 1 ? exhausted(100, 100) : answerFor(batch),
    );
    let refused = (): void => undefined;
    const refusal = new Promise<void>((resolve) => {
      refused = resolve;
    });
    let waiting = 0;
    const job = jobOf(service, { domains: domainsOf(500) });
    const report = await askInBatches({
      ...job,
      // Like the limiter, keeps all batches but the first waiting until after the refusal.
      request: async (batch, options) => {
        waiting += 1;
        if (waiting > 1) await refusal.then(async () => await new Promise(setImmediate));
        return await service.ask(batch, options).finally(refused);
      },
    });
    expect(service.batches).toHaveLength(1);
    expect(tally(report.outcomes)).toEqual({ credit_exhausted: 100, not_attempted: 400 });
  });
});

describe('spending the remaining credits', () => {
  it('retries with fewer domains once per run, however many batches are refused', async () => {
    const service = new BatchService((_number, batch) =>
      batch.length === 100 ? exhausted(100, 60) : answerFor(batch),
    );
    const report = await askInBatches(
      jobOf(service, { domains: domainsOf(1_000), spendRemaining: true }),
    );
    expect(service.batches.filter((batch) => batch.length < 100)).toHaveLength(1);
    expect(tally(report.outcomes).row).toBe(40);
    expect(report.outcomes.size).toBe(1_000);
  });

  it.each([
    ['no credits are left', exhausted(100, 100), true],
    ['the option is off', exhausted(100, 60), false],
  ])('does not retry when %s', async (_name, refusal, spendRemaining) => {
    const service = new BatchService(() => refusal);
    const report = await askInBatches(jobOf(service, { domains: domainsOf(100), spendRemaining }));
    expect(service.batches).toHaveLength(1);
    expect(tally(report.outcomes)).toEqual({ credit_exhausted: 100 });
  });

  it('does not retry again when the smaller batch is refused too', async () => {
    const service = new BatchService((_number, batch) => exhausted(batch.length, 60));
    const report = await askInBatches(
      jobOf(service, { domains: domainsOf(100), spendRemaining: true }),
    );
    expect(service.batches.map((batch) => batch.length)).toEqual([100, 40]);
    expect(tally(report.outcomes)).toEqual({ credit_exhausted: 100 });
  });
});

describe('when the run is cancelled', () => {
  it('rejects with CancelledError and sends no further batches', async () => {
    const stop = new AbortController();
    const service = new BatchService(() => {
      stop.abort();
      return new CancelledError();
    });
    const run = askInBatches(jobOf(service, { domains: domainsOf(9_000), signal: stop.signal }));
    await expect(run).rejects.toBeInstanceOf(CancelledError);
    expect(service.batches.length).toBeLessThanOrEqual(BATCHES_AT_ONCE);
  });

  it('rejects with CancelledError even if all responses have arrived', async () => {
    const stop = new AbortController();
    const service = new BatchService((_number, batch) => {
      stop.abort();
      return answerFor(batch);
    });
    const run = askInBatches(jobOf(service, { domains: domainsOf(3), signal: stop.signal }));
    await expect(run).rejects.toBeInstanceOf(CancelledError);
  });
});
