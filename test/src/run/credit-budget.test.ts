import { CreditBudget } from '../../../src/run/run-guards';

/** A request that only matters for its cost. */
const send = async () => await Promise.resolve();

const lose = async () => await Promise.reject(new Error('The response was lost'));

it.each([
  ['all credits when there is no limit', undefined, 1_000_000, 5_000_000, Infinity],
  ['none when a response cost more than was reserved', 10, 10, 35, 0],
])('has %s available', (_what, limit, reserved, cost, available) => {
  const budget = new CreditBudget(limit);
  budget.reserve(reserved);
  budget.settle(reserved, cost);
  expect(budget.available).toBe(available);
});

it('excludes reserved and spent credits from the available ones', () => {
  const budget = new CreditBudget(100);
  budget.reserve(60);
  expect(budget.available).toBe(40);
  budget.reserve(40);
  expect(budget.available).toBe(0);
  budget.settle(60, 10);
  expect(budget.available).toBe(50);
  budget.settle(40, 40);
  expect(budget.available).toBe(50);
});

it.each([
  [undefined, 0, undefined],
  [10, 0, 10],
  [undefined, 5, 5],
  [10, 5, 5],
  [3, 5, 3],
])('of the limits %p and %i, where 0 means none, applies %p', (own, other, limit) => {
  expect(new CreditBudget(own).withLowerLimit(other).limit).toBe(limit);
});

it('counts a request with a lost response as spent, but not one that was not sent', () => {
  const budget = new CreditBudget();
  budget.reserve(3);
  budget.reserve(4);

  expect(budget.maxSpent).toBe(7);
  budget.settleFailed(3, new Error('The response was lost'));
  budget.settleFailed(4, budget.limitError());
  expect(budget).toMatchObject({ maxSpent: 3, unconfirmed: 1 });
});

describe('sendWithinBudget', () => {
  const refusal = { code: 'max_credits_reached' };

  it('reserves the maximum cost of a request, then counts its actual cost', async () => {
    const budget = new CreditBudget(10);
    const during = await budget.sendWithinBudget(
      4,
      async () => await Promise.resolve(budget.available),
      () => 1,
    );
    expect([during, budget.available, budget.maxSpent]).toEqual([6, 9, 1]);
  });

  it('does not send a request that could cost more than the available credits', async () => {
    const budget = new CreditBudget(3);
    const request = jest.fn(send);
    await expect(budget.sendWithinBudget(4, request, () => 0)).rejects.toMatchObject(refusal);
    expect(request).not.toHaveBeenCalled();
    expect(budget.available).toBe(3);
  });

  it.each([
    ['less than reserved', 1, true],
    ['all that was reserved', 8, false],
  ])('waits for a request in flight that turns out to cost %s', async (_what, cost, isSent) => {
    const budget = new CreditBudget(10);
    budget.reserve(8);
    const request = jest.fn(send);
    const outcome = budget.sendWithinBudget(4, request, () => 4).catch((error: unknown) => error);
    await new Promise(setImmediate);
    expect(request).not.toHaveBeenCalled();
    budget.settle(8, cost);
    if (isSent) expect(await outcome).toBeUndefined();
    else expect(await outcome).toMatchObject(refusal);
    expect(request).toHaveBeenCalledTimes(isSent ? 1 : 0);
    expect(budget.maxSpent).toBe(cost + (isSent ? 4 : 0));
  });

  it('reserves as many credits for rows as are available, after it has waited for the first', async () => {
    const budget = new CreditBudget(10);
    expect(await budget.reserveUpTo(7)).toBe(7);
    expect(await budget.reserveUpTo(7)).toBe(3);
    const waiting = budget.reserveUpTo(7);
    budget.settle(7, 5);
    expect(await waiting).toBe(2);
    budget.settle(5, 5);
    expect(await budget.reserveUpTo(7)).toBe(0);
    expect(budget.maxSpent).toBe(10);
  });

  it('counts a request with a lost response as charged, unless it is free', async () => {
    const budget = new CreditBudget(10);
    await expect(budget.sendWithinBudget(4, lose, () => 4)).rejects.toThrow(
      'The response was lost',
    );
    await expect(budget.sendWithinBudget(0, lose, () => 0)).rejects.toThrow(
      'The response was lost',
    );
    expect(budget).toMatchObject({ maxSpent: 4, unconfirmed: 1 });
  });
});

it('names the limit in the error and suggests raising Max Credits', () => {
  const error = new CreditBudget(2).limitError();
  expect(error).toMatchObject({
    code: 'max_credits_reached',
    message: 'Skipped because it could exceed Max Credits (2)',
  });
  expect(error.hint).toContain('Raise Max Credits');
});
