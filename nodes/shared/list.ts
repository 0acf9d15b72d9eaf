import { listIdOf } from '../../src/input/inputs';
import { parameter } from '../../src/n8n/parameters/declare';

/** A saved list, chosen among those the user can see or by its id. Belongs to `searchLists`. */
export const listId = parameter(
  {
    displayName: 'List',
    name: 'listId',
    type: 'resourceLocator',
    required: true,
    default: { mode: 'list', value: '' },
    description: 'The saved list of companies. Lists need a user key.',
    modes: [
      {
        displayName: 'From List',
        name: 'list',
        type: 'list',
        placeholder: 'Choose a list…',
        typeOptions: { searchListMethod: 'searchLists', searchable: true },
      },
      {
        displayName: 'By ID',
        name: 'id',
        type: 'string',
        placeholder: 'e.g. 123',
        hint: 'The list_id that Get Many of Company List shows',
      },
    ],
  },
  listIdOf,
);

/** Lists take user keys only (interface: Lists). */
export const userKeyOnly = [{ name: 'companyIntelligenceUserApi', required: true }];
