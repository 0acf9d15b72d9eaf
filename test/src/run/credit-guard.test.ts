import { CreditGuard } from '../../../src/run/credit-guard';

it('without a limit there is always more', () => {
  const guard = new CreditGuard(undefined);
  guard.reserve(1_000_000);
  guard.settle(1_000_000, 5_000_000);
  expect(guard.available).toBe(Infinity);
});

it('what is reserved or spent is not available', () => {
  const guard = new CreditGuard(100);
  guard.reserve(60);
  expect(guard.available).toBe(40);
  guard.reserve(40);
  expect(guard.available).toBe(0);
  guard.settle(60, 10);
  expect(guard.available).toBe(50);
  guard.settle(40, 40);
  expect(guard.available).toBe(50);
});

it('is never less than nothing, also when an answer cost more than was thought', () => {
  const guard = new CreditGuard(10);
  guard.reserve(10);
  guard.settle(10, 35);
  expect(guard.available).toBe(0);
});

it('the lower of two limits holds; 0 is none', () => {
  const limit = (own: number | undefined, other: number) =>
    new CreditGuard(own).lowered(other).limit;

  expect([
    limit(undefined, 0),
    limit(10, 0),
    limit(undefined, 5),
    limit(10, 5),
    limit(3, 5),
  ]).toEqual([undefined, 10, 5, 5, 3]);
});

it('what was lost counts as spent; what was refused does not', () => {
  const guard = new CreditGuard();
  guard.reserve(3);
  guard.reserve(4);

  expect(guard.atMost).toBe(7);
  guard.fail(3, new Error('The answer was lost'));
  guard.fail(4, guard.reached());
  expect(guard).toMatchObject({ atMost: 3, unanswered: 1 });
});
