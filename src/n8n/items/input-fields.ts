import type { IExecuteFunctions } from 'n8n-workflow';

import { InputError } from '../../input/inputs';
import { joinFirst, quote } from '../../values/text';
import { readField } from '../parameters/readers';
import { EMPTY_DOMAIN } from '../run-hints';
import type { RowOutput } from './write';

/* The fields of the input items, for parameters that name one that no item has. */

const MAX_NAMED_FIELDS = 30;

function formatFields(context: IExecuteFunctions): string {
  const names = new Set(context.getInputData().flatMap(({ json }) => Object.keys(json)));
  const fields = names.size === 0 ? 'no fields' : joinFirst([...names], MAX_NAMED_FIELDS);
  return `The items have: ${fields}`;
}

/** Checks the names in Fields to Keep. */
export function assertFieldsExist(
  context: IExecuteFunctions,
  { output, fieldsToKeep = [] }: Pick<RowOutput, 'output' | 'fieldsToKeep'>,
): void {
  if (output !== 'selected') return;
  const items = context.getInputData();
  const missing = fieldsToKeep.find((name) => !items.some(({ json }) => Object.hasOwn(json, name)));
  if (missing === undefined) return;
  throw new InputError(
    `"Fields to Keep" names the field ${quote(missing)}, which no item has`,
    `${formatFields(context)}. Nothing was sent.`,
  );
}

/** Fields that an expression names: `$json.website`, `$json["E-Mail"]`. */
const NAMED_FIELD = /\$json(?:\??\.([A-Za-z_]\w*)|(?:\?\.)?\[(["'])(.+?)\2\])/g;

/**
 * Finds items that have none of the fields that Domain names. n8n reads such a field as an empty text if Domain
 * names several, so the value alone does not tell a missing column from an empty cell.
 *
 * @param given The value of Domain, with its expressions as text.
 */
export function findMissingFields(context: IExecuteFunctions, given: unknown) {
  const isExpression = typeof given === 'string' && given.startsWith('=');
  const found = isExpression ? [...given.matchAll(NAMED_FIELD)] : [];
  const names = [...new Set(found.map(([, word, , quoted]) => word ?? quoted ?? ''))];
  const items = context.getInputData();
  const isMissing = ({ json }: (typeof items)[number]) =>
    names.length > 0 && names.every((name) => readField(json, name) === undefined);
  const missing = items.map(isMissing);
  return {
    missing,
    message: `The item has no field ${names.map(quote).join(' or ')}: its cell is empty, or the column has another name. Columns of an earlier run stay as they are`,
    /** The fields that there are instead; undefined if any item has a field that Domain names. */
    instead: missing.includes(false) ? undefined : formatFields(context),
  };
}

/**
 * Stops a run over rows of an earlier run whose column was renamed: they would all be written as invalid.
 *
 * @throws {InputError} If several items have columns of an earlier run and none has a field that Domain names.
 */
export function assertColumnExists(
  context: IExecuteFunctions,
  instead: string | undefined,
  columnPrefix: string | undefined,
): void {
  const items = context.getInputData();
  if (instead === undefined || columnPrefix === undefined || items.length < 2) return;
  if (!items.some(({ json }) => Object.hasOwn(json, `${columnPrefix}domain`))) return;
  throw new InputError(EMPTY_DOMAIN, `${instead}. Nothing was sent.`);
}
