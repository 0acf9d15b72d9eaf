import type { INodeProperties } from 'n8n-workflow';

import { exportMembers } from '../../src/service/lists/export';
import { api } from '../../src/service/endpoints';
import { withCompanyNames } from '../../src/service/lists/member-company';
import * as members from '../../src/service/lists/members';
import { toFlatCompany } from '../../src/service/flat-company';
import { parseDomain } from '../../src/input/inputs';
import { storeFile } from '../../src/n8n/files/storage';
import { forAllItems } from '../../src/n8n/operation';
import { flag, parameter, withDescription } from '../../src/n8n/parameters/declare';
import { readOptionalText } from '../../src/n8n/parameters/parsers';
import { addDomainsOfRows } from '../../src/n8n/items/add-domains';
import { outputList } from '../../src/n8n/items/output-list';
import { perItem } from '../../src/n8n/items/per-item';
import { domainProperty } from '../shared/company';
import { listId, tier } from '../shared/list';
import {
  chargedPaging,
  containsFilter,
  countOnly,
  fileOptions,
  outputAs,
  simplify,
} from '../shared/listParameters';
import { maxCredits, createOptions } from '../shared/options';
import { domainOptions, rowOutput } from '../shared/rows';

const rows = rowOutput('list_');

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
      ...domainOptions,
      output: rows.output,
      columnPrefix: rows.columnPrefix,
    }),
    mappingNotice: rows.mappingNotice,
  },
  execute: async (context, { options }) => await addDomainsOfRows(context, options, listId),
});

export const exportCsv = perItem({
  option: {
    name: 'Export CSV',
    value: 'exportCsv',
    description:
      'Export all members as a CSV file. Costs up to 1 credit per member, then free for 30 days.',
    action: 'Export list as CSV',
    // Models cannot read files.
    displayOptions: { hide: { '@tool': [true] } },
  },
  returns: 'list_id, file_name, bytes',
  parameters: {
    listId,
    options: createOptions({
      fileName: parameter(
        {
          displayName: 'File Name',
          name: 'fileName',
          type: 'string',
          default: '',
          placeholder: 'e.g. target-accounts.csv',
          description: 'Name of the file; empty uses the name from the service',
        },
        readOptionalText,
      ),
      maxCredits: withDescription(
        maxCredits,
        () =>
          'Maximum credits this run may spend; 0 means no limit. The node counts the members first, and each counts as 1 credit. Companies read in the last 30 days count too, although they are free.',
      ),
    }),
  },
  requestFieldsOf: ({ listId: list_id }) => ({ list_id }),
  execute: async ({ listId: list, options }, { context, run, inTurn }) =>
    // One at a time, because each file is held in memory until it is stored.
    await inTurn(async () => {
      const { fileName, bytes } = await exportMembers(run, list);
      const usual = `list-${list.replaceAll(/[/\\]/g, '-')}.csv`;
      const name = options.fileName ?? fileName ?? usual;
      const fields = { list_id: list };
      return [await storeFile(context, bytes, { name, mimeType: 'text/csv', fields })];
    }),
});

const firmographicsNotice: INodeProperties = {
  displayName:
    'Members can lack industry, size and country. Add Bulk Enrich after this node to get them, for up to 1 credit per member.',
  name: 'firmographicsNotice',
  type: 'notice',
  default: '',
};

export const getMany = perItem({
  option: {
    name: 'Get Many Members',
    value: 'getMany',
    description:
      'List the members of a saved list. Costs up to 1 credit per member, then free for 30 days.',
    action: 'Get many list members',
  },
  returns: 'domain, company_name, tier',
  counts: 'rows',
  parameters: {
    listId: { ...listId, properties: [...listId.properties, firmographicsNotice] },
    wanted: chargedPaging,
    search_name_or_domain: containsFilter('searchNameOrDomain', 'members', 'Name or Domain'),
    tier,
    output: outputAs,
    options: createOptions({
      ...fileOptions,
      countOnly,
      forceRefresh: flag({
        displayName: 'Recompute Members',
        name: 'forceRefresh',
        type: 'boolean',
        default: false,
        description:
          'Whether the service recomputes the members first, instead of returning those it computed earlier',
      }),
      maxCredits,
      simplify,
    }),
  },
  requestFieldsOf: ({ listId: list_id }) => ({ list_id }),
  execute: async (
    { listId: list, tier: wanted, search_name_or_domain, options, ...parameters },
    session,
  ) => {
    const { countOnly: isCounted, forceRefresh, simplify: isFlat, ...ofRows } = options;
    const filters = {
      tier: wanted === 'all' ? undefined : wanted,
      search_name_or_domain,
      force_refresh: forceRefresh || undefined,
    };
    const chosen = { ...parameters, countOnly: isCounted, simplify: isFlat, options: ofRows };
    return await outputList(session, chosen, {
      pages: (range) => members.readMemberPages(session.run, list, filters, range),
      pageSize: api.members.page.max,
      requestFields: { list_id: list },
      name: `list-${list}-members`,
      flat: {
        columns: [],
        toRow: (row) => toFlatCompany(withCompanyNames(row)),
      },
    });
  },
});

export const materialize = perItem({
  option: {
    name: 'Recompute List',
    value: 'materialize',
    description: 'Recompute the members of a list and count them, in total and by tier. Free.',
    action: 'Recompute list members',
  },
  returns: 'total_count, high_count, medium_count, exploratory_count',
  parameters: { list_id: listId },
  execute: async ({ list_id }, { run }) => ({
    list_id,
    ...(await members.materialize(run, list_id)),
  }),
});

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
    // The exact host, because Add Domains can have kept its subdomains.
    domain: parameter(domainProperty, (value, name) => parseDomain(value, name, 'keep')),
  },
  execute: async ({ list_id, domain }, { run, once }) => {
    const remove = async () => await members.removeDomain(run, list_id, domain);
    await once(remove, { repeatable: true });
    return { list_id, domain, deleted: true };
  },
});
