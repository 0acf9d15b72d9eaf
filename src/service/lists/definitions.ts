import { readErrorBody } from '../../client/error-body';
import { isApiErrorCode } from '../../client/error-mapping';
import { createInvalidResponseError, InvalidResponseError } from '../../client/errors';
import { findRows, type RowSearch } from '../../run/responses/find-rows';
import { findObject, readRow } from '../../run/responses/rows';
import { findText, parseCount, isJsonObject, type Row } from '../../values/json';
import type { Run } from '../../run/run';
import { buildRequest } from '../endpoint';
import { api } from '../endpoints';
import { withCheckHint } from './effects';
import { formatNumber } from '../../values/text';

interface FilterCatalog {
  readonly registryVersion: unknown;
  readonly rows: readonly Row[];
}

const CATALOG_SEARCH: RowSearch = {
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
    const { rows, envelope } = findRows(json, CATALOG_SEARCH);
    return { registryVersion, rows: rows.map((row) => ({ ...envelope, ...row })) };
  } catch (error) {
    if (!(error instanceof InvalidResponseError) || registryVersion === undefined) throw error;
    return { registryVersion, rows: [object] };
  }
}

const DEFINITION_FIELDS = ['definition', 'registry_version', 'version'];

/** The API spec does not show its form: it is kept as received. */
export async function getDefinition(run: Run, listId: string): Promise<Row> {
  return await run.request({
    ...buildRequest(api.definition, { list_id: listId }),
    repeatable: true,
    read: ({ json, text }) => {
      const saved = findDefinition(json);
      if (saved !== undefined) return saved;
      assertNoError(text);
      return { definition: findObject(json, []) };
    },
  });
}

function findDefinition(json: unknown): Row | undefined {
  if (Array.isArray(json)) return { definition: json };
  if (!isJsonObject(json)) return undefined;
  const row = findObject(json, DEFINITION_FIELDS);
  if (row.definition !== undefined) return row;
  return DEFINITION_FIELDS.some((name) => row[name] !== undefined)
    ? { definition: row }
    : undefined;
}

function assertNoError(text: string): void {
  const { code = '', message = code } = readErrorBody(text);
  if (!isApiErrorCode(code)) return;
  throw createInvalidResponseError(
    `The response is not a definition (the service says: ${message})`,
  );
}

/** Adds the count as `count_text`: `1,234`, or `10,000+` if it is capped. */
export async function previewCount(run: Run, definition: Row): Promise<Row> {
  return await run.request({
    ...buildRequest(api.previewCount, {}),
    body: definition,
    repeatable: true,
    read: ({ json }) => {
      const preview = readRow(json);
      const count = parseCount(preview.count);
      if (count === undefined) throw createInvalidResponseError('The response has no count');
      const more = preview.capped === true ? '+' : '';
      return { ...preview, count_text: `${formatNumber(count)}${more}` };
    },
  });
}

/** Each success appends a version, so it is sent once. */
export async function replaceDefinition(run: Run, listId: string, definition: Row): Promise<Row> {
  return await withCheckHint(
    'Check the definition with Definition: Get before you run this again.',
    async () =>
      await run.request({
        ...buildRequest(api.replaceDefinition, { list_id: listId }),
        body: definition,
        repeatable: false,
        read: ({ json }) => readReplaced(json, definition),
      }),
  );
}

/** A response without the fields of the sent definition, such as `{ version: 3 }`, is no definition. */
function readReplaced(json: unknown, sent: Row): Row {
  const own = Object.keys(sent).filter((name) => !DEFINITION_FIELDS.includes(name));
  const row = isJsonObject(json) ? findObject(json, ['definition', ...own]) : {};
  if (isJsonObject(row.definition) || Array.isArray(row.definition)) return row;
  const isWhole = own.length > 0 && own.every((name) => row[name] !== undefined);
  return isWhole ? { definition: row } : { ...row, definition: sent };
}
