/** A whole number, also as text (`"1,234"`, `"150"`); undefined for anything else. */
export function countOf(value: unknown, min = 0): number | undefined {
  const text =
    typeof value === 'string' ? value.trim().replace(/(?<=\d),(?=\d{3}(?:,|$))/g, '') : '';
  const count = /^\d+$/.test(text) ? Number(text) : value;
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= min
    ? count
    : undefined;
}
