import { listNameOf } from '../../../src/input/inputs';
import { parameter } from '../../../src/n8n/parameters/declare';

/** What a list is, or will be, called. */
export const listName = parameter(
  {
    displayName: 'Name',
    name: 'name',
    type: 'string',
    required: true,
    default: '',
    placeholder: 'e.g. Shopify merchants in Germany',
    description: 'The name of the list',
  },
  listNameOf,
);
