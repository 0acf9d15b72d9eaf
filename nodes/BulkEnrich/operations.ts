import {
  listBulkCompanyFields,
  listEnrichmentFields,
  lookUpCompanies,
  lookUpPartnerships,
} from '../../src/service/companies';
import { api } from '../../src/service/endpoints';
import { forAllItems } from '../../src/n8n/operation';
import { choice, multipleChoice, shownIf, unread } from '../../src/n8n/parameters/declare';
import { enrichRows, type Enrichment } from '../../src/n8n/items/enrich';
import { joinResults } from '../../src/n8n/items/engine';
import { estimateRows } from '../../src/n8n/items/estimate';
import { warnAboutDomains } from '../../src/n8n/run-hints';
import { toSuccess } from '../../src/n8n/items/row-result';
import { assertFieldsExist } from '../../src/n8n/items/input-fields';
import { readDomainRows } from '../../src/n8n/items/read';
import { toItems } from '../../src/n8n/items/write';
import { domainProperty, SECTIONS } from '../shared/company';
import { maxCredits, createOptions } from '../shared/options';
import { simplify, technologyColumns } from '../shared/listParameters';
import { WHOLE_RUN } from '../shared/rows';
import { byName, enrichOptions, lookupOptions, rowOptions, rows } from './options';

/** Read once, from an expression that is the same for all items. */
const include = multipleChoice({
  displayName: 'Include',
  name: 'include',
  type: 'multiOptions',
  options: [...SECTIONS],
  default: ['firmographics', 'technologies'],
  description:
    'Data to return in addition to the basic fields. Fewer sections make responses smaller and can cost less. Applies to the whole run, so an expression must be the same for all items.',
});

const COMPANIES: Enrichment = {
  endpoint: api.bulkLookup,
  sections: include,
  listFields: (sections) => [...listBulkCompanyFields(sections), 'last_seen_at'],
  lookUp: lookUpCompanies,
};

const PARTNERSHIPS: Enrichment = {
  endpoint: api.enrichment,
  listFields: listEnrichmentFields,
  lookUp: lookUpPartnerships,
};

const { output, fieldsToKeep, mappingNotice: outputNotice, sheetsNotice } = rows;

export const enrichCompanies = forAllItems({
  option: {
    name: 'Enrich Companies',
    value: 'enrichCompanies',
    description:
      'Add the data of Include. Costs 1 credit per company, 1 more per included partner, then free for 30 days.',
    action: 'Enrich companies',
  },
  returns:
    'domain, status, company_name, industry, employee_range, country, technology_names, partnership_count, partner_names',
  ofItems: [domainProperty, ...byName, ...include.properties],
  parameters: {
    output,
    fieldsToKeep,
    sheetsNotice,
    outputNotice,
    simplify,
    options: enrichOptions({ technologyColumns }),
  },
  execute: async (context, { options, ...more }) =>
    await enrichRows(context, { ...options, ...more }, COMPANIES),
});

export const enrichPartnerships = forAllItems({
  option: {
    name: 'Enrich Partnerships',
    value: 'enrichPartnerships',
    description:
      'Add the partners of each company. Costs 1 credit per company, none per partner, then free for 30 days.',
    action: 'Enrich partnerships',
  },
  returns: 'domain, status, company_name, partnership_count, partner_names',
  ofItems: [domainProperty, ...byName],
  // Partners are free here, so Max Credits needs no note about them.
  parameters: {
    output,
    fieldsToKeep,
    outputNotice,
    simplify,
    options: enrichOptions({ maxCredits }),
  },
  execute: async (context, { options, ...more }) =>
    await enrichRows(context, { ...options, ...more }, PARTNERSHIPS),
});

const estimateFor = choice({
  displayName: 'Estimate For',
  name: 'estimateFor',
  type: 'options',
  noDataExpression: true,
  options: [
    { name: 'Enrich Companies', value: 'companies' },
    { name: 'Enrich Partnerships', value: 'partnerships' },
  ],
  default: 'companies',
  description: 'Operation to estimate, with the same items and options',
});

export const estimateCost = forAllItems({
  option: {
    name: 'Estimate Cost',
    value: 'estimateCost',
    description: 'Estimate what a run costs in companies and credits. Free; sends no requests.',
    action: 'Estimate enrichment cost',
  },
  returns: 'distinct_companies, credits_at_most',
  ofItems: [domainProperty, ...byName],
  parameters: {
    estimateFor,
    include: shownIf({ estimateFor: ['companies'] }, unread(...include.properties)),
    options: createOptions(lookupOptions, WHOLE_RUN),
  },
  execute: async (context, { estimateFor: estimated, options }) =>
    await estimateRows(context, options, estimated === 'companies' ? COMPANIES : PARTNERSHIPS),
});

const NORMALIZED_COLUMNS = [
  'domain',
  'status',
  'host',
  'free_mail',
  'duplicate_of_item',
  'reason',
  'message',
];

export const normalizeDomains = forAllItems({
  option: {
    name: 'Normalize Domains',
    value: 'normalizeDomains',
    description:
      'Find the domain in each item; mark invalid rows and duplicates. Free; sends no requests.',
    action: 'Normalize domains',
  },
  returns: 'domain, status, reason, message',
  ofItems: [domainProperty],
  parameters: {
    output,
    fieldsToKeep,
    outputNotice,
    options: createOptions(rowOptions, WHOLE_RUN),
  },
  execute: (context, { options, ...form }) => {
    assertFieldsExist(context, form);
    const firstRows = new Map<string, number>();
    const domains = readDomainRows(context, options, ({ domain, host, freeMail }, itemIndex) => {
      // Counted from 0, as n8n shows items.
      const duplicate_of_item = firstRows.get(domain) ?? null;
      if (duplicate_of_item === null) firstRows.set(domain, itemIndex);
      return toSuccess({ domain, status: 'valid', host, free_mail: freeMail, duplicate_of_item });
    });
    context.addExecutionHints(...warnAboutDomains(domains));
    const itemOptions = { ...options, ...form, columns: NORMALIZED_COLUMNS };
    return [toItems(context, joinResults(domains), itemOptions)];
  },
});
