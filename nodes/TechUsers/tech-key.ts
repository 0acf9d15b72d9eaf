import { techKeyOf } from '../../src/input/inputs';
import { parameter } from '../../src/n8n/parameters/declare';

/** A technology, chosen by searching the service or by its key. */
export const techKey = parameter(
  {
    displayName: 'Technology',
    name: 'techKey',
    type: 'resourceLocator',
    required: true,
    default: { mode: 'list', value: '' },
    description: 'The technology whose users to find',
    modes: [
      {
        displayName: 'From List',
        name: 'list',
        type: 'list',
        placeholder: 'Type the name of a technology or vendor…',
        typeOptions: {
          searchListMethod: 'searchTechnologies',
          searchable: true,
          searchFilterRequired: true,
        },
      },
      {
        displayName: 'By Key',
        name: 'id',
        type: 'string',
        placeholder: 'e.g. google-analytics',
        hint: 'Lowercase letters, digits and hyphens',
      },
    ],
  },
  techKeyOf,
);
