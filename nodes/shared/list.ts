import { parseListId } from '../../src/input/inputs';
import { choice, locator } from '../../src/n8n/parameters/declare';

export const listId = locator(
  {
    displayName: 'List',
    name: 'listId',
    description: 'The saved list of companies. Lists need a user key.',
  },
  { placeholder: 'Choose a list…', searchListMethod: 'searchLists' },
  { placeholder: 'e.g. 123', hint: 'The list_id that Company List: Get Many returns' },
  parseListId,
);

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
