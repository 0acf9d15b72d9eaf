import { running } from '../shared/nodes';

/** Name of the node in the tested workflows. */
export const NAME = 'Flag Data';

/** Flags the `company` of each item, with the item's `text` as the description. */
export const flag = running('flagData', NAME, {
  identifier: '={{ $json.company }}',
  description: '={{ $json.text }}',
});
