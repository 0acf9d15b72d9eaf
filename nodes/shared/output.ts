import type { INodeProperties } from 'n8n-workflow';

import { choice, number, onOff, type Parameter } from '../../src/n8n/parameters/declare';
import { offset } from './paging';

/** What every choice between items and files has, to be filled in with its options. */
export const outputProperty = {
  displayName: 'Output As',
  name: 'output',
  type: 'options' as const,
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
export function fileOptions(pageSize: number): {
  byteOrderMark: Parameter<boolean>;
  escapeFormulas: Parameter<boolean>;
  offset: Parameter<number>;
  startPage: Parameter<number>;
} {
  return {
    byteOrderMark,
    escapeFormulas: onOff({
      displayName: 'Escape Formulas',
      name: 'escapeFormulas',
      type: 'boolean',
      default: true,
      description:
        "Whether texts in the CSV file that a spreadsheet would run as a formula get an apostrophe before them; done unless turned off, because names come from other people's websites",
      displayOptions: onlyCsv,
    }),
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
