import type { INodeProperties } from 'n8n-workflow';

import { exportMembers } from '../../src/service/lists/export';
import {
  materialize as compute,
  readMemberPages,
  MEMBERS_PAGE_SIZE,
  removeDomain as remove,
} from '../../src/service/lists/members';
import { parseDomain } from '../../src/input/inputs';
import { outputCsvFile } from '../../src/n8n/files/csv-file-output';
import { outputRows } from '../../src/n8n/files/rows-output';
import { forAllItems } from '../../src/n8n/operation';
import {
  choice,
  withDescription,
  parameter,
  optionalFlag,
  unread,
} from '../../src/n8n/parameters/declare';
import { parseOptionalText } from '../../src/n8n/parameters/parsers';
import { addDomainsOfRows } from '../../src/n8n/rows/add-domains';
import { perItem } from '../../src/n8n/rows/per-item';
import { domainProperty } from '../shared/company';
import { additionalFields, listId, tier } from '../shared/list';
import {
  chargedPaging,
  containsFilter,
  countOnly,
  fileOptions,
  outputAs,
  outputProperty,
  simplify,
} from '../shared/output';
import { maxCredits, createOptions, subdomains } from '../shared/options';
import { mappingNotice, rowOptions } from '../shared/rows';

/** `POST /v1/lists/{list_id}/domains` for any number of rows. */
export const addDomains = forAllItems({
  option: {
    name: 'Add Domains',
    value: 'addDomains',
    description:
      "Add the companies of all items to a list. Free. Retry On Fail won't add them twice.",
    action: 'Add domains to list',
  },
  returns: 'list_id, domain, status',
  ofItems: [...listId.properties, domainProperty],
  parameters: {
    options: createOptions({
      ...rowOptions('list', 'list_'),
      // Read for each item, not once per run.
      additionalFields: unread(...additionalFields.properties),
    }),
    mappingNotice,
  },
  execute: async (context, { options }) =>
    await addDomainsOfRows(context, options, { listId, additionalFields }),
});

/** `GET /v1/lists/{list_id}/export.csv` */
export const exportCsv = perItem({
  option: {
    name: 'Export CSV',
    value: 'exportCsv',
    description:
      'Export all members as a file or items. Costs up to 1 credit per member, then free for 30 days.',
    action: 'Export list as CSV',
    // Models cannot read files.
    displayOptions: { hide: { '@tool': [true] } },
  },
  returns: 'the members',
  parameters: {
    listId,
    output: choice({
      ...outputProperty,
      options: [
        {
          name: 'CSV File',
          value: 'csv',
          description: 'One item with the file from the service, as binary data',
        },
        { name: 'Items', value: 'items', description: 'One item per row' },
      ],
      default: 'csv',
      description: 'How to output the rows. Choose a file for more than about 10,000 rows.',
    }),
    options: createOptions({
      fileName: parameter(
        {
          displayName: 'File Name',
          name: 'fileName',
          type: 'string',
          default: '',
          placeholder: 'e.g. target-accounts.csv',
          description: 'Name of the file; empty uses the name from the service',
          displayOptions: { show: { '/output': ['csv'] } },
        },
        parseOptionalText,
      ),
      maxCredits: withDescription(
        maxCredits,
        () =>
          'Maximum credits this run may spend; 0 means no limit. The node counts the members first, and each counts as 1 credit. Companies read in the last 30 days count too, although they are free.',
      ),
    }),
  },
  execute: async ({ listId: list, output, options }, { context, run, inTurn }) =>
    // One at a time, because each file is streamed as fast as it can be stored.
    await inTurn(async () => {
      const file = await exportMembers(run, list);
      return await outputCsvFile(context, file, {
        ...options,
        output,
        fallbackName: `list-${list}.csv`,
        requestFields: { list_id: list },
      });
    }),
});

/** Says which node adds the fields that members can lack. */
const firmographicsNotice: INodeProperties = {
  displayName:
    'Members can lack industry, size and country. Add Bulk Enrich after this node to get them. It is free for members that this node has just read.',
  name: 'firmographicsNotice',
  type: 'notice',
  default: '',
};

/** `GET /v1/lists/{list_id}/members` */
export const getMany = perItem({
  option: {
    name: 'Get Many Members',
    value: 'getMany',
    description:
      'List the members of a saved list. Costs up to 1 credit per member, then free for 30 days.',
    action: 'Get many list members',
  },
  returns: 'domain, company_name, tier',
  parameters: {
    listId: { ...listId, properties: [...listId.properties, firmographicsNotice] },
    wanted: chargedPaging,
    countOnly,
    search_name_or_domain: containsFilter('searchNameOrDomain', 'members', 'Name or Domain'),
    tier,
    forceRefresh: optionalFlag({
      displayName: 'Recompute Members',
      name: 'forceRefresh',
      type: 'boolean',
      default: false,
      description:
        'Whether the service recomputes the members first, instead of returning those it computed earlier',
    }),
    simplify,
    output: outputAs,
    options: createOptions({ ...fileOptions, maxCredits }),
  },
  execute: async (
    { listId: list, tier: wanted, search_name_or_domain, forceRefresh, ...parameters },
    session,
  ) => {
    const filters = {
      tier: wanted === 'all' ? undefined : wanted,
      search_name_or_domain,
      force_refresh: forceRefresh === true ? true : undefined,
    };
    return await outputRows(session, parameters, {
      pages: (range) => readMemberPages(session.run, list, filters, range),
      pageSize: MEMBERS_PAGE_SIZE,
      requestFields: { list_id: list },
      name: `list-${list}-members`,
      columns: [],
      isUndocumented: true,
    });
  },
});

/** `POST /v1/lists/{list_id}/materialize` */
export const materialize = perItem({
  option: {
    name: 'Materialize List',
    value: 'materialize',
    description: 'Recompute the members of a list and count them, in total and by tier. Free.',
    action: 'Recompute list members',
  },
  returns: 'total_count, high_count, medium_count, exploratory_count',
  parameters: { list_id: listId },
  execute: async ({ list_id }, { run }) => ({ list_id, ...(await compute(run, list_id)) }),
});

/** `DELETE /v1/lists/{list_id}/domains/{domain}` */
export const removeDomain = perItem({
  option: {
    name: 'Remove Domain',
    value: 'removeDomain',
    description: 'Remove a company from a list by domain. Free.',
    action: 'Remove domain from list',
  },
  returns: 'list_id, domain, deleted',
  parameters: {
    list_id: listId,
    domain: parameter(domainProperty, (value, name, place) =>
      // Any host can be removed, because somebody may have added it.
      parseDomain(value, name, subdomains.read(place.in('options'))),
    ),
    options: createOptions({ subdomains }),
  },
  changes: 'repeatable',
  execute: async ({ list_id, domain }, { run }) => {
    await remove(run, list_id, domain);
    return { list_id, domain, deleted: true };
  },
});
