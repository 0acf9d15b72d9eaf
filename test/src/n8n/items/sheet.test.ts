import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { toSheet, type SheetOptions } from '../../../../src/n8n/items/sheet';

const COLUMNS = ['domain', 'status', 'company_name', 'industry', 'employees_min'];
const form = (more: Partial<SheetOptions> = {}): SheetOptions => ({
  columnPrefix: 'enriched_',
  ...more,
});
const sheetForm = form({ columns: COLUMNS });
const rowOf = (input: IDataObject, json: IDataObject, how = form()) =>
  toSheet([{ input, json }], how)[0] ?? {};

const acme = { domain: 'acme.com', status: 'tracked', company_name: 'Acme', industry: 'Media' };
const bolt = { domain: 'bolt.com', status: 'tracked', company_name: 'Bolt', employees_min: 51 };
const untracked = { domain: 'nobody.com', status: 'not_tracked' };
const invalid = { domain: null, status: 'invalid', reason: 'no_dot', message: 'No domain' };
const missing = { domain: null, status: 'invalid', reason: 'missing_field' };
const skipped = { domain: 'bolt.com', status: 'skipped', reason: 'max_credits' };
const broken = { domain: 'bolt.com', status: 'error', error: 'server_error', message: 'It broke' };
const brokenColumns = {
  enriched_status: 'error',
  enriched_error: 'server_error',
  enriched_message: 'It broke',
};

it.each<[string, string, IDataObject, IDataObject]>([
  [
    'one per field of an object',
    'enriched_',
    { domain: 'acme.com', e: { size: 5, tags: ['a'], none: {} } },
    {
      enriched_domain: 'acme.com',
      enriched_e_size: 5,
      enriched_e_tags: ['a'],
      enriched_e_none: {},
    },
  ],
  [
    'an object whole if a column for one of its fields exists',
    'enriched_',
    { a: { b: 1 }, a_b: 2, c: { d: { e: 3 } }, c_d: { e: 4 } },
    { enriched_a: { b: 1 }, enriched_a_b: 2, enriched_c_d_e: 3, enriched_c_d: { e: 4 } },
  ],
  ['no repeated prefix', 'list_', { list_id: 1, tier: 2 }, { list_id: 1, list_tier: 2 }],
  ['two fields apart', 'list_', { list_id: 1, id: 2 }, { list_list_id: 1, list_id: 2 }],
])('names the columns of a result: %s', (_what, columnPrefix, result, columns) => {
  expect(rowOf({ own: 0 }, result, form({ columnPrefix }))).toEqual({ own: 0, ...columns });
});

it('has the same columns in every row, in the same order, after the fields of the rows', () => {
  const first = { input: { id: 1, site: 'acme.com' }, json: acme };
  const others = [untracked, invalid, broken].map((json, note) => {
    return { input: { site: 'x', note }, json };
  });
  const sheet = toSheet([first, ...others], sheetForm);
  const columns = [...COLUMNS, 'reason', 'message', 'error'].map((name) => `enriched_${name}`);

  for (const row of sheet) {
    expect(Object.keys(row)).toEqual(['id', 'site', 'note', ...columns]);
    expect(Object.values(row)).not.toContain(undefined);
    expect(Object.values(row)).not.toContain(null);
  }
  expect(sheet[1]).toMatchObject({ id: '', enriched_industry: '', enriched_message: '' });
});

it('contains all values of the result, and the fields of the row that it does not write', () => {
  const name = fc.constantFrom('a', 'b', 'a_b', 'a_a', '__proto__', 'constructor');
  const record = fc.letrec<{ value: unknown; record: IDataObject }>((tie) => ({
    value: fc.oneof({ depthSize: 'small' }, fc.integer({ min: 1 }), tie('record')),
    record: fc
      .array(fc.tuple(name, tie('value')), { maxLength: 4 })
      .map((entries) => Object.fromEntries(entries) as IDataObject),
  })).record;
  fc.assert(
    fc.property(record, record, (row, result) => {
      const json = rowOf(row, result, form({ columnPrefix: 'a_' }));
      const empty = rowOf({}, result, form({ columnPrefix: 'a_' }));
      for (const [field, value] of Object.entries({ ...row, ...empty })) {
        expect(json[field]).toEqual(value);
      }
      expect(leavesOf(empty).sort()).toEqual(leavesOf(result).sort());
    }),
  );
});

function leavesOf(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  return Object.values(value as object).flatMap(leavesOf);
}

describe('a sheet that is enriched again', () => {
  it('equals a new one after any runs, unless a row of the same company failed', () => {
    const results = [acme, bolt, untracked, invalid, broken];
    const choices = fc.array(fc.nat(results.length - 1), { minLength: 5, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(choices, { minLength: 2, maxLength: 4 }), (runs) => {
        const empty: IDataObject[] = Array.from({ length: 5 }, (_one, id) => ({ id }));
        let sheet = empty;
        let before: IDataObject[] = [];
        for (const run of runs) {
          // A failure after a result of the same company has its own tests below.
          const now = run.map((choice, at) =>
            choice === 4 && before[at]?.['domain'] === broken.domain ? acme : results[choice]!,
          );
          const rows = (own: IDataObject[]) =>
            own.map((input, at) => ({ input, json: now[at] ?? acme }));
          const fresh = toSheet(rows(empty), sheetForm);
          sheet = toSheet(rows(sheet), sheetForm);
          before = now;
          expect(JSON.stringify(sheet)).toBe(JSON.stringify(fresh));
        }
      }),
    );
  });

  const once = { ...rowOf({ id: 1 }, bolt, sheetForm), enriched_partner_names: 'A; B' };
  const cleared = { enriched_company_name: '', enriched_partner_names: 'A; B' };

  const ofAcme = { enriched_domain: 'acme.com' };
  const kept = { ...once, ...brokenColumns };
  const renamed = { domain: 'bolt.com', status: 'tracked', company_name: 'Bolt AG' };
  // A bound of an earlier range must not stand beside the new range.
  const renamedColumns = { enriched_company_name: 'Bolt AG', enriched_employees_min: '' };

  it.each<[string, IDataObject, IDataObject]>([
    ["has this run's columns together, also empty ones", renamed, renamedColumns],
    ['keeps columns that only other options write', bolt, { enriched_partner_names: 'A; B' }],
    ['has the values of another company', acme, { ...ofAcme, enriched_employees_min: '' }],
    ['has nothing of a company when it names none', invalid, { enriched_domain: '', ...cleared }],
    ['keeps its values and says so when the row failed', broken, kept],
    ['keeps them when the failure names no company', { ...broken, domain: null }, kept],
    ['keeps them when the row was skipped', skipped, { enriched_company_name: 'Bolt' }],
    ['keeps them without the column of the domain', missing, { enriched_company_name: 'Bolt' }],
    [
      'clears them when the row fails for another company',
      { ...broken, domain: 'acme.com' },
      { ...brokenColumns, ...ofAcme, ...cleared },
    ],
    [
      'clears them when it fails for another company of a raw response',
      { ...broken, domain: undefined, primary_domain: 'acme.com' },
      cleared,
    ],
  ])('%s', (_what, result, expected) => {
    expect(rowOf(once, result, sheetForm)).toMatchObject(expected);
  });

  it('clears an error of an earlier run', () => {
    const failed = rowOf(once, broken, sheetForm);
    expect(rowOf(failed, bolt)).toMatchObject({ enriched_status: 'tracked', enriched_error: '' });
  });

  it("leaves the user's own columns alone, also with the same prefix", () => {
    const own = { id: null, list_name: 'Q3', list_owner: 'Jo', list_domain: 'acme.com' };
    const how = form({ columnPrefix: 'list_' });
    const json = rowOf(own, { domain: 'bolt.com', status: 'added' }, how);
    expect(json).toEqual({ ...own, list_domain: 'bolt.com', list_status: 'added' });
  });

  it('has only the kept fields and the columns of this run when fields are selected', () => {
    const columns = rowOf({}, bolt, sheetForm);
    const input = { row_number: 2, note: 'mine', ...columns, enriched_partner_names: 'A; B' };
    const how = { ...sheetForm, fieldsToKeep: ['row_number'] };
    const json = rowOf(input, broken, how);
    expect(json).toEqual({ row_number: 2, ...columns, ...brokenColumns });
  });

  it('recognizes the company in any spelling of its domain', () => {
    for (const enriched_domain of ['https://www.bolt.com/about', 'BOLT.COM', 'jo@bolt.com']) {
      const row = { enriched_domain, enriched_industry: 'Media' };
      expect(rowOf(row, broken, sheetForm)).toMatchObject({ enriched_industry: 'Media' });
    }
  });
});
