import { parseListId } from '../../src/input/inputs';
import { choice, parameter } from '../../src/n8n/parameters/declare';

/** A saved list, chosen from those the user can see or by its ID. Needs the method `searchLists`. */
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
        hint: 'The list_id that Company List: Get Many returns',
      },
    ],
  },
  parseListId,
);

/** Which members of a list to read; `all` means every tier (API spec: List). */
export const tier = choice({
  displayName: 'Tier',
  name: 'tier',
  type: 'options',
  options: [
    { name: 'All Tiers', value: 'all' },
    { name: 'Exploratory', value: 'exploratory' },
    { name: 'High', value: 'high' },
    { name: 'Medium', value: 'medium' },
  ],
  default: 'all',
  description: 'Only members of this tier',
});
