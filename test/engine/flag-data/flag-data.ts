import { running } from '../shared/nodes';

/** How a workflow that is tested refers to the node. */
export const NAME = 'Flag Data';

/** Flags the `company` of each item, saying its `text`. */
export const flag = running('flagData', NAME, {
  identifier: '={{ $json.company }}',
  description: '={{ $json.text }}',
});
