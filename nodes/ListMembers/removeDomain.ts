import { domainOf, listIdOf } from '../../src/api/inputs';
import { removeDomain as remove } from '../../src/api/lists/members';
import { once } from '../../src/n8n/once';
import { onlyFor, type Operation } from '../../src/n8n/operation';
import { subdomainsOf } from '../../src/n8n/per-item/parameters';
import { perItem } from '../../src/n8n/per-item/per-item';
import { domainProperty } from '../shared/domain';
import { listIdProperty } from '../shared/list';
import { requestOptions, subdomainsOption } from '../shared/options';

/** `DELETE /v1/lists/{list_id}/domains/{domain}` */
export const removeDomain: Operation = {
  option: {
    name: 'Remove Domain',
    value: 'removeDomain',
    description: 'Take a company out of a list by its domain. Free.',
    action: 'Remove a domain from a list',
  },
  properties: onlyFor('removeDomain', [
    listIdProperty,
    domainProperty,
    requestOptions(subdomainsOption),
  ]),
  execute: perItem({
    plan: (parameters) => ({
      listId: listIdOf(parameters.get('listId')),
      domain: domainOf(parameters.get('domain'), 'Domain', subdomainsOf(parameters)),
    }),
    ask: async ({ listId, domain }, { run, context, itemIndex }) => {
      await once(
        context,
        itemIndex,
        JSON.stringify(['remove', listId, domain]),
        async () => await remove(run, listId, domain),
        { repeatable: true },
      );
      return [{ json: { list_id: listId, domain, deleted: true } }];
    },
  }),
};
