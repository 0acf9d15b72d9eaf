import type { SavedDefinition } from '../../../src/api/lists/definitions';
import type { Row } from '../../../src/run/answers/rows';

/** A list's definition as an item, of which Replace takes the `definition` as it is. */
export function definitionJson(listId: string, { definition, beside }: SavedDefinition): Row {
  return { list_id: listId, ...beside, definition };
}
