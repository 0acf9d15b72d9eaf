import type { INodeProperties } from 'n8n-workflow';

import { BETWEEN } from '../../src/service/flat-company';
import { techKeyOf } from '../../src/input/inputs';
import {
  choice,
  number,
  onOff,
  parameter,
  text,
  type Parameter,
} from '../../src/n8n/parameters/declare';
import { listed, numberOf, yesOrNoOf } from '../../src/n8n/parameters/values';
import { includeFirmographics } from './company';

const properties: INodeProperties[] = [
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
];

/**
 * Return All and Limit, as every n8n user knows them: how many rows are wanted, undefined for all.
 * Rows are billed, so Limit asks for no more.
 */
export const paging: Parameter<number | undefined> = {
  properties,
  read: ({ get }) => {
    if (yesOrNoOf(get('returnAll'), 'Return All') === true) return undefined;
    const advice = 'Correct Limit, or turn on Return All.';
    return numberOf(get('limit'), 'Limit', { min: 1, whole: true, advice });
  },
};

const costs: INodeProperties = {
  displayName:
    'Return All costs 1 credit for each row there is, but those that were read in the last 30 days. Count Only tells how many there are; Max Credits, under Options, bounds the run.',
  name: 'returnAllNotice',
  type: 'notice',
  default: '',
  displayOptions: { show: { returnAll: [true] } },
};

/** The same for rows that cost credits, which is said before they are asked for. */
export const billedPaging: typeof paging = {
  ...paging,
  properties: [...paging.properties, costs],
};

/** What a list would cost, instead of the list. */
export const countOnly = onOff({
  displayName: 'Count Only',
  name: 'countOnly',
  type: 'boolean',
  default: false,
  description:
    'Whether to return one item with the number of rows and what Return All would cost at most, instead of the rows. Asks for a single row, so that it costs 1 credit at most.',
});

/** Where a list begins, for all that have {@link paging}. */
export const offset = number({
  displayName: 'Offset',
  name: 'offset',
  type: 'number',
  typeOptions: { minValue: 0 },
  default: 0,
  description:
    'How many rows to leave out before the first one, to go on where an earlier run ended; they cost nothing',
});

/** What every choice between items and files has, to be filled in with its options. */
export const outputProperty = {
  displayName: 'Output As',
  name: 'output',
  type: 'options' as const,
  // Models read no files.
  displayOptions: { hide: { '@tool': [true] } },
};

/** Whether rows come out as items or as a file; items of a million rows would take gigabytes. */
export const outputAs = choice({
  ...outputProperty,
  options: [
    {
      name: 'CSV File',
      value: 'csv',
      description: 'One item with a file for spreadsheets and CRMs, as binary data',
    },
    {
      name: 'Items',
      value: 'items',
      description: 'One item for each row',
    },
    {
      name: 'NDJSON File',
      value: 'ndjson',
      description: 'One item with a file of one JSON object a line, as binary data',
    },
  ],
  default: 'items',
  description: 'In what form to return the rows. Choose a file for more than about 10,000 rows.',
});

const onlyCsv: NonNullable<INodeProperties['displayOptions']> = { show: { '/output': ['csv'] } };

/** As in n8n's own files there is one. */
const byteOrderMark = onOff({
  displayName: 'Byte Order Mark',
  name: 'byteOrderMark',
  type: 'boolean',
  default: true,
  description:
    'Whether the CSV file begins with the mark by which Excel recognizes accents and other scripts',
  displayOptions: onlyCsv,
});

/**
 * Options of lists whose rows may go to a file.
 *
 * @param pageSize rows of a page of the endpoint.
 */
export function fileOptions(pageSize: number) {
  return {
    byteOrderMark,
    dates: choice({
      displayName: 'Dates',
      name: 'dates',
      type: 'options',
      options: [
        {
          name: 'As the Service Sends Them',
          value: 'service',
          description: '2026-01-31T12:00:00Z',
        },
        {
          name: 'For Spreadsheets',
          value: 'spreadsheet',
          description: '2026-01-31 12:00:00, in UTC, which Excel and Google Sheets read as a date',
        },
      ],
      default: 'service',
      description: 'How times are written in the CSV file',
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
          description: 'For Excel in most of Europe, which opens commas in one column',
        },
        { name: 'Tab', value: 'tab' },
      ],
      default: 'comma',
      description: 'What stands between the columns of the CSV file',
      displayOptions: onlyCsv,
    }),
    escapeFormulas: onOff({
      displayName: 'Escape Formulas',
      name: 'escapeFormulas',
      type: 'boolean',
      default: true,
      description:
        "Whether texts in the CSV file that a spreadsheet would run as a formula get an apostrophe before them; done unless turned off, because names come from other people's websites",
      displayOptions: onlyCsv,
    }),
    listSeparator: parameter(
      {
        displayName: 'List Separator',
        name: 'listSeparator',
        type: 'string',
        default: BETWEEN,
        description:
          'What stands between several names in one cell of the CSV file, such as technology_names',
        displayOptions: onlyCsv,
      },
      // Blanks in it are meant.
      (value) => (typeof value === 'string' && value !== '' ? value : BETWEEN),
    ),
    offset,
    startPage: number({
      displayName: 'Start Page',
      name: 'startPage',
      type: 'number',
      typeOptions: { minValue: 1 },
      default: 1,
      description: `Page to begin with, ${pageSize.toLocaleString('en-US')} rows each, to go on where an earlier run ended; Offset counts from there`,
    }),
  };
}

interface SortField {
  readonly name: string;
  readonly value: string;
}

/**
 * The Sort parameter: each field up and down, `-` before it for down, as the interface writes it.
 *
 * @param fields in alphabetical order of their names.
 */
export function sort(fields: readonly SortField[], defaultSort: string) {
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

/**
 * A filter on text, the same wherever a list has one.
 *
 * @param rows what is let through, in words: `partners`.
 * @param where what is searched, as a title.
 */
export function contains(name: string, rows: string, where: 'Name' | 'Name or Domain' = 'Name') {
  return text({
    displayName: `${where} Contains`,
    name,
    type: 'string',
    default: '',
    placeholder: 'e.g. acme',
    description: `Only ${rows} with this text in their ${where.toLowerCase()}; empty for all`,
  });
}

/** Whether companies come out as flat rows. */
export const simplify = onOff({
  displayName: 'Simplify',
  name: 'simplify',
  type: 'boolean',
  default: true,
  description: 'Whether to return a simplified version of the response instead of the raw data',
});

/** For operations that return the technologies of companies. */
export const technologyColumns = parameter(
  {
    displayName: 'Technology Columns',
    name: 'technologyColumns',
    type: 'string',
    default: '',
    placeholder: 'e.g. hubspot, google-analytics',
    description:
      'Keys of technologies that get a column each when the output is simplified: has_hubspot says whether the company uses it. Search Technologies of Tech Users finds keys.',
    displayOptions: { show: { '/simplify': [true] } },
  },
  (value): string[] => listed(value, /[,;\s]+/).map(techKeyOf),
);

/** What all lists of companies show: how many, with what, and in which form. */
export const companyRows = {
  wanted: billedPaging,
  countOnly,
  include: includeFirmographics,
  simplify,
  output: outputAs,
};
