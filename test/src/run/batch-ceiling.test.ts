import { BATCHES_AT_ONCE } from '../../../src/run/batches';
import {
  answerFor,
  askInBatches,
  BatchService,
  domainsOf,
  ENDPOINT,
  jobOf,
  tally,
  tooLarge,
} from './support/batch-service';

describe('batch_too_large', () => {
  const withCeiling = (ceiling: number) =>
    new BatchService((_number, batch) => (batch.length > ceiling ? tooLarge() : answerFor(batch)));

  it.each([
    [50, 50],
    [30, 25],
    [25, 25],
    [3, 3],
    [1, 1],
  ])('with a ceiling of %i batches shrink to %i, and that is remembered', async (real, learned) => {
    const service = withCeiling(real);
    const ceilings = new Map<string, number>();
    const report = await askInBatches(jobOf(service, { domains: domainsOf(250), ceilings }));
    expect(tally(report.outcomes)).toEqual({ row: 250 });
    expect(ceilings.get(ENDPOINT)).toBe(learned);
    const again = withCeiling(real);
    await askInBatches(jobOf(again, { domains: domainsOf(60), ceilings }));
    expect(Math.max(...again.batches.map((batch) => batch.length))).toBe(Math.min(learned, 60));
    expect(again.asked).toHaveLength(60);
  });

  it('the ceiling of one endpoint is not that of another', async () => {
    const service = new BatchService();
    const ceilings = new Map([['/v1/other', 5]]);
    await askInBatches(jobOf(service, { domains: domainsOf(100), ceilings }));
    expect(service.batches).toHaveLength(1);
  });

  it('a single domain that is too many fails alone', async () => {
    const service = new BatchService((_number, batch) =>
      batch.includes('company-1.com') ? tooLarge() : answerFor(batch),
    );
    const report = await askInBatches(jobOf(service, { domains: domainsOf(4) }));
    expect(tally(report.outcomes)).toEqual({ row: 3, batch_too_large: 1 });
  });

  it('one batch at a time finds out what fits, so that little is refused', async () => {
    const service = withCeiling(25);
    await askInBatches(jobOf(service, { domains: domainsOf(4_000) }));
    const refused = service.batches.filter((batch) => batch.length > 25);
    // Those that were under way, and one of 50.
    expect(refused.length).toBeLessThanOrEqual(BATCHES_AT_ONCE + 1);
  });

  it('a smaller ceiling that another run has learned meanwhile is kept', async () => {
    const ceilings = new Map<string, number>();
    const service = new BatchService((number, batch) => {
      if (number > 1) return answerFor(batch);
      ceilings.set(ENDPOINT, 10);
      return tooLarge();
    });
    await askInBatches(jobOf(service, { domains: domainsOf(100), ceilings }));
    expect(ceilings.get(ENDPOINT)).toBe(10);
    expect(service.batches.slice(1).map((batch) => batch.length)).toEqual(Array(10).fill(10));
  });
});
