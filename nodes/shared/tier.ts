import { choice } from '../../src/n8n/parameters/declare';

/** Which members of a list; `all` for every tier (interface: List). */
export const tier = choice({
  displayName: 'Tier',
  name: 'tier',
  type: 'options',
  options: [
    { name: 'All Tiers', value: 'all' },
    { name: 'Exploratory', value: 'exploratory' },
    { name: 'High', value: 'high' },
    { name: 'Medium', value: 'medium' },
  ],
  default: 'all',
  description: 'Only members of this tier',
});
