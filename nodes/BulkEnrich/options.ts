import { described, number, onOff, type Declared } from '../../src/n8n/parameters/declare';
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

const enriching = {
  ...rowOptions('enrichment', 'enriched_'),
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
