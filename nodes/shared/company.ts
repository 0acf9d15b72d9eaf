import { identifierOf } from '../../src/input/inputs';
import { parameter, words } from '../../src/n8n/parameters/declare';
import { subdomains } from './options';

/** A company, as every path of the interface accepts it. */
export function company(displayName = 'Company', name = 'identifier') {
  return parameter(
    {
      displayName,
      name,
      type: 'string',
      required: true,
      default: '',
      placeholder: 'e.g. example.com',
      description:
        "A company's domain or slug; URLs and e-mail addresses are reduced to their domain",
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
