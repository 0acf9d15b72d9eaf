import { identifierOf } from '../../src/api/inputs';
import { subdomainsOf, type ItemParameters } from '../../src/n8n/per-item/parameters';
import { identifierProperty } from '../shared/company';

/** The two companies of the operations about pairs. */
export const pairProperties = [
  identifierProperty('Company A', 'identifierA'),
  identifierProperty('Company B', 'identifierB'),
];

/** @throws {InputError} when either is missing or malformed. */
export function pairOf(parameters: ItemParameters): { identifierA: string; identifierB: string } {
  const subdomains = subdomainsOf(parameters);
  return {
    identifierA: identifierOf(parameters.get('identifierA'), 'Company A', subdomains),
    identifierB: identifierOf(parameters.get('identifierB'), 'Company B', subdomains),
  };
}

/** What tells items about pairs apart when nothing is found. */
export function askedPair(pair: { identifierA: string; identifierB: string }) {
  return { identifier_a: pair.identifierA, identifier_b: pair.identifierB };
}
