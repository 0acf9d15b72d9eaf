import {
  withDescription,
  forRun,
  number,
  flag,
  unread,
  type Declared,
} from '../../src/n8n/parameters/declare';
import { api } from '../../src/service/endpoints';
import { maxCredits, createOptions } from '../shared/options';
import { rowOptions, WHOLE_RUN } from '../shared/rows';

/**
 * Returns the options of the operations that send requests.
 *
 * @param own Further options of the operation.
 */
export function enrichOptions<D extends Declared>(own: D) {
  return createOptions({ ...enriching, ...own }, WHOLE_RUN);
}

/** Maximum results of a company search (API spec: Size and pagination bounds). */
const MAX_CANDIDATES = api.companies.page.max;

/** Options for rows without a usable domain; read for each item. */
const byName = {
  companyName: unread({
    displayName: 'Company Name',
    name: 'companyName',
    type: 'string',
    default: '',
    placeholder: 'e.g. {{ $json.company_name }}',
    description:
      "Name of each item's company, used if Domain has no usable domain. Case, accents, punctuation and legal form are ignored. If several companies have this name, the item gets the status ambiguous and their domains. Costs up to 1 credit per company returned (Candidates per Name).",
  }),
  companyCountry: unread({
    displayName: 'Country',
    name: 'companyCountry',
    type: 'string',
    default: '',
    placeholder: 'e.g. {{ $json.country }}',
    description:
      "For Company Name: country of each item's company, as a name or an ISO code. Decides between companies with the same name.",
  }),
  candidatesPerName: forRun(
    number({
      displayName: 'Candidates per Name',
      name: 'candidatesPerName',
      type: 'number',
      typeOptions: { minValue: 1, maxValue: MAX_CANDIDATES },
      default: 3,
      description:
        'For Company Name: maximum number of companies to read per distinct name. Each costs up to 1 credit.',
    }),
  ),
};

const enriching = {
  ...rowOptions('enrichment', 'enriched_'),
  ...byName,
  maxCredits: withDescription(
    maxCredits,
    (usual) =>
      `${usual} With partnerships, each returned partner also counts as 1 credit. Their number is known only from the response, so the node sends one batch at a time, and only the last batch can exceed Max Credits.`,
  ),
  spendRemainingCredits: flag({
    displayName: 'Spend Remaining Credits',
    name: 'spendRemainingCredits',
    type: 'boolean',
    default: false,
    description:
      'Whether to spend the remaining credits when they no longer cover a batch: the node retries with as many rows as they cover, then stops',
  }),
};
