import { isDeepStrictEqual } from 'node:util';

import { isRow } from '../../run/answers/rows';
import { conditionsIn, inWords } from './conditions';

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
  const added = without(after, before);
  const removed = without(before, after);
  const parts = [...named('added', added), ...named('removed', removed)];
  return { added, removed, text: parts.length > 0 ? parts.join('; ') : elsewhere(earlier, later) };
}

/** Each entry of the second list takes one equal entry out of the first. */
function without(texts: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return texts.filter((text) => {
    const at = left.indexOf(text);
    if (at === -1) return true;
    left.splice(at, 1);
    return false;
  });
}

function named(what: string, texts: readonly string[]): string[] {
  if (texts.length === 0) return [];
  const more = texts.length > NAMED ? ` and ${String(texts.length - NAMED)} more` : '';
  return [`${what} ${texts.slice(0, NAMED).join(', ')}${more}`];
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
