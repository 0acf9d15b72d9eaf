import { NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';

import { enrichOptions } from '../../../../nodes/BulkEnrich/options';
import { readForRun } from '../../../../src/n8n/parameters/readers';
import { node } from '../support';

/** Reads these options from the two functions of n8n's context that are needed. */
function read(options: unknown) {
  const context = { getNode: () => node, getNodeParameter: () => options };
  const run = { options: enrichOptions({}) };
  return readForRun(context as unknown as IExecuteFunctions, run).options;
}

it('uses defaults for options that are not set', () => {
  expect(read({})).toEqual({
    output: 'merge',
    resultField: 'enrichment',
    columnPrefix: 'enriched_',
    subdomains: 'strip',
    rejectFreeMail: undefined,
    maxCredits: 0,
    candidatesPerName: 3,
    spendRemainingCredits: false,
    maxRateLimitWaitMinutes: 10,
    requestTimeoutSeconds: 60,
  });
});

it('reads the options that are set, also a number as text', () => {
  const chosen = { output: 'result', rejectFreeMail: true };
  const typed = { ...chosen, maxCredits: '250', resultField: ' data ' };
  expect(read(typed)).toMatchObject({ ...chosen, maxCredits: 250, resultField: 'data' });
});

it.each([
  [{ maxCredits: -1 }, 'Max Credits'],
  [{ maxCredits: 'many' }, 'Max Credits'],
  [{ maxCredits: 1.5 }, 'Max Credits'],
  [{ requestTimeoutSeconds: 0 }, 'Request Timeout (Seconds)'],
  [{ maxRateLimitWaitMinutes: -5 }, 'Max Rate Limit Wait (Minutes)'],
  [{ resultField: '  ' }, 'Result Field'],
  // n8n would treat the item as an error.
  [{ resultField: 'error' }, 'Result Field'],
  [{ resultField: 'message' }, 'Result Field'],
  [{ resultField: 'details' }, 'Result Field'],
  [{ columnPrefix: ' ' }, 'Column Prefix'],
  [{ output: 'both' }, 'Output'],
  [{ subdomains: 'some' }, 'Subdomains'],
  [{ rejectFreeMail: 'yes' }, 'Free Email Hosts'],
  // An expression with an empty result must not remove the limit.
  [{ maxCredits: '' }, 'Max Credits'],
  [{ maxCredits: null }, 'Max Credits'],
  // A longer timer would overflow and fire immediately.
  [{ requestTimeoutSeconds: 3_000_000 }, 'Request Timeout (Seconds)'],
])('refuses %j and names the option', (options, name) => {
  expect(() => read(options)).toThrow(NodeOperationError);
  expect(() => read(options)).toThrow(`The option "${name}" is invalid: `);
});
