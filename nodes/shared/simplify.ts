import type { INodeProperties } from 'n8n-workflow';

import { techKeyOf } from '../../src/input/inputs';
import { parameter, yesOrNo } from '../../src/n8n/parameters/declare';
import { listed } from '../../src/n8n/parameters/values';
import { FLAT_SINCE } from '../../src/n8n/result-shape';

type Shown = NonNullable<NonNullable<INodeProperties['displayOptions']>['show']>;

/** Shown in nodes whose companies come out flat by default. */
export const WHERE_FLAT: Shown = {
  '@version': [{ _cnd: { gte: FLAT_SINCE } }],
};

/** Shown in nodes that were stored before. */
export const BEFORE_FLAT: Shown = {
  '@version': [{ _cnd: { lt: FLAT_SINCE } }],
};

/** Whether companies come out as flat rows; undefined in nodes that were stored before there was a choice. */
export const simplify = yesOrNo({
  displayName: 'Simplify',
  name: 'simplify',
  type: 'boolean',
  default: true,
  description: 'Whether to return a simplified version of the response instead of the raw data',
  displayOptions: { show: WHERE_FLAT },
});

/** For operations that return the technologies of companies. */
export const technologyColumns = parameter(
  {
    displayName: 'Technology Columns',
    name: 'technologyColumns',
    type: 'string',
    default: '',
    placeholder: 'e.g. hubspot, google-analytics',
    description:
      'Keys of technologies that get a column each when the output is simplified: has_hubspot says whether the company uses it. Search Technologies of Tech Users finds keys.',
    displayOptions: { show: { '/simplify': [true], ...WHERE_FLAT } },
  },
  (value): string[] => listed(value, /[,;\s]+/).map(techKeyOf),
);
