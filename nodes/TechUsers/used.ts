import { choice, shownFor, type Parameter } from '../../src/n8n/parameters/declare';
import type { Used } from '../../src/watch/users';
import { techKey } from './tech-key';
import { vendorDomain } from './vendor-domain';

/**
 * A technology, or all that a vendor makes.
 *
 * @param by the parameter that says which of both.
 */
export function usedBy(by: {
  readonly displayName: string;
  readonly name: string;
  readonly description: string;
}): Parameter<Used> {
  const chosen = choice({
    ...by,
    type: 'options',
    options: [
      { name: 'Technology', value: 'technology' },
      { name: 'Vendor', value: 'vendor', description: 'Any technology of a vendor' },
    ],
    default: 'technology',
  });
  return {
    properties: [
      ...chosen.properties,
      ...shownFor({ [by.name]: ['technology'] }, techKey).properties,
      ...shownFor({ [by.name]: ['vendor'] }, vendorDomain).properties,
    ],
    read: (place) =>
      chosen.read(place) === 'technology'
        ? { by: 'technology', techKey: techKey.read(place) }
        : { by: 'vendor', vendorDomain: vendorDomain.read(place) },
  };
}
