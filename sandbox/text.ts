/** Counts the characters of a text: code points, like JSON Schema, instead of UTF-16 code units. */
export function characterCount(text: string): number {
  return Array.from(text).length;
}
