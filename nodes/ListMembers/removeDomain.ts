import { domainOf } from '../../src/input/inputs';
import { removeDomain as remove } from '../../src/api/lists/members';
import { parameter } from '../../src/n8n/parameters/declare';
import { perItem } from '../../src/n8n/per-item/per-item';
import { domainProperty } from '../shared/domain';
import { listId } from '../shared/list';
import { requestOptions, subdomains } from '../shared/options';

/** `DELETE /v1/lists/{list_id}/domains/{domain}` */
export const removeDomain = perItem({
  option: {
    name: 'Remove Domain',
    value: 'removeDomain',
    description: 'Take a company out of a list by its domain. Free.',
    action: 'Remove domain from list',
  },
  parameters: {
    list_id: listId,
    domain: parameter(domainProperty, (value, name, place) =>
      domainOf(value, name, subdomains.read(place.in('options'))),
    ),
    options: requestOptions({ subdomains }),
  },
  changes: 'repeatable',
  ask: async ({ list_id, domain }, { run }) => {
    await remove(run, list_id, domain);
    return { list_id, domain, deleted: true };
  },
});
