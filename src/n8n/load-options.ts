import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import {
  fieldNamed,
  getFilterCatalogue,
  operatorInWords,
  type FilterField,
} from '../api/lists/catalogue';
import { forDropdown } from './for-dropdown';

/** Fields that lists can be filtered by, from the live catalogue. Free. */
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
 * for a field that an expression gives. Free.
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
 * any value, or is not known. Free.
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
