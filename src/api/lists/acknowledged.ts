import { isRow, type Row } from '../rows';
import { rowAnywhere } from '../rows-anywhere';

/**
 * Reads the answer to a change of which the interface does not show the answer: the object it is
 * about, or nothing. The status has said already that the change was made.
 *
 * @param has fields of which the object has one.
 */
export function acknowledged(json: unknown, has: readonly string[]): Row {
  return isRow(json) ? rowAnywhere(json, has) : {};
}
