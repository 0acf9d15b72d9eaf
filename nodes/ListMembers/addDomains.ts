import { addRows } from '../../src/n8n/rows/add';
import { wholeRun } from '../../src/n8n/operation';
import { additionalFields, listId } from '../shared/list';
import { domainProperty } from '../shared/company';
import { requestOptions } from '../shared/options';
import { rowOptions } from '../shared/rows';

/** `POST /v1/lists/{list_id}/domains` for any number of rows. */
export const addDomains = wholeRun({
  option: {
    name: 'Add Domains',
    value: 'addDomains',
    description: 'Add the companies of all items to a list. Free. Retry On Fail never adds twice.',
    action: 'Add domains to list',
  },
  ofItems: [...listId.properties, domainProperty, ...additionalFields.properties],
  parameters: { options: requestOptions(rowOptions('list', 'list_')) },
  execute: async (context, { options }) =>
    await addRows(context, options, { listId, additionalFields }),
});
