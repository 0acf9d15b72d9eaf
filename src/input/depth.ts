import { isDeeperThan } from '../client/json';
import { InputError } from './inputs';

/** No filter tree and no body is deeper; a stack holds some thousands. */
const DEEPEST = 200;

/**
 * Refuses what is nested so deep that writing it as JSON would overflow the stack.
 *
 * @param name what the user calls it.
 * @throws {InputError} when it is too deep.
 */
export function notTooDeep<T>(value: T, name: string): T {
  if (isDeeperThan(value, DEEPEST)) throw tooDeep(`"${name}"`);
  return value;
}

/** @param what in words, at the beginning of a sentence. */
export function tooDeep(what: string): InputError {
  return new InputError(
    `${what} is nested too deep: ${String(DEEPEST)} levels are allowed`,
    'Take the part that is meant out of it, or make it flatter; nothing was sent for this item.',
  );
}
