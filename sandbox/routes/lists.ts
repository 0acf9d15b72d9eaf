import { answer, endpoint, type Endpoint } from '../endpoint';
import { filterCatalogue } from '../lists/catalogue';
import * as common from '../schemas/common';
import { filterCatalogueSchema } from '../schemas/lists';

const section = 'Lists';

export const listEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/v1/lists/filter-fields',
    section,
    summary: 'Catalogue of filterable fields and operators',
    key: 'user',
    params: common.nothing,
    query: common.nothing,
    body: null,
    responses: { 200: filterCatalogueSchema },
    handle: () => answer.ok(filterCatalogue()),
  }),
];
