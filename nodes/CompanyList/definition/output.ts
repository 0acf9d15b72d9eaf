import type { IDataObject } from 'n8n-workflow';

import type { SavedDefinition } from '../../../src/api/lists/definitions';
import type { Output } from '../../../src/n8n/per-item/per-item';

/** A list's definition as an item, of which Replace takes the `definition` as it is. */
export function definitionOutput(listId: string, { definition, beside }: SavedDefinition): Output {
  return { json: { list_id: listId, ...beside, definition: definition as IDataObject | null } };
}
