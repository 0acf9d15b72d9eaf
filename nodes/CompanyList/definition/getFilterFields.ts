import type { IDataObject } from 'n8n-workflow';

import { getFilterCatalogue } from '../../../src/api/lists/catalogue';
import { perItem } from '../../../src/n8n/per-item/per-item';
import { requestOptions } from '../../shared/options';

/** `GET /v1/lists/filter-fields` */
export const getFilterFields = perItem({
  option: {
    name: 'Get Filter Fields',
    value: 'getFilterFields',
    description: 'List the fields and operators that definitions may use. Free.',
    action: 'Get filter fields',
  },
  parameters: { options: requestOptions({}) },
  ask: async (_plan, { run }) => {
    const { rows, beside } = await getFilterCatalogue(run);
    return rows.map((row) => ({ json: { ...beside, ...row } as IDataObject }));
  },
});
