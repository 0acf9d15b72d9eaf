import type { KeyName } from '../accounts';
import type { FilterNode } from './definition';
import type { Grant } from './store';

/** Lists that exist from the start, so that tests and demos have lists to read. */
export const SAMPLE_LISTS: ReadonlyArray<{
  readonly name: string;
  readonly owner: KeyName;
  readonly orgWide?: Grant;
  readonly root: FilterNode;
}> = [
  {
    name: 'Shopify merchants',
    owner: 'user',
    orgWide: 'viewer',
    root: { field: 'technology', operator: 'equals', value: 'shopify' },
  },
  {
    name: 'German and Dutch software companies',
    owner: 'user',
    root: {
      op: 'and',
      children: [
        { field: 'country', operator: 'in', value: ['Germany', 'Netherlands'] },
        { field: 'industry', operator: 'equals', value: 'Software' },
      ],
    },
  },
  {
    name: 'Well-connected companies',
    owner: 'otherOrganization',
    root: { field: 'partnership_count', operator: 'gte', value: 20 },
  },
  {
    name: 'Companies that look for partners',
    owner: 'user',
    root: { field: 'has_partner_page', operator: 'equals', value: true },
  },
];
