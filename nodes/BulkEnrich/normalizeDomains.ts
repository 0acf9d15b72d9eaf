import { normalizeRows } from '../../src/n8n/bulk/normalize-rows';
import { onlyFor, type Operation } from '../../src/n8n/operation';
import { domainProperty } from '../shared/domain';
import { normalizeOptions } from './options';

/** What the other operations would ask for, without asking. */
export const normalizeDomains: Operation = {
  option: {
    name: 'Normalize Domains',
    value: 'normalizeDomains',
    description:
      'Find the domain in each item and mark invalid rows and duplicates. Sends no request and costs nothing.',
    action: 'Normalize domains',
  },
  properties: onlyFor('normalizeDomains', [domainProperty, normalizeOptions]),
  execute: normalizeRows,
};
