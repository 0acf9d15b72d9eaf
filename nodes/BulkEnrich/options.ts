import type { INodeProperties } from 'n8n-workflow';

import { withDescription, forRun, number, type Declared } from '../../src/n8n/parameters/declare';
import { api } from '../../src/service/endpoints';
import { maxCredits, createOptions } from '../shared/options';
import { domainOptions, rowOutput, WHOLE_RUN } from '../shared/rows';

export const byName = [
  {
    displayName: 'Company Name (Optional)',
    name: 'companyName',
    type: 'string',
    default: '',
    placeholder: 'e.g. {{ $json.company_name }}',
    description:
      "Name of each item's company, used if Domain has no usable domain. Case, accents, punctuation and legal form are ignored. If several companies have this name, the item gets the status ambiguous and their domains. Costs up to 1 credit per company returned (Candidates per Name).",
  },
  {
    displayName: 'Country',
    name: 'companyCountry',
    type: 'string',
    default: '',
    placeholder: 'e.g. {{ $json.country }}',
    description:
      "Country of each item's company, as a name, an ISO code or a place (Hamburg, Germany). Decides between companies with the same name.",
    displayOptions: { hide: { companyName: [''] } },
  },
] satisfies INodeProperties[];

export const rows = rowOutput('enriched_', false);

/** Options of Normalize Domains, which needs no companies. */
export const rowOptions = {
  ...domainOptions,
  columnPrefix: rows.columnPrefix,
};

export const lookupOptions = {
  ...domainOptions,
  candidatesPerName: forRun(
    number({
      displayName: 'Candidates per Name',
      name: 'candidatesPerName',
      type: 'number',
      typeOptions: { minValue: 1, maxValue: api.companies.page.max },
      default: 3,
      description:
        'For Company Name: maximum number of companies to read per distinct name. Each costs up to 1 credit.',
    }),
  ),
  maxCredits: withDescription(
    maxCredits,
    (usual) =>
      `${usual} With partnerships, each returned partner also counts as 1 credit. Their number is known only from the response, so the node sends one batch at a time, and only the last batch can exceed Max Credits.`,
  ),
};

export function enrichOptions<D extends Declared>(own: D) {
  return createOptions({ ...rowOptions, ...lookupOptions, ...own }, WHOLE_RUN);
}
