import { isRow, type Row } from '../../run/answers/rows';
import { shortened, textOf } from '../../input/quote';

/** A condition, wherever a definition has it: `industry equals "Software"`. */
export interface Condition {
  readonly field: string;
  readonly operator: string;
  /** The condition as it stands there. */
  readonly row: Row;
}

/** Names that services give the two parts of a condition. */
const FIELD_WORDS = ['field', 'field_key', 'key', 'attribute', 'property'];
const OPERATOR_WORDS = ['operator', 'op', 'comparator', 'comparison'];
const COMBINING = /^(and|or|not|all|any|none)$/i;

/**
 * Finds the conditions of a definition. How trees are written is not shown by the interface, so every
 * object that names a field and an operator counts as one, wherever it is.
 */
export function conditionsIn(definition: unknown): Condition[] {
  const found: Condition[] = [];
  // Not recursive, so that a tree of any depth can be looked through.
  const open: unknown[] = [definition];
  while (open.length > 0) {
    const node = open.pop();
    if (isRow(node)) {
      const condition = asCondition(node);
      if (condition !== undefined) found.push(condition);
      open.push(...Object.values(node).reverse());
    } else if (Array.isArray(node)) {
      open.push(...(node as unknown[]).slice().reverse());
    }
  }
  return found;
}

function asCondition(row: Row): Condition | undefined {
  const field = textUnder(row, FIELD_WORDS);
  const operator = textUnder(row, OPERATOR_WORDS);
  if (field === undefined || operator === undefined || COMBINING.test(operator)) return undefined;
  return { field, operator, row };
}

function textUnder(row: Row, names: readonly string[]): string | undefined {
  return names.map((name) => row[name]).find((value) => typeof value === 'string');
}

function inJson(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(shortened(value)) : textOf(value);
}

/** A condition for people: `industry equals "Software"`. */
export function inWords({ field, operator, row }: Condition): string {
  const values = Object.values(row).filter((value) => value !== field && value !== operator);
  const texts = [field, operator, ...values.map((value) => inJson(value))];
  return shortened(texts.join(' '));
}
