/** How many characters a text has: code points, as JSON Schema counts them, not UTF-16 units. */
export function characterCount(text: string): number {
  return Array.from(text).length;
}
