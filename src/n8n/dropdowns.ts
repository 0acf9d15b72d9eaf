import type {
  ILoadOptionsFunctions,
  INodeListSearchItems,
  INodeListSearchResult,
} from 'n8n-workflow';

import { readEndpointRows } from '../service/endpoint';
import { api } from '../service/endpoints';
import { getListId, getPermissionId } from '../service/lists/lists';
import { parseListId } from '../input/inputs';
import { LIMITS } from '../input/limits';
import { findText, type Row } from '../values/json';
import type { Run } from '../run/run';
import { toError, toNodeError } from './failures';
import { openRunForEditor } from './open-run';

/* Requests of n8n's editor while a node is configured. All of them are free. */

const ALL_ROWS = { wanted: undefined };

async function loadForDropdown<T>(
  context: ILoadOptionsFunctions,
  load: (run: Run) => Promise<T>,
): Promise<T> {
  try {
    return await load(await openRunForEditor(context));
  } catch (error) {
    throw toNodeError(context.getNode(), toError(error), 0);
  }
}

export async function searchTechnologies(
  this: ILoadOptionsFunctions,
  filter?: string,
): Promise<INodeListSearchResult> {
  const q = (filter ?? '').trim().slice(0, LIMITS.technologyQueryLength);
  if (q === '') return { results: [] };
  return await loadForDropdown(this, async (run) => {
    const wanted = api.technologies.page.max;
    const { rows } = await readEndpointRows(run, api.technologies, { q }, { wanted });
    return {
      results: rows.map((row) => ({
        name: [row.display_name, row.vendor_name].filter(Boolean).join(' – '),
        value: String(row.tech_key),
      })),
    };
  });
}

export async function searchLists(
  this: ILoadOptionsFunctions,
  filter?: string,
): Promise<INodeListSearchResult> {
  return await loadForDropdown(this, async (run) => {
    const { rows } = await readEndpointRows(run, api.lists, {}, ALL_ROWS);
    return toListEntries(rows, getListId, (list) => findText(list, ['name']), filter);
  });
}

export async function searchPermissions(
  this: ILoadOptionsFunctions,
  filter?: string,
): Promise<INodeListSearchResult> {
  return await loadForDropdown(this, async (run) => {
    const listId = parseListId(this.getCurrentNodeParameter('listId', { extractValue: true }));
    const { rows } = await readEndpointRows(run, api.permissions, { list_id: listId }, ALL_ROWS);
    return toListEntries(rows, getPermissionId, readPermissionHolder, filter);
  });
}

/** The API spec does not show the fields of a permission. */
function readPermissionHolder(permission: Row): string | undefined {
  if (permission.org_wide === true || permission.scope === 'org_wide') return 'Whole organization';
  return findText(permission, ['email', 'user_email', 'user_name', 'name', 'user_id', 'user']);
}

function toListEntries(
  rows: readonly Row[],
  idOf: (row: Row) => string | undefined,
  nameOf: (row: Row) => string | undefined,
  filter = '',
): INodeListSearchResult {
  const entries = rows.flatMap((row): INodeListSearchItems[] => {
    const value = idOf(row);
    if (value === undefined) return [];
    const level = findText(row, ['access_level']);
    return [{ name: `${nameOf(row) ?? value}${level === undefined ? '' : ` (${level})`}`, value }];
  });
  const text = filter.trim().toLowerCase();
  return {
    results: entries
      .filter(({ name, value }) => `${name}\n${String(value)}`.toLowerCase().includes(text))
      .sort((a, b) => a.name.localeCompare(b.name)),
  };
}
