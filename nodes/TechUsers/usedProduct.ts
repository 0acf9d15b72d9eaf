import { parseDomain, parseTechKey } from '../../src/input/inputs';
import {
  choice,
  locator,
  parameter,
  shownIf,
  type Parameter,
} from '../../src/n8n/parameters/declare';
import type { UsedProduct } from '../../src/watch/tech-users';

export const techKey = locator(
  { displayName: 'Technology', name: 'techKey', description: 'Technology whose users to find' },
  {
    placeholder: 'Type the name of a technology or vendor…',
    searchListMethod: 'searchTechnologies',
    searchFilterRequired: true,
  },
  {
    placeholder: 'e.g. google-analytics',
    hint: 'The tech key: a-z, 0-9, hyphens',
  },
  parseTechKey,
);

/** A vendor, which the service finds by its exact domain (API spec: Technologies, rule 2). */
export const vendorDomain = parameter(
  {
    displayName: 'Vendor Domain',
    name: 'vendorDomain',
    type: 'string',
    required: true,
    default: '',
    placeholder: 'e.g. example.com',
    description: "The vendor's exact domain",
  },
  (value, name) => parseDomain(value, name, 'keep'),
);

export function createUsedProductParameter(by: {
  readonly displayName: string;
  readonly name: string;
  readonly description: string;
}): Parameter<UsedProduct> {
  const chosen = choice({
    ...by,
    type: 'options',
    options: [
      { name: 'Technology', value: 'technology' },
      { name: 'Vendor', value: 'vendor', description: 'All technologies of a vendor' },
    ],
    default: 'technology',
  });
  return {
    properties: [
      ...chosen.properties,
      ...shownIf({ [by.name]: ['technology'] }, techKey).properties,
      ...shownIf({ [by.name]: ['vendor'] }, vendorDomain).properties,
    ],
    read: (place) =>
      chosen.read(place) === 'technology'
        ? { by: 'technology', techKey: techKey.read(place) }
        : { by: 'vendor', vendorDomain: vendorDomain.read(place) },
  };
}
