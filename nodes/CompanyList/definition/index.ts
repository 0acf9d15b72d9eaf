import type { Resource } from '../../../src/n8n/operation';
import { get } from './get';
import { getFilterFields } from './getFilterFields';
import { previewCount } from './previewCount';
import { replace } from './replace';

/** The filters that decide which companies are in a list. */
export const definition: Resource = {
  option: { name: 'Definition', value: 'definition' },
  operations: [get, getFilterFields, previewCount, replace],
  defaultOperation: get,
};
