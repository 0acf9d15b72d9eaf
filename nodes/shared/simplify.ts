import { techKeyOf } from '../../src/input/inputs';
import { onOff, parameter } from '../../src/n8n/parameters/declare';
import { listed } from '../../src/n8n/parameters/values';

/** Whether companies come out as flat rows. */
export const simplify = onOff({
  displayName: 'Simplify',
  name: 'simplify',
  type: 'boolean',
  default: true,
  description: 'Whether to return a simplified version of the response instead of the raw data',
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
    displayOptions: { show: { '/simplify': [true] } },
  },
  (value): string[] => listed(value, /[,;\s]+/).map(techKeyOf),
);
