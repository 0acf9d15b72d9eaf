import {
  described,
  forRun,
  number,
  onOff,
  parameter,
  type Declared,
} from '../../src/n8n/parameters/declare';
import { api } from '../../src/service/endpoints';
import { maxCredits, requestOptions } from '../shared/options';
import { rowOptions, WHOLE_RUN } from '../shared/rows';

/** The option by which the node has a second output. */
export const RUN_REPORT = 'runReport';

/**
 * For the operations that ask the service.
 *
 * @param own what the operation offers itself.
 */
export function enrichOptions<D extends Declared>(own: D) {
  return requestOptions({ ...enriching, ...own }, WHOLE_RUN);
}

/** A company search gives that many at most (interface: Size and pagination bounds). */
const MOST_CANDIDATES = api.companies.page.max;

/** For rows without a usable domain; read for each item. */
const byName = {
  companyName: parameter(
    {
      displayName: 'Company Name',
      name: 'companyName',
      type: 'string',
      default: '',
      placeholder: 'e.g. {{ $json.company_name }}',
      description:
        'Name of the company of each item, to find the company by if Domain has no usable domain. Exactly one company with this name (whatever its case, accents, punctuation and legal form) is a match; if there are several, the item gets the status ambiguous and their domains. Costs up to 1 credit per company returned (Candidates per Name).',
    },
    () => undefined,
  ),
  companyCountry: parameter(
    {
      displayName: 'Country',
      name: 'companyCountry',
      type: 'string',
      default: '',
      placeholder: 'e.g. {{ $json.country }}',
      description:
        'For Company Name: country of the company of each item, as a name or an ISO code. Decides between companies with the same name.',
    },
    () => undefined,
  ),
  candidatesPerName: forRun(
    number({
      displayName: 'Candidates per Name',
      name: 'candidatesPerName',
      type: 'number',
      typeOptions: { minValue: 1, maxValue: MOST_CANDIDATES },
      default: 3,
      description:
        'For Company Name: maximum companies to read for each distinct name. Each one costs up to 1 credit.',
    }),
  ),
};

const enriching = {
  ...rowOptions('enrichment', 'enriched_'),
  ...byName,
  maxCredits: described(
    maxCredits,
    (usual) =>
      `${usual} With partnerships included, each partner returned counts as well, after it has arrived: batches are then sent one at a time, each sized by those before it, so that at most the last one goes beyond the limit.`,
  ),
  onlyFirstCompanies: number({
    displayName: 'Only First Companies',
    name: 'onlyFirstCompanies',
    type: 'number',
    typeOptions: { minValue: 0 },
    default: 0,
    description:
      'Ask for only this many distinct companies, to see on a sample how many are found and what the whole would cost; 0 for all. The other rows come out with the status not_sampled.',
  }),
  runReport: onOff({
    displayName: 'Run Report',
    name: RUN_REPORT,
    type: 'boolean',
    default: false,
    description:
      'Whether a second output gives one item about the run, for a message or a sheet: statuses, reasons, duplicates, how many companies have each field, requests and credits at most',
  }),
  spendRemainingCredits: onOff({
    displayName: 'Spend Remaining Credits',
    name: 'spendRemainingCredits',
    type: 'boolean',
    default: false,
    description:
      'Whether to use up what is left when the credits no longer cover a batch: as many of its rows as they cover are asked for once more, then the run stops asking',
  }),
};
