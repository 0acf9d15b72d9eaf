import { isDeepStrictEqual } from 'node:util';

import { isRow, type Row } from '../../run/responses/rows';
import { joinWithAnd, joinFirst, shortenMessage, toText } from '../../input/quote';

/** A condition found anywhere in a definition: `industry equals "Software"`. */
export interface Condition {
  readonly field: string;
  readonly operator: string;
  /** The condition as written in the definition. */
  readonly row: Row;
}

/** Usual names for the field and the operator of a condition. */
const FIELD_WORDS = ['field', 'field_key', 'key', 'attribute', 'property'];
const OPERATOR_WORDS = ['operator', 'op', 'comparator', 'comparison'];
const COMBINING = /^(and|or|not|all|any|none)$/i;

/**
 * Finds the conditions of a definition. The API spec does not show the form of trees, so every object
 * that names a field and an operator counts as a condition, at any level.
 */
export function collectConditions(definition: unknown): Condition[] {
  const found: Condition[] = [];
  // A loop instead of recursion, so that a tree of any depth can be searched.
  const open: unknown[] = [definition];
  while (open.length > 0) {
    const node = open.pop();
    if (isRow(node)) {
      const condition = toCondition(node);
      if (condition !== undefined) found.push(condition);
      open.push(...Object.values(node).reverse());
    } else if (Array.isArray(node)) {
      open.push(...(node as unknown[]).slice().reverse());
    }
  }
  return found;
}

function toCondition(row: Row): Condition | undefined {
  const field = findText(row, FIELD_WORDS);
  const operator = findText(row, OPERATOR_WORDS);
  if (field === undefined || operator === undefined || COMBINING.test(operator)) return undefined;
  return { field, operator, row };
}

function findText(row: Row, names: readonly string[]): string | undefined {
  return names.map((name) => row[name]).find((value) => typeof value === 'string');
}

function toJson(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(shortenMessage(value)) : toText(value);
}

/** Formats a condition for people: `industry equals "Software"`. */
export function formatCondition({ field, operator, row }: Condition): string {
  const values = Object.values(row).filter((value) => value !== field && value !== operator);
  const texts = [field, operator, ...values.map((value) => toJson(value))];
  return shortenMessage(texts.join(' '));
}

/** The differences between two definitions, in words. */
export interface DefinitionChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** The differences as text for a message; never empty. */
  readonly text: string;
}

/** The number of added and of removed conditions that a message names. */
const MAX_NAMED_CONDITIONS = 3;

/** Compares two definitions: conditions only in the later one were added, others removed. */
export function diffDefinitions(earlier: unknown, later: unknown): DefinitionChanges {
  const before = collectConditions(earlier).map(formatCondition);
  const after = collectConditions(later).map(formatCondition);
  const added = subtract(after, before);
  const removed = subtract(before, after);
  const parts = [...formatFirst('added', added), ...formatFirst('removed', removed)];
  return {
    added,
    removed,
    text: parts.length > 0 ? parts.join('; ') : describeRearrangement(earlier, later),
  };
}

/** Removes one equal entry from the first list for each entry of the second. */
function subtract(texts: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return texts.filter((text) => {
    const at = left.indexOf(text);
    if (at === -1) return true;
    left.splice(at, 1);
    return false;
  });
}

function formatFirst(what: string, texts: readonly string[]): string[] {
  return texts.length === 0 ? [] : [`${what} ${joinFirst(texts, MAX_NAMED_CONDITIONS)}`];
}

/**
 * Describes the difference of trees without conditions, or with the same conditions arranged
 * differently.
 */
function describeRearrangement(earlier: unknown, later: unknown): string {
  const before = isRow(earlier) ? earlier : {};
  const after = isRow(later) ? later : {};
  const names = Object.keys({ ...before, ...after }).filter(
    (name) => name !== 'version' && !isDeepStrictEqual(before[name], after[name]),
  );
  return names.length === 0
    ? 'only the version'
    : `other values in the definition's ${joinWithAnd(names)}`;
}
