import { checkTechKey } from '../../src/service/technologies';
import { domainOf, technologyOf } from '../../src/input/inputs';
import { choice, parameter, shownFor, type Parameter } from '../../src/n8n/parameters/declare';
import type { Run } from '../../src/run/run';
import type { Used } from '../../src/watch/users';
import { vendorSubdomains } from '../shared/options';

/** A technology, chosen by searching the service or by its key. */
export const techKey = parameter(
  {
    displayName: 'Technology',
    name: 'techKey',
    type: 'resourceLocator',
    required: true,
    default: { mode: 'list', value: '' },
    description: 'The technology whose users to find',
    modes: [
      {
        displayName: 'From List',
        name: 'list',
        type: 'list',
        placeholder: 'Type the name of a technology or vendor…',
        typeOptions: {
          searchListMethod: 'searchTechnologies',
          searchable: true,
          searchFilterRequired: true,
        },
      },
      {
        displayName: 'By Key',
        name: 'id',
        type: 'string',
        placeholder: 'e.g. google-analytics',
        hint: 'Lowercase letters, digits and hyphens',
      },
    ],
  },
  technologyOf,
);

/** A vendor, looked up by its exact domain. Its operations have the option {@link vendorSubdomains}. */
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
  (value, name, place) => {
    const options = place.in('options');
    const chosen = vendorSubdomains.read(options);
    // Unless somebody asks for it, the www. of a pasted address is no part of a vendor's domain.
    const isAsked = options.get('subdomains') !== undefined;
    return domainOf(value, name, chosen === 'keep' && isAsked ? 'exact' : chosen);
  },
);

/** Refuses a technology that is no key; see {@link checkTechKey}. */
export async function checkUsed(run: Run, used: Used): Promise<void> {
  if (used.by === 'technology') await checkTechKey(run, used.techKey);
}

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
