import type { INodeProperties } from 'n8n-workflow';

import { identifierOf } from '../../src/input/inputs';
import { parameter, words } from '../../src/n8n/parameters/declare';
import { subdomains } from './options';

/** The company of each item, in whatever form the data has it. */
export const domainProperty: INodeProperties = {
  displayName: 'Domain',
  name: 'domain',
  type: 'string',
  required: true,
  default: '',
  placeholder: 'e.g. {{ $json.website }} {{ $json.email }}',
  description:
    'The company of each item: drag all fields in that may hold its website, domain or email address. The first that can be a company counts; social profiles, free mail and N/A are skipped. Evaluated for every item.',
};

/** A company, as every path of the interface accepts it. */
export function company(displayName = 'Company', name = 'identifier') {
  return parameter(
    {
      displayName,
      name,
      type: 'string',
      required: true,
      default: '',
      placeholder: 'e.g. acme.com',
      description:
        "A company's domain or slug; URLs and email addresses are reduced to their domain",
    },
    (value, label, place) => identifierOf(value, label, subdomains.read(place.in('options'))),
  );
}

const firmographics = {
  name: 'Firmographics',
  value: 'firmographics' as const,
  description: 'Industry, size, country and age',
};

const technologies = {
  name: 'Technologies',
  value: 'technologies' as const,
  description: 'Technologies detected on its site',
};

const include = {
  displayName: 'Include',
  name: 'include',
  type: 'multiOptions' as const,
  default: [],
  description: 'What to return about each company beside the basic fields',
};

/** For a company by itself: all there is, unless told otherwise. */
export const includeSections = words({
  ...include,
  options: [firmographics, technologies],
  default: ['firmographics', 'technologies'],
});

/** For lists of companies. */
export const includeFirmographics = words({ ...include, options: [firmographics] });

/** A filter that several lists have. */
export const partnershipTypes = words({
  displayName: 'Partnership Types',
  name: 'partnershipTypes',
  type: 'multiOptions',
  options: [
    { name: 'Channel', value: 'channel' },
    { name: 'Generic', value: 'generic' },
    { name: 'Technology', value: 'technology' },
  ],
  default: [],
  description: 'Only partnerships of these types; empty for all',
});

/** The two companies of an operation about a pair. */
export const pair = {
  identifier_a: company('Company A', 'identifierA'),
  identifier_b: company('Company B', 'identifierB'),
};

/** What tells items about pairs apart when nothing is found. */
export function askedPair(values: { identifier_a: string; identifier_b: string }) {
  const { identifier_a, identifier_b } = values;
  return { identifier_a, identifier_b };
}

/** What can be read of companies in bulk, as the user chooses it (interface: Companies). */
export const SECTIONS = [
  firmographics,
  {
    name: 'Partnerships',
    value: 'partnerships',
    description: 'Partners of the company; each one returned may cost a credit too',
  },
  technologies,
] as const;
