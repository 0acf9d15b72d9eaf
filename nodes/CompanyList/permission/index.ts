import type { Resource } from '../../../src/n8n/operation';
import { getMany } from './getMany';
import { grant } from './grant';
import { revoke } from './revoke';

/** Who may see or change a list. */
export const permission: Resource = {
  option: { name: 'Permission', value: 'permission' },
  operations: [getMany, grant, revoke],
  defaultOperation: getMany,
};
