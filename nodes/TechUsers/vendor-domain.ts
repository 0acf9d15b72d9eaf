import { domainOf } from '../../src/api/inputs';
import { parameter } from '../../src/n8n/parameters/declare';

/** A vendor, looked up by its exact domain. */
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
  (value, name) => domainOf(value, name, 'keep'),
);
