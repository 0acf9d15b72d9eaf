import { NotFoundError, ServiceError } from '../client/errors';
import { isTechKey, createInvalidTechKeyError } from '../input/inputs';
import { LIMITS } from '../input/limits';
import { quote } from '../input/quote';
import type { Run } from '../run/run';
import { readEndpointRows } from './endpoint';
import { api } from './endpoints';

/**
 * Refuses a text that cannot be a tech key, and suggests similar keys. The search is free.
 *
 * @throws {InputError} when the text does not have the form of a key.
 */
export async function assertTechKey(run: Run, text: string): Promise<void> {
  if (!isTechKey(text)) throw createInvalidTechKeyError(text, await findSimilarKeys(run, text));
}

const SUGGESTIONS = 3;
/** Typing errors are rare in the first letters of a word. */
const BEGINNING = 4;

/**
 * Requests data about a technology and, if the service does not know its key, suggests similar keys.
 * The search is free.
 *
 * @throws {NotFoundError} `technology_not_found`, when the key is unknown; suggestions are in
 * `did_you_mean` of its details.
 */
export async function withSuggestions<T>(
  run: Run,
  techKey: string,
  send: () => Promise<T>,
): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof NotFoundError) || error.code !== 'technology_not_found') throw error;
    const keys = await findSimilarKeys(run, techKey);
    if (keys.length === 0) throw error;
    throw error.copyWith({
      message: `${error.message}. Did you mean ${keys.map(quote).join(', ')}?`,
      details: { ...error.details, did_you_mean: keys },
    });
  }
}

async function findSimilarKeys(run: Run, techKey: string): Promise<string[]> {
  const words = techKey
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2);
  // The search tries the whole name, then its words, then their beginnings: for "google-analitics",
  // "google" still finds keys, and for "hubspt", "hubs" does.
  const beginnings = words.map((word) => word.slice(0, BEGINNING));
  const queries = new Set([words.join(' '), ...words, ...beginnings]);
  for (const q of [...queries].filter((text) => text !== '')) {
    try {
      const text = q.slice(0, LIMITS.technologyQueryLength);
      const { rows } = await readEndpointRows(
        run,
        api.technologies,
        { q: text },
        { wanted: SUGGESTIONS },
      );
      const keys = rows.map((row) => row.tech_key).filter((key) => typeof key === 'string');
      if (keys.length > 0) return keys;
    } catch (error) {
      // The request already has its result, which a failing search for suggestions must not hide.
      if (!(error instanceof ServiceError)) throw error;
      return [];
    }
  }
  return [];
}
