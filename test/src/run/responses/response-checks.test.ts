import { z } from 'zod/v4';

import { ResponseChecks } from '../../../../src/run/responses/response-checks';

const text = z.string().nullish();
const row = z.object({
  name: text,
  id: z.union([z.number(), z.string()]).nullish(),
  parts: z.array(z.object({ count: z.number().nullish() })).nullish(),
});
const schema = z.object({ data: z.array(row).nullish() });

function mismatchesIn(...rows: unknown[]) {
  const checks = new ResponseChecks();
  checks.check(schema, { data: rows });
  return checks.mismatches;
}

it('accepts unknown fields, nulls, missing fields and IDs too large for a number', () => {
  expect(mismatchesIn({ new: 1 }, { name: null, parts: null }, { id: '9007199254740993' })).toBe(
    undefined,
  );
});

it.each([
  [{ name: 7 }, 'data.*.name', 'a number instead of text'],
  [{ name: {} }, 'data.*.name', 'an object instead of text'],
  [{ id: true }, 'data.*.id', 'true or false instead of an ID'],
  [{ parts: {} }, 'data.*.parts', 'an object instead of a list'],
  [{ parts: [[]] }, 'data.*.parts.*', 'a list instead of an object'],
  [{ parts: [{ count: '7' }] }, 'data.*.parts.*.count', 'text instead of a number'],
  [null, 'data.*', 'null instead of an object'],
])('describes what is wrong with the row %j', (wrong, field, problem) => {
  expect(mismatchesIn({ name: 'A' }, wrong)).toEqual({ field, problem, count: 1 });
});

it('counts mismatches of the first 10,000 rows of all responses, then of one of ten', () => {
  const checks = new ResponseChecks();
  const parts = [{ count: '1' }, { count: '2' }];
  const data = Array.from({ length: 10_000 }, () => ({ name: 7, parts }));
  for (let response = 0; response < 2; response += 1) checks.check(schema, { data });

  expect(checks.mismatches).toMatchObject({ field: 'data.*.name', count: 33_000 });
});
