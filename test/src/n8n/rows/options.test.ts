/**
 * Tests how the options of a run are read from the node's parameters
 * (`src/n8n/parameters/read.ts`).
 */
import { NodeOperationError, type IExecuteFunctions, type INode } from 'n8n-workflow';

import { enrichOptions } from '../../../../nodes/BulkEnrich/options';
import { readForRun } from '../../../../src/n8n/parameters/read';

/** Returns the two functions of n8n's context that reading the options needs. */
function contextWith(options: unknown): IExecuteFunctions {
  const context: Pick<IExecuteFunctions, 'getNode'> & { getNodeParameter: () => unknown } = {
    getNode: () => ({ name: 'Bulk Enrich', type: 'bulkEnrich' }) as INode,
    getNodeParameter: () => options,
  };
  return context as unknown as IExecuteFunctions;
}

const read = (options: unknown) =>
  readForRun(contextWith(options), { options: enrichOptions({}) }).options;

it('uses defaults for options that are not set', () => {
  expect(read({})).toEqual({
    output: 'merge',
    resultField: 'enrichment',
    columnPrefix: 'enriched_',
    overwriteColumns: false,
    subdomains: 'strip',
    rejectFreeMail: undefined,
    maxCredits: 0,
    onlyFirstCompanies: 0,
    candidatesPerName: 3,
    runReport: false,
    spendRemainingCredits: false,
    maxRateLimitWaitMinutes: 10,
    requestTimeoutSeconds: 60,
  });
});

it('reads the options that are set, also a number as text', () => {
  const chosen = {
    output: 'result',
    maxCredits: '250',
    resultField: ' data ',
    rejectFreeMail: true,
  };
  expect(read(chosen)).toMatchObject({
    output: 'result',
    maxCredits: 250,
    resultField: 'data',
    rejectFreeMail: true,
  });
});

it.each([
  [{ maxCredits: -1 }, 'maxCredits'],
  [{ maxCredits: 'many' }, 'maxCredits'],
  [{ maxCredits: 1.5 }, 'maxCredits'],
  [{ requestTimeoutSeconds: 0 }, 'requestTimeoutSeconds'],
  [{ maxRateLimitWaitMinutes: -5 }, 'maxRateLimitWaitMinutes'],
  [{ resultField: '  ' }, 'resultField'],
  // n8n would treat the item as an error.
  [{ resultField: 'error' }, 'resultField'],
  [{ resultField: 'message' }, 'resultField'],
  [{ resultField: 'details' }, 'resultField'],
  [{ columnPrefix: ' ' }, 'columnPrefix'],
  [{ overwriteColumns: 'some' }, 'overwriteColumns'],
  [{ output: 'both' }, 'output'],
  [{ subdomains: 'some' }, 'subdomains'],
  [{ rejectFreeMail: 'yes' }, 'rejectFreeMail'],
  // An expression with an empty result must not remove the limit.
  [{ maxCredits: '' }, 'maxCredits'],
  [{ maxCredits: null }, 'maxCredits'],
  // A longer timer would overflow and fire immediately.
  [{ requestTimeoutSeconds: 3_000_000 }, 'requestTimeoutSeconds'],
])('refuses %j and names the option', (options, name) => {
  expect(() => read(options)).toThrow(NodeOperationError);
  expect(() => read(options)).toThrow(new RegExp(`"${name}" is invalid`));
});
