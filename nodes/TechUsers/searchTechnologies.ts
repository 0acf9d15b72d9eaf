import { technologyQueryOf } from '../../src/api/inputs';
import { searchTechnologies as search } from '../../src/api/technologies';
import { listingOutput } from '../../src/n8n/per-item/listing-output';
import { onlyFor, type Operation } from '../../src/n8n/operation';
import { perItem } from '../../src/n8n/per-item/per-item';
import { requestOptions } from '../shared/options';
import { pagingProperties } from '../shared/paging';

/** `GET /v1/technologies` */
export const searchTechnologies: Operation = {
  option: {
    name: 'Search Technologies',
    value: 'searchTechnologies',
    description: 'Find technologies and their keys by name or vendor. Free.',
    action: 'Search technologies',
  },
  properties: onlyFor('searchTechnologies', [
    {
      displayName: 'Search',
      name: 'q',
      type: 'string',
      required: true,
      default: '',
      placeholder: 'e.g. analytics',
      description: "Part of the technology's or its vendor's name, 1 to 200 characters",
    },
    ...pagingProperties,
    requestOptions(),
  ]),
  execute: perItem({
    plan: (parameters) => ({
      q: technologyQueryOf(parameters.get('q')),
      wanted: parameters.wanted(),
    }),
    ask: async ({ q, wanted }, { run }) => listingOutput(await search(run, q, wanted), 'omit'),
  }),
};
