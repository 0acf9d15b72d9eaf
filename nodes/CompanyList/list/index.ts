import type { Resource } from '../../../src/n8n/operation';
import { create } from './create';
import { deleteList } from './delete';
import { get } from './get';
import { getMany } from './getMany';
import { rename } from './rename';
import { transferOwnership } from './transferOwnership';

/** The lists themselves. */
export const list: Resource = {
  option: { name: 'List', value: 'list' },
  operations: [create, deleteList, get, getMany, rename, transferOwnership],
  defaultOperation: getMany,
};
