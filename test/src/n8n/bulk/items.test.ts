import { NotFoundError } from '../../../../src/client/errors';
import { failedItem, mergedItem } from '../../../../src/n8n/bulk/items';

const merge = { output: 'merge', resultField: 'enrichment' } as const;
const alone = { output: 'result', resultField: 'enrichment' } as const;
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
    expect(mergedItem(input, result, 4, merge)).toEqual({
      json: { email: 'jo@acme.com', enrichment: result },
      binary,
      pairedItem: { item: 4 },
    });
  });

  it('is the result alone when asked for', () => {
    expect(mergedItem(input, result, 4, alone)).toEqual({ json: result, pairedItem: { item: 4 } });
  });

  it('changes nothing about the input', () => {
    const before = structuredClone(input);
    mergedItem(input, result, 0, { ...merge, resultField: 'email' });
    expect(input).toEqual(before);
  });

  it('without files has no empty place for them', () => {
    expect(mergedItem({ json: {} }, result, 0, merge)).not.toHaveProperty('binary');
    expect(mergedItem(undefined, result, 0, merge).json).toEqual({ enrichment: result });
  });
});

describe('a row that failed', () => {
  const details = { status: 404, hint: 'Check it.' };

  it.each([merge, alone])('is the pure error item on the error output ($output)', (options) => {
    expect(failedItem(input, failure, 4, options, 'continueErrorOutput')).toEqual({
      json: { error: { code: 'company_not_found', ...details }, message: 'Unknown company' },
      pairedItem: { item: 4 },
    });
  });

  it('keeps its fields on the regular output', () => {
    expect(failedItem(input, failure, 4, merge, 'continueRegularOutput', 'acme.com')).toEqual({
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

  it('is the error alone on the regular output when results alone are asked for', () => {
    expect(failedItem(input, failure, 4, alone, 'continueRegularOutput').json).toEqual({
      error: { code: 'company_not_found', ...details },
      message: 'Unknown company',
    });
  });
});
