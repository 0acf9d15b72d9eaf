import { NotFoundError, ServiceError } from '../client/errors';
import type { Client } from '../client/client';
import { LIMITS } from './limits';
import type { ApiOptions } from './options';
import { searchTechnologies } from './technologies';

const SUGGESTIONS = 3;
/** Typing errors are rare in the first letters of a word. */
const BEGINNING = 4;

/**
 * Asks about a technology and, when the service does not know its key, names those it may have been
 * meant for. The search is free.
 *
 * @throws {NotFoundError} `technology_not_found`, with `did_you_mean` in its details.
 */
export async function withSuggestions<T>(
  client: Client,
  techKey: string,
  options: ApiOptions,
  ask: () => Promise<T>,
): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof NotFoundError) || error.code !== 'technology_not_found') throw error;
    const keys = await similarKeys(client, techKey, options);
    if (keys.length === 0) throw error;
    throw new NotFoundError({
      code: error.code,
      message: `${error.message}. Did you mean ${keys.map((key) => `"${key}"`).join(', ')}?`,
      hint: error.hint,
      ...(error.status === undefined ? {} : { status: error.status }),
      details: { ...error.details, did_you_mean: keys },
    });
  }
}

async function similarKeys(
  client: Client,
  techKey: string,
  options: ApiOptions,
): Promise<string[]> {
  const words = techKey.split('-').filter((word) => word.length > 2);
  // The whole name first, then its words, then their beginnings: "google-analitics" is still found by
  // "google", and "hubspt" by "hubs".
  const beginnings = words.map((word) => word.slice(0, BEGINNING));
  const queries = new Set([words.join(' '), ...words, ...beginnings]);
  for (const q of [...queries].filter((text) => text !== '')) {
    try {
      const { rows } = await searchTechnologies(
        client,
        q.slice(0, LIMITS.technologyQueryLength),
        SUGGESTIONS,
        options,
      );
      const keys = rows.map((row) => row.tech_key).filter((key) => typeof key === 'string');
      if (keys.length > 0) return keys;
    } catch (error) {
      // The question was answered already; a failing suggestion must not hide the answer.
      if (!(error instanceof ServiceError)) throw error;
      return [];
    }
  }
  return [];
}
