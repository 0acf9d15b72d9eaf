import { technologyQueryOf } from '../../src/input/inputs';
import { searchTechnologies as search } from '../../src/api/technologies';
import { parameter } from '../../src/n8n/parameters/declare';
import { listingOutput, rangeFor } from '../../src/n8n/per-item/listing-output';
import { perItem } from '../../src/n8n/per-item/per-item';
import { requestOptions } from '../shared/options';
import { offset, paging } from '../shared/paging';

/** `GET /v1/technologies` */
export const searchTechnologies = perItem({
  option: {
    name: 'Search Technologies',
    value: 'searchTechnologies',
    description: 'Find technologies and their keys by name or vendor. Free.',
    action: 'Search technologies',
  },
  parameters: {
    q: parameter(
      {
        displayName: 'Search',
        name: 'q',
        type: 'string',
        required: true,
        default: '',
        placeholder: 'e.g. analytics',
        description: "Part of the technology's or its vendor's name, 1 to 200 characters",
      },
      technologyQueryOf,
    ),
    wanted: paging,
    options: requestOptions({ offset }),
  },
  ask: async ({ wanted, options, ...query }, { run }) =>
    listingOutput(await search(run, query, rangeFor(wanted, options))),
});
