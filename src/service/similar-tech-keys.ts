import { NotFoundError, ServiceError } from '../client/errors';
import { LIMITS } from '../input/limits';
import { quote } from '../values/text';
import type { Run } from '../run/run';
import { readEndpointRows } from './endpoint';
import { api } from './endpoints';

const SUGGESTIONS = 3;
/** Typing errors are rare in the first letters of a word. */
const BEGINNING = 4;

/** Suggests similar keys, by a free search, in `did_you_mean` of the details of `technology_not_found`. */
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
  // The whole name, then its words, then their beginnings: for "hubspt", "hubs" finds keys.
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
      // A failing search for suggestions must not hide the result that the request has.
      if (!(error instanceof ServiceError)) throw error;
      return [];
    }
  }
  return [];
}
