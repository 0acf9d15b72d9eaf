import { addRows } from '../../src/n8n/bulk/add-rows';
import { onlyFor, type Operation } from '../../src/n8n/operation';
import { additionalFieldsProperty } from '../shared/additional-fields';
import { domainProperty } from '../shared/domain';
import { listIdProperty } from '../shared/list';
import { requestOptions, subdomainsOption } from '../shared/options';
import { freeMailOption, outputOption, resultFieldOption } from '../shared/rows';

/** `POST /v1/lists/{list_id}/domains` for any number of rows. */
export const addDomains: Operation = {
  option: {
    name: 'Add Domains',
    value: 'addDomains',
    description:
      "Add the companies of all items to a list, up to 100 in one request. Free. n8n's Retry On Fail never adds twice.",
    action: 'Add domains to a list',
  },
  properties: onlyFor('addDomains', [
    listIdProperty,
    domainProperty,
    additionalFieldsProperty,
    requestOptions(freeMailOption, resultFieldOption('list'), outputOption, subdomainsOption),
  ]),
  execute: addRows,
};
