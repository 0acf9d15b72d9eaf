import { described, onOff, type Declared } from '../../src/n8n/parameters/declare';
import { maxCredits, requestOptions } from '../shared/options';
import { rowOptions, WHOLE_RUN } from '../shared/rows';

/**
 * For the operations that ask the service.
 *
 * @param own what the operation offers itself.
 */
export function enrichOptions<D extends Declared>(own: D) {
  return requestOptions({ ...enriching, ...own }, WHOLE_RUN);
}

const enriching = {
  ...rowOptions('enrichment'),
  maxCredits: described(
    maxCredits,
    (usual) =>
      `${usual}. With partnerships included, each partner returned counts as well, after it has arrived.`,
  ),
  spendRemainingCredits: onOff({
    displayName: 'Spend Remaining Credits',
    name: 'spendRemainingCredits',
    type: 'boolean',
    default: false,
    description:
      'Whether to use up what is left when the credits no longer cover a batch: as many of its rows as they cover are asked for once more, then the run stops asking',
  }),
};
