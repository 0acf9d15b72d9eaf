import type { IDataObject } from 'n8n-workflow';

import { getFilterCatalogue } from '../../../src/api/lists/catalogue';
import { onlyFor, type Operation } from '../../../src/n8n/operation';
import { perItem } from '../../../src/n8n/per-item/per-item';
import { requestOptions } from '../../shared/options';

/** `GET /v1/lists/filter-fields` */
export const getFilterFields: Operation = {
  option: {
    name: 'Get Filter Fields',
    value: 'getFilterFields',
    description: 'List the fields and operators that definitions may use. Free.',
    action: 'Get the filter fields of definitions',
  },
  properties: onlyFor('getFilterFields', [requestOptions()]),
  execute: perItem({
    plan: () => ({}),
    ask: async (_plan, { run }) => {
      const { rows, beside } = await getFilterCatalogue(run);
      return rows.map((row) => ({ json: { ...(beside as IDataObject), ...(row as IDataObject) } }));
    },
  }),
};
