import { InputError } from './inputs';

/** No filter tree and no body is deeper; a stack holds some thousands. */
const DEEPEST = 200;

/**
 * Refuses what is nested so deep that writing it as JSON would overflow the stack. Not recursive
 * itself.
 *
 * @param name what the user calls it.
 * @throws {InputError} when it is too deep.
 */
export function notTooDeep<T>(value: T, name: string): T {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEEPEST) throw tooDeep(`"${name}"`);
    // What several parts refer to counts once; otherwise a circle would grow without end.
    level = [...new Set(level.flatMap(partsOf))];
  }
  return value;
}

/** @param what in words, at the beginning of a sentence. */
export function tooDeep(what: string): InputError {
  return new InputError(
    `${what} is nested too deep: ${String(DEEPEST)} levels are allowed`,
    'Take the part that is meant out of it, or make it flatter; nothing was sent for this item.',
  );
}

function partsOf(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).filter((part) => typeof part === 'object' && part !== null);
}
