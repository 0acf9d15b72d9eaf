import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { LIMITS } from '../api/limits';
import { searchTechnologies as search } from '../api/technologies';
import { asError, nodeError } from './failures';
import { openClient } from './open-client';

/** Technologies for a dropdown, while the user types. Free. */
export async function searchTechnologies(
  this: ILoadOptionsFunctions,
  filter?: string,
): Promise<INodeListSearchResult> {
  const q = (filter ?? '').trim().slice(0, LIMITS.technologyQueryLength);
  if (q === '') return { results: [] };
  try {
    const { client } = await openClient(this);
    const { rows } = await search(client, q, LIMITS.pageSize, {});
    return {
      results: rows.map((row) => ({
        name: [row.display_name, row.vendor_name].filter(Boolean).join(' – '),
        value: String(row.tech_key),
      })),
    };
  } catch (error) {
    throw nodeError(this.getNode(), asError(error), 0);
  }
}
