import type { INodeProperties } from 'n8n-workflow';

/** The company of each item, in whatever form the data has it. */
export const domainProperty: INodeProperties = {
  displayName: 'Domain',
  name: 'domain',
  type: 'string',
  required: true,
  default: '',
  placeholder: 'e.g. {{ $json.website }}',
  description:
    'The field that holds the company of each item: a domain, a URL, an e-mail address, or text with one of them in it (of several, the first counts). Evaluated for every item.',
};
