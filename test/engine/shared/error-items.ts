/** The shape of failed items, stated once: what every n8n from 1.123 on sends to the error output. */
import type { IDataObject } from 'n8n-workflow';

/**
 * The JSON of a failed item, for `toEqual`. On the error output n8n adds the input's fields to it.
 *
 * @param message a text or a matcher of one; any text if left out
 * @param fields what `error` has to say beside its code and a hint
 */
export function errorItemOf(
  code: string,
  message: unknown = expect.any(String),
  fields: Readonly<Record<string, unknown>> = {},
): { error: unknown; message: unknown } {
  return {
    error: expect.objectContaining({ code, hint: expect.any(String), ...fields }),
    message,
  };
}

/** The code of an item's error; undefined for a good item. */
export function codeOf({ error }: IDataObject): unknown {
  return (error as IDataObject | undefined)?.['code'];
}
