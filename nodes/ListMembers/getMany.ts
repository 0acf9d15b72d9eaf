import { listIdOf } from '../../src/api/inputs';
import { memberPages, MEMBERS_PAGE_SIZE, TIERS } from '../../src/api/lists/members';
import { rowsOutput, rowsPlanOf } from '../../src/n8n/files/rows-output';
import { onlyFor, type Operation } from '../../src/n8n/operation';
import { queryTextOf } from '../../src/n8n/per-item/parameters';
import { perItem } from '../../src/n8n/per-item/per-item';
import { listIdProperty } from '../shared/list';
import { maxCreditsOption, requestOptions } from '../shared/options';
import { outputOptions, outputProperty } from '../shared/output';
import { pagingProperties } from '../shared/paging';

/** `GET /v1/lists/{list_id}/members` */
export const getMany: Operation = {
  option: {
    name: 'Get Many',
    value: 'getMany',
    description:
      'List the companies in a saved list. Costs at most 1 credit per company returned, unless it was read in the last 30 days.',
    action: 'Get many members of a list',
  },
  properties: onlyFor('getMany', [
    listIdProperty,
    ...pagingProperties,
    {
      displayName: 'Tier',
      name: 'tier',
      type: 'options',
      options: [
        { name: 'All Tiers', value: 'all' },
        { name: 'Exploratory', value: 'exploratory' },
        { name: 'High', value: 'high' },
        { name: 'Medium', value: 'medium' },
      ],
      default: 'all',
      description: 'Only members of this tier',
    },
    {
      displayName: 'Search',
      name: 'searchNameOrDomain',
      type: 'string',
      default: '',
      placeholder: 'e.g. acme',
      description: 'Only members with this text in their name or domain; empty for all',
    },
    {
      displayName: 'Force Refresh',
      name: 'forceRefresh',
      type: 'boolean',
      default: false,
      description:
        'Whether the service computes the members anew before the first page, instead of using those it has computed earlier',
    },
    outputProperty,
    requestOptions(...outputOptions(MEMBERS_PAGE_SIZE), maxCreditsOption),
  ]),
  execute: perItem({
    plan: (parameters) => {
      const tier = parameters.choice(parameters.get('tier'), 'Tier', ['all', ...TIERS], 'all');
      const forceRefresh = parameters.yesOrNo(parameters.get('forceRefresh'), 'Force Refresh');
      return {
        listId: listIdOf(parameters.get('listId')),
        filters: {
          tier: tier === 'all' ? undefined : tier,
          search_name_or_domain: queryTextOf(parameters.get('searchNameOrDomain'), 'Search'),
          force_refresh: forceRefresh === true ? true : undefined,
        },
        ...rowsPlanOf(parameters, MEMBERS_PAGE_SIZE),
      };
    },
    ask: async ({ listId, filters, ...request }, session) => {
      const { run } = session;
      return await rowsOutput(session, memberPages(run, listId, filters, request), {
        ...request,
        asked: { list_id: listId },
        name: `list-${listId}-members`,
        columns: [],
        pageSize: MEMBERS_PAGE_SIZE,
      });
    },
  }),
};
