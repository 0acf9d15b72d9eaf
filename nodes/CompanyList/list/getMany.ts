import { listLists } from '../../../src/api/lists/lists';
import { listingOutput, rangeFor } from '../../../src/n8n/per-item/listing-output';
import { perItem } from '../../../src/n8n/per-item/per-item';
import { requestOptions } from '../../shared/options';
import { offset, paging } from '../../shared/paging';

/** `GET /v1/lists` */
export const getMany = perItem({
  option: {
    name: 'Get Many',
    value: 'getMany',
    description: 'List the lists that the user can see, with what the user may do with each. Free.',
    action: 'Get many lists',
  },
  parameters: { wanted: paging, options: requestOptions({ offset }) },
  ask: async ({ wanted, options }, { run }) =>
    listingOutput(await listLists(run, rangeFor(wanted, options))),
});
