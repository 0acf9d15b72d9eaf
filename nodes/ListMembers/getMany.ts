import { memberPages, MEMBERS_PAGE_SIZE } from '../../src/api/lists/members';
import { outputRows } from '../../src/n8n/files/rows-output';
import { yesOrNo } from '../../src/n8n/parameters/declare';
import { perItem } from '../../src/n8n/per-item/per-item';
import { listId } from '../shared/list';
import { contains } from '../shared/name-contains';
import { maxCredits, requestOptions } from '../shared/options';
import { fileOptions, outputAs } from '../shared/output';
import { billedPaging, countOnly } from '../shared/paging';
import { simplify } from '../shared/simplify';
import { tier } from '../shared/tier';

/** `GET /v1/lists/{list_id}/members` */
export const getMany = perItem({
  option: {
    name: 'Get Many Members',
    value: 'getMany',
    description:
      'List the companies in a saved list. Costs at most 1 credit per company, once in 30 days.',
    action: 'Get many list members',
  },
  parameters: {
    listId,
    wanted: billedPaging,
    countOnly,
    search_name_or_domain: contains('searchNameOrDomain', 'members', 'Name or Domain'),
    tier,
    forceRefresh: yesOrNo({
      displayName: 'Force Refresh',
      name: 'forceRefresh',
      type: 'boolean',
      default: false,
      description:
        'Whether the service recomputes the members before the first page, instead of using those it computed earlier',
    }),
    simplify,
    output: outputAs,
    options: requestOptions({ ...fileOptions(MEMBERS_PAGE_SIZE), maxCredits }),
  },
  ask: async (
    { listId: list, tier: wanted, search_name_or_domain, forceRefresh, ...form },
    session,
  ) => {
    const filters = {
      tier: wanted === 'all' ? undefined : wanted,
      search_name_or_domain,
      force_refresh: forceRefresh === true ? true : undefined,
    };
    return await outputRows(session, form, {
      pages: (range) => memberPages(session.run, list, filters, range),
      pageSize: MEMBERS_PAGE_SIZE,
      asked: { list_id: list },
      name: `list-${list}-members`,
      columns: [],
    });
  },
});
