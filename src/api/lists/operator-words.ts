/** Operators in words, by the keys that are common; see {@link operatorInWords}. */
const WORDS: ReadonlyArray<readonly [keys: RegExp, words: string]> = [
  [/^(eq|equals?|is|==?)$/, 'Is'],
  [/^(neq?|not_equals?|not_equal|is_not|!=|<>)$/, 'Is Not'],
  [/^(in|any_of|one_of|is_any_of|is_one_of)$/, 'Is One Of'],
  [/^(not_in|nin|none_of|is_none_of)$/, 'Is None Of'],
  [/^(gte|ge|>=|min|at_least)$/, 'Is at Least'],
  [/^(lte|le|<=|max|at_most)$/, 'Is at Most'],
  [/^(gt|>|greater_than|more_than)$/, 'Is More Than'],
  [/^(lt|<|less_than)$/, 'Is Less Than'],
];

/**
 * What the editor calls an operator. A label of the catalogue counts, as long as it is no key.
 *
 * @param key what definitions call it.
 * @param label what the catalogue calls it; the key where it has nothing else.
 */
export function operatorInWords(key: string, label: string): string {
  if (label !== key) return label;
  const known = WORDS.find(([keys]) => keys.test(key.toLowerCase()));
  return known?.[1] ?? spelledOut(key);
}

/** `starts_with` as `Starts With`; what is no word stays. */
function spelledOut(key: string): string {
  return key
    .split(/[_\s-]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}
