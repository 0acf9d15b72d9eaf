import type { INodeProperties } from 'n8n-workflow';

import {
  choice,
  number,
  flag,
  parameter,
  text,
  type Parameter,
} from '../../src/n8n/parameters/declare';
import { parseTechKeys, parseNumber, parseFlag } from '../../src/n8n/parameters/parsers';
import { includeFirmographics } from './company';

/**
 * Return All and Limit, as in other n8n nodes: the number of rows to read, undefined for all. Rows are
 * charged, so no more than Limit rows are requested.
 */
export const paging: Parameter<number | undefined> = {
  properties: [
    {
      displayName: 'Return All',
      name: 'returnAll',
      type: 'boolean',
      default: false,
      description: 'Whether to return all results or only up to a given limit',
    },
    {
      displayName: 'Limit',
      name: 'limit',
      type: 'number',
      typeOptions: { minValue: 1 },
      default: 50,
      description: 'Max number of results to return',
      displayOptions: { show: { returnAll: [false] } },
    },
  ],
  read: ({ get }) => {
    if (parseFlag(get('returnAll'), 'Return All') === true) return undefined;
    const advice = 'Correct Limit, or turn on Return All.';
    return parseNumber(get('limit'), 'Limit', { min: 1, whole: true, advice });
  },
};

const costs: INodeProperties = {
  displayName:
    'Return All costs up to 1 credit per row. Rows read in the last 30 days are free. Use Count Only to see the total first, or limit the run with Max Credits under Options.',
  name: 'returnAllNotice',
  type: 'notice',
  default: '',
  displayOptions: { show: { returnAll: [true] } },
};

export const chargedPaging: typeof paging = {
  ...paging,
  properties: [...paging.properties, costs],
};

export const countOnly = flag({
  displayName: 'Count Only',
  name: 'countOnly',
  type: 'boolean',
  default: false,
  description:
    'Whether to return one item with the row count and the maximum cost of Return All, instead of the rows. Costs up to 1 credit.',
});

export const offset = number({
  displayName: 'Offset',
  name: 'offset',
  type: 'number',
  typeOptions: { minValue: 0 },
  default: 0,
  description:
    'Number of rows to skip, for example to resume an earlier run. Skipped rows are free.',
});

/** A file for many rows, because a million items would need gigabytes of memory. */
export const outputAs = choice({
  displayName: 'Format',
  name: 'output',
  type: 'options',
  // Models cannot read files.
  displayOptions: { hide: { '@tool': [true] } },
  options: [
    {
      name: 'CSV File',
      value: 'csv',
      description: 'One item with a CSV file for spreadsheets and CRMs, as binary data',
    },
    { name: 'Items', value: 'items', description: 'One item per row' },
    {
      name: 'NDJSON File',
      value: 'ndjson',
      description: 'One item with a file of one JSON object per line, as binary data',
    },
  ],
  default: 'items',
  description: 'How to output the rows. Choose a file for more than about 10,000 rows.',
});

const onlyCsv: NonNullable<INodeProperties['displayOptions']> = { show: { '/output': ['csv'] } };

export const fileOptions = {
  byteOrderMark: flag({
    displayName: 'Byte Order Mark',
    name: 'byteOrderMark',
    type: 'boolean',
    default: true,
    description:
      'Whether to start the CSV file with the mark that Excel needs to show accents and other scripts correctly',
    displayOptions: onlyCsv,
  }),
  delimiter: choice({
    displayName: 'Delimiter',
    name: 'delimiter',
    type: 'options',
    options: [
      { name: 'Comma', value: 'comma' },
      {
        name: 'Semicolon',
        value: 'semicolon',
        description: 'For Excel in most of Europe, which puts comma-separated text in one column',
      },
      { name: 'Tab', value: 'tab' },
    ],
    default: 'comma',
    description: 'Character between the columns of the CSV file',
    displayOptions: onlyCsv,
  }),
  escapeFormulas: flag({
    displayName: 'Escape Formulas',
    name: 'escapeFormulas',
    type: 'boolean',
    default: true,
    description:
      "Whether to put an apostrophe before text in the CSV file that a spreadsheet would run as a formula. On by default, because names come from other people's websites.",
    displayOptions: onlyCsv,
  }),
  offset,
};

/** @param fields In alphabetical order of their names. The API sorts in descending order by `-field`. */
export function sort(
  fields: ReadonlyArray<{ readonly name: string; readonly value: string }>,
  defaultSort: string,
) {
  return choice<string>({
    displayName: 'Sort',
    name: 'sort',
    type: 'options',
    options: fields.flatMap(({ name, value }) => [
      { name: `${name} (Ascending)`, value },
      { name: `${name} (Descending)`, value: `-${value}` },
    ]),
    default: defaultSort,
    description: 'Order of the results',
  });
}

export function containsFilter(
  name: string,
  rows: string,
  where: 'Name' | 'Name or Domain' = 'Name',
) {
  return text({
    displayName: `${where} Contains`,
    name,
    type: 'string',
    default: '',
    placeholder: 'e.g. acme',
    description: `Only ${rows} with this text in their ${where.toLowerCase()}; empty means all`,
  });
}

export const simplify = flag({
  displayName: 'Simplify',
  name: 'simplify',
  type: 'boolean',
  default: true,
  description: 'Whether to return a simplified version of the response instead of the raw data',
});

export const technologyColumns = parameter(
  {
    displayName: 'Technology Columns',
    name: 'technologyColumns',
    type: 'string',
    default: '',
    placeholder: 'e.g. hubspot, google-analytics',
    description:
      'Tech keys to add as columns: has_hubspot says whether the company uses HubSpot. To find tech keys, use Tech Users: Search Technologies.',
    displayOptions: { show: { '/simplify': [true] } },
  },
  parseTechKeys,
);

export const companyRows = {
  wanted: chargedPaging,
  countOnly,
  include: includeFirmographics,
  simplify,
  output: outputAs,
};
