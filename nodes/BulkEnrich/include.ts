import { several } from '../../src/n8n/parameters/declare';
import { SECTIONS } from '../shared/company';

/** Evaluated for each item; items that want the same are asked for together. */
export const include = several({
  displayName: 'Include',
  name: 'include',
  type: 'multiOptions',
  options: [...SECTIONS],
  default: ['firmographics', 'technologies'],
  description:
    'What to return about each company beside the basic fields. Leaving sections out makes answers smaller and may cost less. An expression can set it for each item.',
});
