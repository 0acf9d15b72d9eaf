import { listLists } from '../../../src/api/lists/lists';
import { onlyFor, type Operation } from '../../../src/n8n/operation';
import { listingOutput } from '../../../src/n8n/per-item/listing-output';
import { perItem } from '../../../src/n8n/per-item/per-item';
import { requestOptions } from '../../shared/options';
import { pagingProperties } from '../../shared/paging';

/** `GET /v1/lists` */
export const getMany: Operation = {
  option: {
    name: 'Get Many',
    value: 'getMany',
    description: 'List the lists that the user can see, with what the user may do with each. Free.',
    action: 'Get many lists',
  },
  properties: onlyFor('getMany', [...pagingProperties, requestOptions()]),
  execute: perItem({
    plan: (parameters) => ({ wanted: parameters.wanted() }),
    ask: async ({ wanted }, { run }) => listingOutput(await listLists(run, wanted)),
  }),
};
