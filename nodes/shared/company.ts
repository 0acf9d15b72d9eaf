import type { INodeProperties } from 'n8n-workflow';

/** A company, as every path of the interface accepts it. */
export function identifierProperty(displayName = 'Company', name = 'identifier'): INodeProperties {
  return {
    displayName,
    name,
    type: 'string',
    required: true,
    default: '',
    placeholder: 'e.g. example.com',
    description:
      "A company's domain or slug; URLs and e-mail addresses are reduced to their domain",
  };
}

const firmographics = {
  name: 'Firmographics',
  value: 'firmographics',
  description: 'Industry, size, country and age',
};

const technologies = {
  name: 'Technologies',
  value: 'technologies',
  description: 'Technologies detected on its site',
};

function includeProperty(options: INodeProperties['options']): INodeProperties {
  return {
    displayName: 'Include',
    name: 'include',
    type: 'multiOptions',
    options: options ?? [],
    default: [],
    description: 'What to return beside the basic fields',
  };
}

/** For a company by itself. */
export const includeSections = includeProperty([firmographics, technologies]);
/** For lists of companies. */
export const includeFirmographics = includeProperty([firmographics]);

/** Values of {@link includeSections}. */
export const SECTIONS = [firmographics.value, technologies.value];
/** Values of {@link includeFirmographics}. */
export const LIST_SECTIONS = [firmographics.value];

/** Values of {@link partnershipTypes}. */
export const PARTNERSHIP_TYPES = ['channel', 'generic', 'technology'];

/** A filter that several lists have. */
export const partnershipTypes: INodeProperties = {
  displayName: 'Partnership Types',
  name: 'partnershipTypes',
  type: 'multiOptions',
  options: [
    { name: 'Channel', value: 'channel' },
    { name: 'Generic', value: 'generic' },
    { name: 'Technology', value: 'technology' },
  ],
  default: [],
  description: 'Only partnerships of these types',
};
