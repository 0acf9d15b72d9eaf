import type { INodeProperties } from 'n8n-workflow';

import { listIdOf } from '../../src/input/inputs';
import { choice, jsonObject, parameter, type Parameter } from '../../src/n8n/parameters/declare';
import type { Row } from '../../src/run/answers/rows';

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

/** Which members of a list; `all` for every tier (interface: List). */
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

const additional: INodeProperties = {
  displayName: 'Additional Fields (JSON)',
  name: 'additionalFields',
  type: 'json',
  default: '{}',
  placeholder: 'e.g. { "note": "From the CRM" }',
  description:
    'A JSON object whose fields are added to the request; where both have a field, this one counts. Empty for none.',
};

/**
 * For requests of which the interface does not show the body, so that nobody depends on our names: an
 * entry of Options.
 */
export const additionalFields = {
  // Each item has its own: `moreFields` reads it.
  additionalFields: parameter(additional, () => undefined),
};

/** What {@link additionalFields} adds to the request of an item. */
export const moreFields: Parameter<Row> = {
  properties: [],
  read: (place) => jsonObject(additional).read(place.in('options')),
};
