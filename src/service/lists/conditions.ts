import { isDeepStrictEqual } from 'node:util';

import { isRow, type Row } from '../../run/answers/rows';
import { firstOf, shortened, textOf } from '../../input/quote';

/** A condition, wherever a definition has it: `industry equals "Software"`. */
export interface Condition {
  readonly field: string;
  readonly operator: string;
  /** The condition as it is there. */
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

/** How two definitions differ, in words. */
export interface Changes {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** For a message; never empty. */
  readonly text: string;
}

/** Conditions that a message names of each kind. */
const NAMED = 3;

/** What is in a later definition and not in an earlier one, and the other way round. */
export function changesBetween(earlier: unknown, later: unknown): Changes {
  const before = conditionsIn(earlier).map(inWords);
  const after = conditionsIn(later).map(inWords);
  const added = leftOf(after, before);
  const removed = leftOf(before, after);
  const parts = [...named('added', added), ...named('removed', removed)];
  return { added, removed, text: parts.length > 0 ? parts.join('; ') : elsewhere(earlier, later) };
}

/** Each entry of the second list takes one equal entry out of the first. */
function leftOf(texts: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return texts.filter((text) => {
    const at = left.indexOf(text);
    if (at === -1) return true;
    left.splice(at, 1);
    return false;
  });
}

function named(what: string, texts: readonly string[]): string[] {
  return texts.length === 0 ? [] : [`${what} ${firstOf(texts, NAMED)}`];
}

/** For trees in which no conditions were found, or the same ones, arranged in another way. */
function elsewhere(earlier: unknown, later: unknown): string {
  const before = isRow(earlier) ? earlier : {};
  const after = isRow(later) ? later : {};
  const names = Object.keys({ ...before, ...after }).filter(
    (name) => name !== 'version' && !isDeepStrictEqual(before[name], after[name]),
  );
  return names.length === 0 ? 'nothing but the version' : `different under ${names.join(', ')}`;
}
