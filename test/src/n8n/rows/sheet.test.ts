import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { toSheet, type SheetOptions } from '../../../../src/n8n/rows/sheet';

const COLUMNS = ['domain', 'status', 'company_name', 'industry', 'employees_min'];
const form = (more: Partial<SheetOptions> = {}): SheetOptions => ({
  columnPrefix: 'enriched_',
  overwriteColumns: false,
  owns: (column) => [...COLUMNS, 'partner_names'].includes(column),
  ...more,
});
const sheetForm = form({ columns: COLUMNS });
/** Returns the only row of a sheet. */
const rowOf = (row: IDataObject, result: IDataObject, how = form()) =>
  toSheet([{ row, result }], how).rows[0];

const acme = { domain: 'acme.com', status: 'tracked', company_name: 'Acme', industry: 'Media' };
const bolt = { domain: 'bolt.com', status: 'tracked', company_name: 'Bolt', employees_min: 51 };
const untracked = { domain: 'nobody.com', status: 'not_tracked' };
const invalid = { domain: null, status: 'invalid', reason: 'no_dot', message: 'No domain' };
const broken = {
  domain: 'bolt.com',
  status: 'error',
  error: 'server_error',
  message: 'It broke',
  details: { hint: 'Run it again.' },
};

const brokenColumns = {
  enriched_status: 'error',
  enriched_error: 'server_error',
  enriched_message: 'It broke',
  enriched_details_hint: 'Run it again.',
};

describe('columns', () => {
  it('are added to the fields of the row, with one column per field of an object', () => {
    const refreshed = { domain: 'acme.com', enrichment: { size: 5, tags: ['a'], none: {} } };
    expect(rowOf({ email: 'jo@acme.com' }, refreshed)).toEqual({
      email: 'jo@acme.com',
      enriched_domain: 'acme.com',
      enriched_enrichment_size: 5,
      enriched_enrichment_tags: ['a'],
      enriched_enrichment_none: {},
    });
  });

  it('keep an object whole if a column for one of its fields exists', () => {
    expect(rowOf({}, { a: { b: 1 }, a_b: 2, c: { d: { e: 3 } }, c_d: { e: 4 } })).toEqual({
      enriched_a: { b: 1 },
      enriched_a_b: 2,
      enriched_c_d_e: 3,
      enriched_c_d: { e: 4 },
    });
  });

  it('do not repeat a prefix that the field name already has', () => {
    const inList = (result: IDataObject) => rowOf({}, result, form({ columnPrefix: 'list_' }));
    expect(inList({ list_id: 1, status: 'added' })).toEqual({ list_id: 1, list_status: 'added' });
    expect(inList({ list_id: 1, id: 2 })).toEqual({ list_list_id: 1, list_id: 2 });
  });

  it('are the same in every row, in the same order, after the fields of the rows', () => {
    const first = { row: { id: 1, site: 'acme.com' }, result: acme };
    const others = [untracked, invalid, broken].map((result, note) => {
      return { row: { site: 'x', note }, result };
    });
    const sheet = toSheet([first, ...others], sheetForm).rows;
    const names = [...COLUMNS, 'reason', 'message', 'error', 'details_hint'];

    for (const row of sheet) {
      const columns = names.map((name) => `enriched_${name}`);
      expect(Object.keys(row)).toEqual(['id', 'site', 'note', ...columns]);
      expect(Object.values(row)).not.toContain(undefined);
      expect(Object.values(row)).not.toContain(null);
    }
    expect(sheet[1]).toMatchObject({ id: '', enriched_industry: '', enriched_message: '' });
  });

  it('never change a field of the row, and contain all values of the result', () => {
    const name = fc.constantFrom('a', 'b', 'a_b', 'a_a', '__proto__', 'constructor');
    const record = fc.letrec<{ value: unknown; record: IDataObject }>((tie) => ({
      value: fc.oneof({ depthSize: 'small' }, fc.integer({ min: 1 }), tie('record')),
      record: fc
        .array(fc.tuple(name, tie('value')), { maxLength: 4 })
        .map((entries) => Object.fromEntries(entries) as IDataObject),
    })).record;
    fc.assert(
      fc.property(record, record, (row, wide) => {
        const { rows, kept } = toSheet([{ row, result: wide }], form({ columnPrefix: 'a_' }));
        const json = rows[0] ?? {};
        for (const [field, value] of Object.entries(row)) expect(json[field]).toEqual(value);
        if (kept.rows > 0) return;
        const added = leavesOf(json).sort();
        for (const value of leavesOf(wide)) expect(added).toContain(value);
        const empty = rowOf({}, wide);
        expect(leavesOf(empty).sort()).toEqual(leavesOf(wide).sort());
      }),
    );
  });
});

describe('a sheet that is enriched again', () => {
  const results = [acme, bolt, untracked, invalid, broken];
  const choices = fc.array(fc.nat(results.length - 1), { minLength: 5, maxLength: 5 });
  const runs = fc.array(choices, { minLength: 2, maxLength: 4 });

  it.each([true, false])(
    'equals a new one if all domains changed (overwrites: %s)',
    (overwrites) => {
      fc.assert(
        fc.property(runs, (chosen) => {
          const empty: IDataObject[] = Array.from({ length: 5 }, (_one, id) => ({ id }));
          let sheet = empty;
          let before: Array<number | undefined> = [];
          for (const choice of chosen) {
            // Makes sure that every domain changes; another test covers rows that keep their domain.
            const now = choice.map((one, at) => {
              const isOther = results[one]?.domain !== results[before[at] ?? -1]?.domain;
              return isOther ? one : (one + 2) % results.length;
            });
            const how = { ...sheetForm, overwriteColumns: overwrites };
            const rows = (own: IDataObject[]) =>
              own.map((row, at) => ({ row, result: results[now[at] ?? 0] ?? acme }));
            const fresh = toSheet(rows(empty), how).rows;
            sheet = toSheet(rows(sheet), how).rows;
            before = now;
            expect(JSON.stringify(sheet)).toBe(JSON.stringify(fresh));
          }
        }),
      );
    },
  );

  it('shows the status of this run, and keeps the values of the same company', () => {
    const once = rowOf({ id: 1 }, bolt, sheetForm) ?? {};
    const { rows, kept } = toSheet([{ row: once, result: broken }], sheetForm);
    expect(rows).toEqual([{ ...once, ...brokenColumns }]);
    expect(kept.columns).toEqual(new Set(['enriched_company_name', 'enriched_employees_min']));
    expect(rowOf(rows[0] ?? {}, bolt, sheetForm)).toEqual(once);
  });

  it('keeps and reports existing values of the same company, unless they are empty or equal', () => {
    const row = { enriched_domain: 'acme.com', enriched_industry: 'Press', enriched_size: '' };
    const sheet = toSheet([{ row, result: { ...acme, size: '1-10' } }], form());
    expect(sheet.rows[0]).toMatchObject({ enriched_industry: 'Press', enriched_size: '1-10' });
    expect(sheet.kept).toEqual({ rows: 1, columns: new Set(['enriched_industry']) });
  });

  it('recognizes numbers and booleans that a spreadsheet returned as text', () => {
    const row = { enriched_domain: 'ACME.com', enriched_size: '51', enriched_has_x: 'TRUE' };
    const { rows, kept } = toSheet([{ row, result: { ...acme, size: 51, has_x: true } }], form());
    expect(rows[0]).toMatchObject({ enriched_size: 51, enriched_has_x: true });
    expect(kept.rows).toBe(0);
  });

  it('contains nothing of another company, also in columns that this result lacks', () => {
    const old = { ...rowOf({ id: 1 }, acme, sheetForm), enriched_partner_names: 'A; B' };
    expect(rowOf(old, bolt, sheetForm)).toEqual({
      ...rowOf({ id: 1 }, bolt, sheetForm),
      enriched_partner_names: '',
    });
    expect(rowOf(old, invalid, sheetForm)).toMatchObject({
      enriched_domain: '',
      enriched_company_name: '',
      enriched_reason: 'no_dot',
    });
  });

  it('keeps the domain with its values when a failure does not name its company', () => {
    const old = rowOf({ id: 1 }, acme, sheetForm) ?? {};
    expect(rowOf(old, { ...broken, domain: null }, sheetForm)).toEqual({
      ...old,
      ...brokenColumns,
    });
  });

  it('has only the new values if Overwrite Columns is on', () => {
    const old = { id: 1, enriched_domain: 'acme.com', enriched_status: 'error' };
    const values = { enriched_message: 'It broke', enriched_industry: 'Press' };
    const row = { ...old, ...values, enriched_partner_names: 'A; B' };
    expect(rowOf(row, acme, form({ overwriteColumns: true }))).toEqual({
      ...rowOf({ id: 1 }, acme),
      enriched_message: '',
      enriched_partner_names: '',
    });
  });

  it("leaves the user's own columns alone in a row that was never enriched", () => {
    const own = { enriched_by: 'Jo', enriched_industry: 'Press' };
    const how = form({ overwriteColumns: true });
    expect(rowOf(own, acme, how)).toMatchObject({ enriched_by: 'Jo', enriched_industry: 'Media' });
    expect(rowOf(own, acme)).toMatchObject({ enriched_by: 'Jo', enriched_industry: 'Press' });
  });

  it("leaves the user's own columns alone when the company is another one", () => {
    const own = { id: 1, list_name: 'Q3', list_owner: 'Jo', list_tier: 'high' };
    const how = form({ columnPrefix: 'list_', owns: (column) => column === 'tier' });
    const old = { ...own, list_domain: 'acme.com', list_status: 'added' };
    expect(rowOf(old, { domain: 'bolt.com', status: 'added' }, how)).toEqual({
      ...{ ...own, list_tier: '' },
      ...{ list_domain: 'bolt.com', list_status: 'added' },
    });
  });

  const spellings = ['https://www.acme.com/about', 'ACME.COM', 'jo@acme.com'];
  it.each(spellings)('treats %s as the company acme.com', (enriched_domain) => {
    const row = { enriched_domain, enriched_industry: 'Press' };
    expect(rowOf(row, acme)).toMatchObject({ enriched_industry: 'Press' });
  });
});

/** Returns all numbers in a value, at any depth. */
function leavesOf(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  return Object.values(value as object).flatMap(leavesOf);
}
