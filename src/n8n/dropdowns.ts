import type {
  ILoadOptionsFunctions,
  INodeListSearchItems,
  INodeListSearchResult,
  INodePropertyOptions,
} from 'n8n-workflow';

import {
  fieldNamed,
  getFilterCatalogue,
  operatorInWords,
  type FilterField,
} from '../service/lists/catalogue';
import { askRows } from '../service/ask';
import { api } from '../service/endpoints';
import { idOfList, idOfPermission, listLists, listPermissions } from '../service/lists/lists';
import { listIdOf } from '../input/inputs';
import { LIMITS } from '../input/limits';
import type { Row } from '../run/answers/rows';
import type { Run } from '../run/run';
import { asError, nodeError } from './failures';
import { openRunForEditor } from './open-run';

/* Requests of n8n's editor while a node is configured. All of them are free. */

/** Loads the entries of a dropdown, which shows errors itself. */
async function forDropdown<T>(
  context: ILoadOptionsFunctions,
  ask: (run: Run) => Promise<T>,
): Promise<T> {
  try {
    return await ask(await openRunForEditor(context));
  } catch (error) {
    throw nodeError(context.getNode(), asError(error), 0);
  }
}

/** Returns technologies for a dropdown while the user types. */
export async function searchTechnologies(
  this: ILoadOptionsFunctions,
  filter?: string,
): Promise<INodeListSearchResult> {
  const q = (filter ?? '').trim().slice(0, LIMITS.technologyQueryLength);
  if (q === '') return { results: [] };
  return await forDropdown(this, async (run) => {
    const { rows } = await askRows(
      run,
      api.technologies,
      { q },
      { wanted: api.technologies.page.max },
    );
    return {
      results: rows.map((row) => ({
        name: [row.display_name, row.vendor_name].filter(Boolean).join(' – '),
        value: String(row.tech_key),
      })),
    };
  });
}

/** Returns saved lists for a dropdown, by name, each with the user's access level. */
export async function searchLists(
  this: ILoadOptionsFunctions,
  filter?: string,
): Promise<INodeListSearchResult> {
  return await forDropdown(this, async (run) => {
    const { rows } = await listLists(run);
    return entriesOf(rows, idOfList, (list) => firstText(list, ['name']), filter);
  });
}

/** Returns the permissions of the selected list for a dropdown: user and access level. */
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

/** Returns whom a permission is for. The API spec does not show its fields. */
function holderOf(permission: Row): string | undefined {
  if (permission.org_wide === true || permission.scope === 'org_wide') return 'Whole organization';
  return firstText(permission, ['email', 'user_email', 'user_name', 'name', 'user_id', 'user']);
}

/** Returns the rows that match the text, sorted by name, each with its `access_level`. */
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

/** Returns the fields that lists can be filtered by, from the live catalog. */
export async function getFilterFields(
  this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
  const { fields } = await forDropdown(this, getFilterCatalogue);
  return fields.map(({ key, label, type, values }) => ({
    name: label,
    value: key,
    description:
      values === undefined ? type : `${type}: ${shown(values.flatMap(({ names }) => names))}`,
  }));
}

/** Maximum number of values in the description of a field. */
const SHOWN_VALUES = 12;

function shown(values: readonly string[]): string {
  const more = values.length > SHOWN_VALUES ? ', …' : '';
  return values.slice(0, SHOWN_VALUES).join(', ') + more;
}

/**
 * Returns the operators of the field in the same condition, or all operators if the field is unknown,
 * for example because it is an expression.
 */
export async function getFilterOperators(
  this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
  const { fields } = await forDropdown(this, getFilterCatalogue);
  const field = chosenField(this, fields);
  const operators = (field === undefined ? fields : [field]).flatMap((one) => one.operators ?? []);
  const options = operators.map(({ key, label }): [string, INodePropertyOptions] => [
    key,
    { name: operatorInWords(key, label), value: key },
  ]);
  return [...new Map(options).values()];
}

/**
 * Returns the values that the catalog lists for the field in the same condition; none if the field takes
 * any value or is unknown.
 */
export async function getFilterValues(
  this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
  const { fields } = await forDropdown(this, getFilterCatalogue);
  const values = chosenField(this, fields)?.values ?? [];
  return values.map(({ key, label }) => ({ name: label, value: key }));
}

/** Returns the field of the condition that contains the dropdown. */
function chosenField(
  context: ILoadOptionsFunctions,
  fields: readonly FilterField[],
): FilterField | undefined {
  const chosen: unknown = context.getCurrentNodeParameter('&field');
  return typeof chosen === 'string' ? fieldNamed(chosen, fields) : undefined;
}
