import { NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';

import { technologyColumns } from '../../../../nodes/shared/listParameters';
import { enrichOptions, rows } from '../../../../nodes/BulkEnrich/options';
import { readForRun } from '../../../../src/n8n/parameters/readers';
import { node } from '../support';

function read(options: unknown) {
  const context = { getNode: () => node, getNodeParameter: () => options };
  const run = { options: enrichOptions({ output: rows.output, technologyColumns }) };
  return readForRun(context as unknown as IExecuteFunctions, run).options;
}

it.each<[name: string, option: string, ...unknown[]]>([
  // An expression with an empty result must not remove the limit.
  ['Max Credits', 'maxCredits', -1, 'many', 1.5, '', null],
  ['Column Prefix', 'columnPrefix', ' '],
  ['Output', 'output', 'both'],
  ['Subdomains', 'subdomains', 'some'],
  ['Free Email Hosts', 'rejectFreeMail', 'yes'],
  ['Technology Columns', 'technologyColumns', 'no key!'],
])('refuses an invalid value of %s and names the option once', (name, option, ...values) => {
  for (const value of values) {
    expect(() => read({ [option]: value })).toThrow(NodeOperationError);
    expect(() => read({ [option]: value })).toThrow(new RegExp(`^"${name}"(?!.*"${name}")`, 's'));
  }
});
