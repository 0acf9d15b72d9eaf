import { CreditBudget } from '../../../src/run/credit-budget';

it('without a limit there is always more', async () => {
  const guard = new CreditBudget(undefined);
  await guard.reserve(1_000_000);
  guard.settle(1_000_000, 5_000_000);
  expect(guard.available).toBe(Infinity);
});

it('what is reserved or spent is not available', async () => {
  const guard = new CreditBudget(100);
  await guard.reserve(60);
  expect(guard.available).toBe(40);
  await guard.reserve(40);
  expect(guard.available).toBe(0);
  guard.settle(60, 10);
  expect(guard.available).toBe(50);
  guard.settle(40, 40);
  expect(guard.available).toBe(50);
});

it('is never less than nothing, also when an answer cost more than was thought', async () => {
  const guard = new CreditBudget(10);
  await guard.reserve(10);
  guard.settle(10, 35);
  expect(guard.available).toBe(0);
});

it('the lower of two limits holds; 0 is none', () => {
  const limit = (own: number | undefined, other: number) =>
    new CreditBudget(own).withLowerLimit(other).limit;

  expect([
    limit(undefined, 0),
    limit(10, 0),
    limit(undefined, 5),
    limit(10, 5),
    limit(3, 5),
  ]).toEqual([undefined, 10, 5, 5, 3]);
});

it('what was lost counts as spent; what was refused does not', async () => {
  const guard = new CreditBudget();
  await guard.reserve(3);
  await guard.reserve(4);

  expect(guard.maxSpent).toBe(7);
  guard.settleFailed(3, new Error('The answer was lost'));
  guard.settleFailed(4, guard.limitError());
  expect(guard).toMatchObject({ maxSpent: 3, unconfirmed: 1 });
});
