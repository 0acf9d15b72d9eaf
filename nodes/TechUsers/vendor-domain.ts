import type { INodeProperties } from 'n8n-workflow';

/** A vendor, looked up by its exact domain. */
export const vendorDomainProperty: INodeProperties = {
  displayName: 'Vendor Domain',
  name: 'vendorDomain',
  type: 'string',
  required: true,
  default: '',
  placeholder: 'e.g. example.com',
  description: "The vendor's exact domain",
};
