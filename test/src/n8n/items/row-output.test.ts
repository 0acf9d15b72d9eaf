import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { NotFoundError } from '../../../../src/client/errors';
import type { OnError } from '../../../../src/n8n/failures';
import { toFailure, toSuccess, type Result } from '../../../../src/n8n/items/row-result';
import { toItems, type RowOutput } from '../../../../src/n8n/items/write';

const context = { addExecutionHints: () => undefined } as unknown as IExecuteFunctions;

const binary = { file: { data: 'eA==', mimeType: 'text/plain' } };
const input = { json: { email: 'jo@acme.com', enrichment: 'old' }, binary };
const result = { domain: 'acme.com', status: 'found' };
const merged = { email: 'jo@acme.com', enrichment: result };

const details = { status: 404, hint: 'Check it.' };
const text = { code: 'company_not_found', message: 'Unknown company' };
const failure = new NotFoundError({ ...text, ...details });
const errorItem = { error: { code: 'company_not_found', ...details }, message: 'Unknown company' };

const FORM = { output: 'merge', resultField: 'enrichment', columnPrefix: 'enriched_' } as const;

interface Case extends Partial<RowOutput> {
  readonly outcome?: Result;
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
  const inputs = [{ json: {} }, input, input, input, given];
  const nothing: Result[] = Array.from({ length: 4 }, () => ({ outputs: [] }));
  return toItems(context, [...nothing, outcome], { ...FORM, onError, inputs, ...more })[0];
}

it.each<[what: string, row: Case, item: object]>([
  ['its fields and files, and the result in the result field', {}, { json: merged, binary }],
  ['only the result if Output is Result Only', { output: 'result' }, { json: result }],
  ['no files if it had none', { given: { json: {} } }, { json: { enrichment: result } }],
])('outputs a successful row with %s', (_what, row, item) => {
  const before = structuredClone(input);
  expect(fifthItem(row)).toEqual({ ...item, pairedItem: { item: 4 } });
  fifthItem({ ...row, output: 'columns', resultField: 'email', columnPrefix: 'e' });
  expect(input).toEqual(before);
});

it('has the known columns first, then others, in flat rows if Output is Result Only', () => {
  const columns = ['domain', 'industry'];
  const results = [
    { domain: 'a.com', x: 1 },
    { industry: 'Media', domain: 'b.com' },
  ];
  const outcomes = results.map((json): Result => ({ outputs: [{ json, columns }] }));
  const items = toItems(context, [...outcomes, toFailure(failure)], {
    ...FORM,
    output: 'result',
    onError: 'continueRegularOutput',
    inputs: [],
  });

  // Missing values are empty texts.
  expect(items.map(({ json }) => Object.entries(json))).toEqual([
    Object.entries({ domain: 'a.com', industry: '', x: 1 }),
    Object.entries({ domain: 'b.com', industry: 'Media', x: '' }),
    Object.entries(errorItem),
  ]);
});

describe('a failed row', () => {
  const outcome = toFailure(failure, { domain: 'acme.com' });

  const error = { error: 'company_not_found', message: 'Unknown company' };

  it('is only the error item on the error output, and if Output is Result Only', () => {
    const item = { json: errorItem, pairedItem: { item: 4 } };
    for (const output of ['merge', 'columns', 'result'] as const) {
      expect(fifthItem({ outcome, output, onError: 'continueErrorOutput' })).toEqual(item);
    }
    const onError = 'continueRegularOutput';
    expect(fifthItem({ outcome, output: 'result', onError })).toEqual(item);
  });

  it('keeps its fields on the regular output', () => {
    const enrichment = { domain: 'acme.com', status: 'error', ...error, details };
    expect(fifthItem({ outcome, onError: 'continueRegularOutput' })).toEqual({
      json: { email: 'jo@acme.com', enrichment, error: 'Unknown company' },
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
      enriched_error: error.error,
      enriched_message: error.message,
    });
  });
});
