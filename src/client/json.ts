import { invalidResponse, SOMETHING_ELSE_ANSWERED } from './errors';

/** So deep an answer may be nested. Those of the interface are nested five deep. */
const MAX_LEVELS = 200;

/** A text, or a number, of JSON; which one it is shows at its first character. */
const TEXT_OR_NUMBER = /"(?:[^"\\]+|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Reads a JSON text. A whole number that JavaScript cannot hold, such as an id of 64 bits, becomes a
 * text: as a number it would be another one.
 *
 * @returns undefined when it is empty.
 * @throws {InvalidResponseError} when it is no JSON, or nested too deeply.
 */
export function parseJson(text: string): unknown {
  if (text.trim() === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
    if (flawOf(value, MAX_LEVELS) === 'unsafe') {
      value = JSON.parse(text.replace(TEXT_OR_NUMBER, quotedIfUnsafe));
    }
  } catch {
    throw invalidResponse(
      text.trimStart().startsWith('<')
        ? 'The answer is an HTML page, not JSON'
        : 'The answer is not complete JSON',
      SOMETHING_ELSE_ANSWERED,
    );
  }
  return answerNotTooDeep(value);
}

/**
 * An answer that may be used: whoever follows one that is nested very deeply, here or in n8n, runs out
 * of stack.
 *
 * @throws {InvalidResponseError}
 */
export function answerNotTooDeep(answer: unknown): unknown {
  if (!isDeeperThan(answer, MAX_LEVELS)) return answer;
  throw invalidResponse(
    `The answer is nested more than ${String(MAX_LEVELS)} levels deep`,
    'Check the Base URL in the credential; no answer of the service is nested so deeply.',
  );
}

/**
 * Whether lists and objects are nested deeper than a number of levels. Follows them no
 * further than that; of a page of 10,000 rows it takes a 25th of the time of parsing it.
 */
export function isDeeperThan(value: unknown, levels: number): boolean {
  return flawOf(value, levels) === 'deep';
}

function flawOf(value: unknown, levels: number): 'deep' | 'unsafe' | undefined {
  if (typeof value === 'number') {
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? 'unsafe' : undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (levels === 0) return 'deep';
  let flaw: ReturnType<typeof flawOf>;
  if (Array.isArray(value)) {
    for (const entry of value) {
      flaw = flawOf(entry, levels - 1) ?? flaw;
      if (flaw === 'deep') return flaw;
    }
    return flaw;
  }
  const record = value as Record<string, unknown>;
  // Object.values would make a list for each row.
  for (const name in record) {
    flaw = flawOf(record[name], levels - 1) ?? flaw;
    if (flaw === 'deep') return flaw;
  }
  return flaw;
}

function quotedIfUnsafe(part: string): string {
  return /^-?\d{16,}$/.test(part) && !Number.isSafeInteger(Number(part)) ? `"${part}"` : part;
}
