import { readEndpointRows, toRowSource } from '../../src/service/endpoint';
import { api } from '../../src/service/endpoints';
import { withSuggestions } from '../../src/service/similar-tech-keys';
import { parseTechnologyQuery } from '../../src/input/inputs';
import { parameter } from '../../src/n8n/parameters/declare';
import { outputList } from '../../src/n8n/items/output-list';
import { perItem } from '../../src/n8n/items/per-item';
import { companyRows, fileOptions, offset, paging } from '../shared/listParameters';
import { ifNotFound, maxCredits, createOptions } from '../shared/options';
import { techKey, createUsedProductParameter, vendorDomain } from './usedProduct';
import { readRow } from '../../src/run/responses/rows';

const ONE_ROW = { wanted: 1 };

export const count = perItem({
  option: {
    name: 'Count Users',
    value: 'count',
    description:
      "Count companies that use a technology or a vendor's products. Costs up to 1 credit.",
    action: 'Count users by technology or vendor',
  },
  returns: 'total_companies',
  parameters: {
    used: createUsedProductParameter({
      displayName: 'Count By',
      name: 'countBy',
      description: 'Whose users to count',
    }),
    options: createOptions({ ifNotFound, maxCredits }),
  },
  requestFieldsOf: ({ used }) =>
    used.by === 'technology' ? { tech_key: used.techKey } : { domain: used.vendorDomain },
  execute: async ({ used }, { run }) => {
    const include = undefined;
    if (used.by === 'vendor') {
      const args = { domain: used.vendorDomain, include };
      const { context } = await readEndpointRows(run, api.vendorUsers, args, ONE_ROW);
      return readRow(context.vendor);
    }
    const args = { tech_key: used.techKey, include };
    const { context } = await withSuggestions(
      run,
      used.techKey,
      async () => await readEndpointRows(run, api.technologyUsers, args, ONE_ROW),
    );
    return readRow(context.technology);
  },
});

export const getByTechnology = perItem({
  option: {
    name: 'Get Users by Technology',
    value: 'getByTechnology',
    description:
      'List companies that use a technology. Costs 1 credit per company, then free for 30 days.',
    action: 'Get users by technology',
  },
  returns: 'domain, company_name, industry, employee_range, country, last_seen_at',
  counts: 'rows',
  parameters: {
    techKey,
    ...companyRows,
    options: createOptions({ ...fileOptions, ifNotFound, maxCredits }),
  },
  requestFieldsOf: (values) => ({ tech_key: values.techKey }),
  execute: async ({ techKey: key, include, ...parameters }, session) =>
    await withSuggestions(session.run, key, async () =>
      outputList(session, parameters, {
        ...toRowSource(session.run, api.technologyUsers, { tech_key: key, include }),
        name: `${key}-companies`,
      }),
    ),
});

export const getByVendor = perItem({
  option: {
    name: 'Get Users by Vendor',
    value: 'getByVendor',
    description:
      "List companies that use a vendor's products. Costs 1 credit per company, then free for 30 days.",
    action: 'Get users by vendor',
  },
  returns:
    'domain, company_name, industry, employee_range, country, technology_names, last_seen_at',
  counts: 'rows',
  parameters: {
    domain: vendorDomain,
    ...companyRows,
    options: createOptions({ ...fileOptions, ifNotFound, maxCredits }),
  },
  requestFieldsOf: ({ domain }) => ({ domain }),
  execute: async ({ domain, include, ...parameters }, session) =>
    await outputList(session, parameters, {
      ...toRowSource(session.run, api.vendorUsers, { domain, include }),
      name: `${domain}-companies`,
    }),
});

export const searchTechnologies = perItem({
  option: {
    name: 'Search Technologies',
    value: 'searchTechnologies',
    description: 'Find technologies and their tech keys by name or vendor. Free.',
    action: 'Search technologies',
  },
  returns: 'tech_key, display_name, vendor_name',
  parameters: {
    q: parameter(
      {
        displayName: 'Search',
        name: 'q',
        type: 'string',
        required: true,
        default: '',
        placeholder: 'e.g. analytics',
        description: 'Part of the name of the technology or its vendor, 1 to 200 characters',
      },
      parseTechnologyQuery,
    ),
    wanted: paging,
    options: createOptions({ offset }),
  },
  execute: async ({ q, ...parameters }, session) =>
    await outputList(session, parameters, toRowSource(session.run, api.technologies, { q })),
});
