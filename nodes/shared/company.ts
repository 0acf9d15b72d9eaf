import type { INodeProperties } from 'n8n-workflow';

import { InputError, parseIdentifier } from '../../src/input/inputs';
import {
  parameter,
  commaSeparated,
  type Parameter,
  type ParameterSource,
} from '../../src/n8n/parameters/declare';
import { quote } from '../../src/values/text';

export const domainProperty: INodeProperties = {
  displayName: 'Domain',
  name: 'domain',
  type: 'string',
  required: true,
  default: '',
  placeholder: 'e.g. {{ $json.website }} {{ $json.email }}',
  hint: 'To add another field, drop it behind the text',
  description:
    'The company of each item. Drag in all fields that can hold its website, domain or email address. The first usable domain is used; social profiles, free email hosts and N/A are skipped. Evaluated for each item.',
  builderHint: {
    propertyHint:
      'Join all fields with a website or email address: expr("{{ $json.website }} {{ $json.email }}"). Write no || between them, which loses rows whose website is N/A or a LinkedIn page.',
  },
};

/** @param subdomains An option of the operation; the main domain is used without it. */
export function company(
  displayName = 'Company',
  name = 'identifier',
  subdomains?: Parameter<'keep' | 'strip'>,
) {
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
    (value, label, place) =>
      parseIdentifier(value, label, subdomains?.read(place.in('options')) ?? 'strip'),
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
  description: 'Technologies detected on its website',
};

const include = {
  displayName: 'Include',
  name: 'include',
  type: 'multiOptions' as const,
  default: [],
  description: 'Data to return in addition to the basic fields',
};

export const includeSections = commaSeparated({
  ...include,
  options: [firmographics, technologies],
  default: ['firmographics', 'technologies'],
});

export const includeFirmographics = commaSeparated({ ...include, options: [firmographics] });

export const partnershipTypes = commaSeparated({
  displayName: 'Partnership Types',
  name: 'partnershipTypes',
  type: 'multiOptions',
  options: [
    { name: 'Channel', value: 'channel' },
    { name: 'Generic', value: 'generic' },
    { name: 'Technology', value: 'technology' },
  ],
  default: [],
  description: 'Only partnerships of these types; empty means all',
});

const companyA = company('Company A', 'identifierA');
const companyB = company('Company B', 'identifierB');

export const companyPair = {
  identifier_a: companyA,
  identifier_b: { ...companyB, read: readOtherCompany },
};

function readOtherCompany(place: ParameterSource): string {
  const identifier = companyB.read(place);
  if (identifier !== companyA.read(place)) return identifier;
  throw new InputError(
    `Company A and Company B are the same: ${quote(identifier)}`,
    'Enter two different companies. Nothing was sent.',
  );
}

export function describePair(values: { identifier_a: string; identifier_b: string }) {
  const { identifier_a, identifier_b } = values;
  return { identifier_a, identifier_b };
}

/** Sections that a bulk lookup can return (API spec: Companies). */
export const SECTIONS = [
  firmographics,
  {
    name: 'Partnerships',
    value: 'partnerships',
    description: 'Each partner can cost 1 credit; free with Enrich Partnerships',
  },
  technologies,
] as const;
