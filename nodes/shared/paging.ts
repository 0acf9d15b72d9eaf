import type { INodeProperties } from 'n8n-workflow';

import { InputError } from '../../src/input/inputs';
import { quote } from '../../src/input/quote';
import { number, onOff, type Parameter } from '../../src/n8n/parameters/declare';
import { yesOrNoOf } from '../../src/n8n/parameters/values';

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
    const limit = Number(get('limit'));
    if (Number.isInteger(limit) && limit >= 1) return limit;
    throw new InputError(
      `"Limit" must be a whole number of 1 or more, not ${quote(get('limit'))}`,
      'Correct Limit, or turn on Return All.',
    );
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
