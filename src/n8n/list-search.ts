import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { LIMITS } from '../api/limits';
import { idOfList, listLists } from '../api/lists/lists';
import { searchTechnologies as search } from '../api/technologies';
import type { Client } from '../client/client';
import { asError, nodeError } from './failures';
import { openClient } from './open-client';

/** Technologies for a dropdown, while the user types. Free. */
export async function searchTechnologies(
  this: ILoadOptionsFunctions,
  filter?: string,
): Promise<INodeListSearchResult> {
  const q = (filter ?? '').trim().slice(0, LIMITS.technologyQueryLength);
  if (q === '') return { results: [] };
  return await forDropdown(this, async (client) => {
    const { rows } = await search(client, q, LIMITS.pageSize, {});
    return {
      results: rows.map((row) => ({
        name: [row.display_name, row.vendor_name].filter(Boolean).join(' – '),
        value: String(row.tech_key),
      })),
    };
  });
}

/** Saved lists for a dropdown, by name, each with what the user may do with it. Free. */
export async function searchLists(
  this: ILoadOptionsFunctions,
  filter?: string,
): Promise<INodeListSearchResult> {
  return await forDropdown(this, async (client) => {
    const { rows } = await listLists(client, undefined, {});
    const text = (filter ?? '').trim().toLowerCase();
    const entries = rows.flatMap((list) => {
      const id = idOfList(list);
      if (id === undefined) return [];
      const name = typeof list.name === 'string' && list.name !== '' ? list.name : id;
      const level = typeof list.access_level === 'string' ? ` (${list.access_level})` : '';
      return [{ name: `${name}${level}`, value: id }];
    });
    return {
      results: entries
        .filter(({ name, value }) => `${name}\n${value}`.toLowerCase().includes(text))
        .sort((a, b) => a.name.localeCompare(b.name)),
    };
  });
}

/** Asks the service for a dropdown's entries; what goes wrong is shown in the dropdown. */
export async function forDropdown<T>(
  context: ILoadOptionsFunctions,
  ask: (client: Client) => Promise<T>,
): Promise<T> {
  try {
    const { client } = await openClient(context);
    return await ask(client);
  } catch (error) {
    throw nodeError(context.getNode(), asError(error), 0);
  }
}
