/**
 * Tests the output item of a row, successful or failed, in each form of Output
 * (`src/n8n/rows/rows.ts`).
 */
import type { INodeExecutionData } from 'n8n-workflow';

import { NotFoundError } from '../../../../src/client/errors';
import type { OnError } from '../../../../src/n8n/failures';
import {
  arrangeItems,
  toFailure,
  type Outcome,
  type RowOutput,
  toSuccess,
} from '../../../../src/n8n/rows/rows';

const binary = { file: { data: 'eA==', mimeType: 'text/plain' } };
const input = { json: { email: 'jo@acme.com', enrichment: 'old' }, binary };
const result = { domain: 'acme.com', status: 'found' };

const failure = new NotFoundError({
  code: 'company_not_found',
  message: 'Unknown company',
  hint: 'Check it.',
  status: 404,
});
const details = { status: 404, hint: 'Check it.' };

interface Case extends Partial<RowOutput> {
  readonly outcome?: Outcome;
  readonly given?: INodeExecutionData;
  readonly onError?: OnError;
}

/** Returns the output item for the fifth input item; the others have no result. */
function fifthItem({
  outcome = toSuccess(result),
  given = input,
  onError = 'stop',
  ...more
}: Case): INodeExecutionData | undefined {
  const form = { output: 'merge', resultField: 'enrichment', columnPrefix: 'enriched_' } as const;
  const out = { ...form, overwriteColumns: false, onError, ...more };
  const nothing: Outcome[] = Array.from({ length: 4 }, () => ({ outputs: [] }));
  return arrangeItems([...nothing, outcome], [{ json: {} }, input, input, input, given], out)
    .items[0];
}

describe('a successful row', () => {
  it('keeps its fields and files, with the result in the result field', () => {
    expect(fifthItem({})).toEqual({
      json: { email: 'jo@acme.com', enrichment: result },
      binary,
      pairedItem: { item: 4 },
    });
  });

  it('is only the result if Output is Result Only', () => {
    expect(fifthItem({ output: 'result' })).toEqual({ json: result, pairedItem: { item: 4 } });
  });

  it('does not change the input item', () => {
    const before = structuredClone(input);
    fifthItem({ resultField: 'email' });
    const outcome = toSuccess({ mail: 'new' });
    fifthItem({ outcome, output: 'columns', columnPrefix: 'e', overwriteColumns: true });
    expect(input).toEqual(before);
  });

  it('has no binary property if the input has no files', () => {
    expect(fifthItem({ given: { json: {} } })).toEqual({
      json: { enrichment: result },
      pairedItem: { item: 4 },
    });
  });
});

describe('flat rows if Output is Result Only', () => {
  it('have the known columns first, then others, and empty texts for missing values', () => {
    const columns = ['domain', 'industry'];
    const flat = (json: Outcome['outputs'][number]['json']): Outcome => ({
      outputs: [{ json, columns }],
    });
    const out = { output: 'result', resultField: '', columnPrefix: '' } as const;
    const outcomes = [
      flat({ domain: 'a.com', x: 1 }),
      flat({ industry: 'Media', domain: 'b.com' }),
    ];
    const { items } = arrangeItems([...outcomes, toFailure(failure)], [], {
      ...out,
      overwriteColumns: false,
      onError: 'continueRegularOutput',
    });

    expect(items.map(({ json }) => Object.entries(json))).toEqual([
      Object.entries({ domain: 'a.com', industry: '', x: 1 }),
      Object.entries({ domain: 'b.com', industry: 'Media', x: '' }),
      Object.entries({
        error: { code: 'company_not_found', ...details },
        message: 'Unknown company',
      }),
    ]);
  });
});

describe('a failed row', () => {
  const outcome = toFailure(failure, 'acme.com');

  it.each(['merge', 'columns', 'result'] as const)(
    'is only the error item on the error output (%s)',
    (output) => {
      expect(fifthItem({ outcome, output, onError: 'continueErrorOutput' })).toEqual({
        json: { error: { code: 'company_not_found', ...details }, message: 'Unknown company' },
        pairedItem: { item: 4 },
      });
    },
  );

  it('keeps its fields on the regular output', () => {
    expect(fifthItem({ outcome, onError: 'continueRegularOutput' })).toEqual({
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

  it('has the error in columns if Output is Input Fields and Columns', () => {
    const item = fifthItem({ outcome, output: 'columns', onError: 'continueRegularOutput' });
    expect(item?.json).toEqual({
      ...input.json,
      enriched_domain: 'acme.com',
      enriched_status: 'error',
      enriched_error: 'company_not_found',
      enriched_message: 'Unknown company',
      enriched_details_hint: 'Check it.',
    });
  });

  it('is only the error on the regular output if Output is Result Only', () => {
    expect(
      fifthItem({ outcome, output: 'result', onError: 'continueRegularOutput' })?.json,
    ).toEqual({
      error: { code: 'company_not_found', ...details },
      message: 'Unknown company',
    });
  });
});
