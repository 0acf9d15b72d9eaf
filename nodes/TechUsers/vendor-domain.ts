import { domainOf } from '../../src/input/inputs';
import { parameter } from '../../src/n8n/parameters/declare';
import { vendorSubdomains } from '../shared/options';

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
