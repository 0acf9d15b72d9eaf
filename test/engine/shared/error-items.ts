/** Failed items: the form in which every n8n from 1.123 on sends them to the error output. */
/**
 * Returns the JSON of a failed item, for `toEqual`. On the error output, n8n adds the input's
 * fields.
 *
 * @param message a text, or a matcher of one; by default any text
 * @param fields fields of `error` in addition to its code and hint
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
