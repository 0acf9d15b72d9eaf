import type {
  ILoadOptionsFunctions,
  INodeListSearchItems,
  INodeListSearchResult,
} from 'n8n-workflow';

import { listIdOf } from '../input/inputs';
import { LIMITS } from '../input/limits';
import { idOfList, listLists } from '../api/lists/lists';
import { idOfPermission, listPermissions } from '../api/lists/lists';
import type { Row } from '../run/answers/rows';
import { searchTechnologies as search } from '../api/technologies';
import { forDropdown } from './for-dropdown';

/** Technologies for a dropdown, while the user types. Free. */
export async function searchTechnologies(
  this: ILoadOptionsFunctions,
  filter?: string,
): Promise<INodeListSearchResult> {
  const q = (filter ?? '').trim().slice(0, LIMITS.technologyQueryLength);
  if (q === '') return { results: [] };
  return await forDropdown(this, async (run) => {
    const { rows } = await search(run, { q }, { wanted: LIMITS.pageSize });
    return {
      results: rows.map((row) => ({
        name: [row.display_name, row.vendor_name].filter(Boolean).join(' – '),
        value: String(row.tech_key),
      })),
    };
  });
}

/** Saved lists for a dropdown, by name, each with what the user may do with it. Free. */
export async function searchLists(
  this: ILoadOptionsFunctions,
  filter?: string,
): Promise<INodeListSearchResult> {
  return await forDropdown(this, async (run) => {
    const { rows } = await listLists(run);
    return entriesOf(rows, idOfList, (list) => firstText(list, ['name']), filter);
  });
}

/** Permissions of the chosen list for a dropdown: who, and what they may do. Free. */
export async function searchPermissions(
  this: ILoadOptionsFunctions,
  filter?: string,
): Promise<INodeListSearchResult> {
  return await forDropdown(this, async (run) => {
    const listId = listIdOf(this.getCurrentNodeParameter('listId', { extractValue: true }));
    const { rows } = await listPermissions(run, listId);
    return entriesOf(rows, idOfPermission, holderOf, filter);
  });
}

/** Whom a permission is for. The interface does not show its fields. */
function holderOf(permission: Row): string | undefined {
  if (permission.org_wide === true || permission.scope === 'org_wide') return 'Whole organization';
  return firstText(permission, ['email', 'user_email', 'user_name', 'name', 'user_id', 'user']);
}

/** Rows by name, those that hold the text, each with its `access_level`. */
function entriesOf(
  rows: readonly Row[],
  idOf: (row: Row) => string | undefined,
  nameOf: (row: Row) => string | undefined,
  filter = '',
): INodeListSearchResult {
  const entries = rows.flatMap((row): INodeListSearchItems[] => {
    const value = idOf(row);
    if (value === undefined) return [];
    const level = firstText(row, ['access_level']);
    return [{ name: `${nameOf(row) ?? value}${level === undefined ? '' : ` (${level})`}`, value }];
  });
  const text = filter.trim().toLowerCase();
  return {
    results: entries
      .filter(({ name, value }) => `${name}\n${String(value)}`.toLowerCase().includes(text))
      .sort((a, b) => a.name.localeCompare(b.name)),
  };
}

function firstText(row: Row, names: readonly string[]): string | undefined {
  return names.map((name) => row[name]).find((one) => typeof one === 'string' && one !== '') as
    string | undefined;
}
