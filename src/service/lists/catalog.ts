import { InvalidResponseError } from '../../client/errors';
import { findRows, type RowSearch } from '../../run/responses/find-rows';
import { findText, isJsonObject, type Row } from '../../values/json';
import { findObject } from '../../run/responses/rows';
import type { Run } from '../../run/run';
import { buildRequest } from '../endpoint';
import { api } from '../endpoints';

export interface FilterCatalog {
  /** To write into definitions; undefined if the catalog has none. */
  readonly registryVersion: unknown;
  /** One for each field; the whole response as one row if its fields cannot be found. */
  readonly rows: readonly Row[];
}

const FIELDS: RowSearch = {
  names: ['fields', 'filter_fields', 'filters'],
  hasId: (row) => findText(row, ['key', 'field', 'name', 'id']) !== undefined,
};

export async function getFilterCatalog(run: Run): Promise<FilterCatalog> {
  return await run.request({
    ...buildRequest(api.filterFields, {}),
    repeatable: true,
    read: ({ json }) => readCatalog(json),
  });
}

/** The API spec does not show how the fields are listed, but it names `registry_version`. */
function readCatalog(json: unknown): FilterCatalog {
  const object = isJsonObject(json) ? findObject(json, ['registry_version']) : {};
  const registryVersion = object.registry_version;
  try {
    const { rows, envelope } = findRows(json, FIELDS);
    return { registryVersion, rows: rows.map((row) => ({ ...envelope, ...row })) };
  } catch (error) {
    if (!(error instanceof InvalidResponseError) || registryVersion === undefined) throw error;
    return { registryVersion, rows: [object] };
  }
}
