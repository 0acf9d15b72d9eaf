import type { INodeProperties } from 'n8n-workflow';

/** What a list is, or will be, called. */
export const nameProperty: INodeProperties = {
  displayName: 'Name',
  name: 'name',
  type: 'string',
  required: true,
  default: '',
  placeholder: 'e.g. Shopify merchants in Germany',
  description: 'The name of the list',
};
