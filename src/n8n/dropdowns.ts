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

/* What n8n's editor asks the service for while a node is set up. All of it is free. */

/** Asks for the entries of a dropdown, which shows what goes wrong. */
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

/** Technologies for a dropdown, while the user types. */
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

/** Saved lists for a dropdown, by name, each with what the user may do with it. */
export async function searchLists(
  this: ILoadOptionsFunctions,
  filter?: string,
): Promise<INodeListSearchResult> {
  return await forDropdown(this, async (run) => {
    const { rows } = await listLists(run);
    return entriesOf(rows, idOfList, (list) => firstText(list, ['name']), filter);
  });
}

/** Permissions of the chosen list for a dropdown: who, and what they may do. */
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

/** Fields that lists can be filtered by, from the live catalogue. */
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

/** Values of a choice that are shown where the field is chosen. */
const SHOWN_VALUES = 12;

function shown(values: readonly string[]): string {
  const more = values.length > SHOWN_VALUES ? ', …' : '';
  return values.slice(0, SHOWN_VALUES).join(', ') + more;
}

/**
 * Operators of the field that the same condition has chosen; all there are where it is not known, as
 * for a field that an expression gives.
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
 * Values that the catalogue lists for the field that the same condition has chosen; none where it takes
 * any value, or is not known.
 */
export async function getFilterValues(
  this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
  const { fields } = await forDropdown(this, getFilterCatalogue);
  const values = chosenField(this, fields)?.values ?? [];
  return values.map(({ key, label }) => ({ name: label, value: key }));
}

/** The field of the condition in which the dropdown is. */
function chosenField(
  context: ILoadOptionsFunctions,
  fields: readonly FilterField[],
): FilterField | undefined {
  const chosen: unknown = context.getCurrentNodeParameter('&field');
  return typeof chosen === 'string' ? fieldNamed(chosen, fields) : undefined;
}
