import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { NotFoundError } from '../../../../src/client/errors';
import type { OnError } from '../../../../src/n8n/failures';
import { RowForm, type RowOutput } from '../../../../src/n8n/rows/rows';

const out = (output: RowOutput['output'], more: Partial<RowOutput> = {}): RowOutput => ({
  output,
  resultField: 'enrichment',
  columnPrefix: 'enriched_',
  overwriteColumns: false,
  ...more,
});
const form = (...given: Parameters<typeof out>) => new RowForm(out(...given), 'stop');
const failing = (output: RowOutput['output'], onError: OnError) =>
  new RowForm(out(output), onError);

const binary = { file: { data: 'eA==', mimeType: 'text/plain' } };
const input = { json: { email: 'jo@acme.com', enrichment: 'old' }, binary };
const result = { domain: 'acme.com', status: 'found' };

const failure = new NotFoundError({
  code: 'company_not_found',
  message: 'Unknown company',
  hint: 'Check it.',
  status: 404,
});

describe('a good row', () => {
  it('keeps its fields and files, and gets the result under its own field', () => {
    expect(form('merge').itemOf(input, { json: result }, 4)).toEqual({
      json: { email: 'jo@acme.com', enrichment: result },
      binary,
      pairedItem: { item: 4 },
    });
  });

  it('is the result alone when asked for', () => {
    const item = form('result').itemOf(input, { json: result }, 4);
    expect(item).toEqual({ json: result, pairedItem: { item: 4 } });
  });

  it('changes nothing about the input', () => {
    const before = structuredClone(input);
    form('merge', { resultField: 'email' }).itemOf(input, { json: result }, 0);
    form('columns', { columnPrefix: 'e', overwriteColumns: true }).itemOf(
      input,
      { json: { mail: 'new' } },
      0,
    );
    expect(input).toEqual(before);
  });

  it('without files has no empty place for them', () => {
    expect(form('merge').itemOf({ json: {} }, { json: result }, 0)).not.toHaveProperty('binary');
    expect(form('merge').itemOf(undefined, { json: result }, 0).json).toEqual({
      enrichment: result,
    });
  });
});

describe('columns', () => {
  it('stand beside the fields and files of the row, objects in them too', () => {
    const refreshed = { ...result, enrichment: { industry: 'Media', tags: ['a'], none: {} } };
    expect(form('columns').itemOf(input, { json: refreshed }, 4)).toEqual({
      json: {
        ...input.json,
        enriched_domain: 'acme.com',
        enriched_status: 'found',
        enriched_enrichment_industry: 'Media',
        enriched_enrichment_tags: ['a'],
        enriched_enrichment_none: {},
      },
      binary,
      pairedItem: { item: 4 },
    });
  });

  it('an object whose fields are there already stays whole', () => {
    const { json } = form('columns').itemOf(
      { json: {} },
      { json: { a: { b: 1 }, a_b: 2, c: { d: { e: 3 } }, c_d: { e: 4 } } },
      0,
    );
    expect(json).toEqual({
      enriched_a: { b: 1 },
      enriched_a_b: 2,
      enriched_c_d_e: 3,
      enriched_c_d: { e: 4 },
    });
  });

  it('what a row has in one is kept and told; what is empty or the same is not', () => {
    const columns = form('columns');
    const row = { enriched_domain: 'old.com', enriched_status: 'found', enriched_size: '' };
    expect(columns.itemOf({ json: row }, { json: { ...result, size: '1-10' } }, 0).json).toEqual({
      ...row,
      enriched_size: '1-10',
    });
    expect(columns.hints()[0]).toMatchObject({
      type: 'warning',
      message: expect.stringMatching(/^1 row had .*\(enriched_domain\)\. .*Overwrite Columns/),
    });
    expect(form('columns').hints()).toEqual([]);
  });

  it('of an earlier run get the new values where that is wanted', () => {
    const columns = form('columns', { overwriteColumns: true });
    const { json } = columns.itemOf(
      { json: { id: 1, enriched_domain: 'old.com' } },
      { json: result },
      0,
    );
    expect(json).toEqual({ id: 1, enriched_domain: 'acme.com', enriched_status: 'found' });
    expect(columns.hints()).toEqual([]);
  });

  it('never change a field of the row, and hold all values of the result', () => {
    const name = fc.constantFrom('a', 'b', 'a_b', 'a_a', '__proto__', 'constructor');
    const record = fc.letrec<{ value: unknown; record: IDataObject }>((tie) => ({
      value: fc.oneof({ depthSize: 'small' }, fc.integer({ min: 1 }), tie('record')),
      record: fc
        .array(fc.tuple(name, tie('value')), { maxLength: 4 })
        .map((entries) => Object.fromEntries(entries) as IDataObject),
    })).record;
    fc.assert(
      fc.property(record, record, (row, wide) => {
        const columns = form('columns', { columnPrefix: 'a_' });
        const { json } = columns.itemOf({ json: row }, { json: wide }, 0);
        for (const [field, value] of Object.entries(row)) expect(json[field]).toEqual(value);
        if (columns.hints().length > 0) return;
        const added = leavesOf(json).sort();
        for (const value of leavesOf(wide)) expect(added).toContain(value);
        const empty = form('columns').itemOf(undefined, { json: wide }, 0).json;
        expect(leavesOf(empty).sort()).toEqual(leavesOf(wide).sort());
      }),
    );
  });
});

describe('a row that failed', () => {
  const details = { status: 404, hint: 'Check it.' };

  it.each(['merge', 'columns', 'result'] as const)(
    'is the pure error item on the error output (%s)',
    (output) => {
      expect(failing(output, 'continueErrorOutput').failedItemOf(input, {}, failure, 4)).toEqual({
        json: { error: { code: 'company_not_found', ...details }, message: 'Unknown company' },
        pairedItem: { item: 4 },
      });
    },
  );

  it('keeps its fields on the regular output', () => {
    expect(
      failing('merge', 'continueRegularOutput').failedItemOf(
        input,
        { domain: 'acme.com' },
        failure,
        4,
      ),
    ).toEqual({
      json: {
        email: 'jo@acme.com',
        enrichment: {
          domain: 'acme.com',
          status: 'error',
          error: 'company_not_found',
          message: 'Unknown company',
          details,
        },
        error: 'Unknown company',
      },
      binary,
      pairedItem: { item: 4 },
    });
  });

  it('says why in columns where columns are asked for', () => {
    const item = failing('columns', 'continueRegularOutput').failedItemOf(
      input,
      { domain: 'a.com' },
      failure,
      4,
    );
    expect(item.json).toEqual({
      ...input.json,
      enriched_domain: 'a.com',
      enriched_status: 'error',
      enriched_error: 'company_not_found',
      enriched_message: 'Unknown company',
      enriched_details_status: 404,
      enriched_details_hint: 'Check it.',
      error: 'Unknown company',
    });
  });

  it('is the error alone on the regular output when results alone are asked for', () => {
    expect(
      failing('result', 'continueRegularOutput').failedItemOf(input, {}, failure, 4).json,
    ).toEqual({
      error: { code: 'company_not_found', ...details },
      message: 'Unknown company',
    });
  });
});

/** The numbers in a value, however deep. */
function leavesOf(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  return Object.values(value as object).flatMap(leavesOf);
}
