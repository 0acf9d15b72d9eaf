import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { NotFoundError } from '../../../../src/client/errors';
import type { OnError } from '../../../../src/n8n/failures';
import { toFailure, toSuccess, type Result } from '../../../../src/n8n/items/row-result';
import { toItems, type RowOutput } from '../../../../src/n8n/items/write';

const context = { addExecutionHints: () => undefined } as unknown as IExecuteFunctions;

const binary = { file: { data: 'eA==', mimeType: 'text/plain' } };
const input = { json: { email: 'jo@acme.com' }, binary };
const result = { domain: 'acme.com', status: 'found' };
const columns = { enriched_domain: 'acme.com', enriched_status: 'found' };

const details = { status: 404, hint: 'Check it.' };
const text = { code: 'company_not_found', message: 'Unknown company' };
const failure = new NotFoundError({ ...text, ...details });
const errorItem = { error: { code: 'company_not_found', ...details }, message: 'Unknown company' };

const FORM = { output: 'columns', columnPrefix: 'enriched_' } as const;

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
  ['its fields, files and columns', {}, { json: { ...input.json, ...columns }, binary }],
  ['only the result if Output is Result Only', { output: 'result' }, { json: result }],
  ['no files if it had none', { given: { json: {} } }, { json: columns }],
])('outputs a successful row with %s', (_what, row, item) => {
  const before = structuredClone(input);
  expect(fifthItem(row)).toEqual({ ...item, pairedItem: { item: 4 } });
  expect(input).toEqual(before);
});

it('has the known columns first, then others, in flat rows if Output is Result Only', () => {
  const known = ['domain', 'industry'];
  const results = [
    { domain: 'a.com', x: 1 },
    { industry: 'Media', domain: 'b.com' },
  ];
  const outcomes = results.map((json): Result => ({ outputs: [{ json, columns: known }] }));
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

  it('is only the error item on the error output, and if Output is Result Only', () => {
    const item = { json: errorItem, pairedItem: { item: 4 } };
    for (const output of ['columns', 'result'] as const) {
      expect(fifthItem({ outcome, output, onError: 'continueErrorOutput' })).toEqual(item);
    }
    const onError = 'continueRegularOutput';
    expect(fifthItem({ outcome, output: 'result', onError })).toEqual(item);
  });

  it('keeps its fields on the regular output, and has the error and the advice in columns', () => {
    const json = {
      ...input.json,
      enriched_domain: 'acme.com',
      enriched_status: 'error',
      enriched_error: 'company_not_found',
      enriched_message: 'Unknown company. Check it.',
    };
    expect(fifthItem({ outcome, onError: 'continueRegularOutput' })).toEqual({
      json,
      binary,
      pairedItem: { item: 4 },
    });
  });
});
