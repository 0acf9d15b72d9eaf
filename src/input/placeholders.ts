import { readLines } from './host-kinds';

/** In many languages. */
let words: ReadonlySet<string> | undefined;

function loadWords(): ReadonlySet<string> {
  const lines = readLines(require.resolve('./hosts/placeholder-words.txt'));
  return new Set(lines.flatMap((line) => line.split('|')));
}

/** Only dashes, or one repeated character: `-`, `- -`, `xxx`, `000`. */
const ONLY_FILLER = /^(?:[-–—_/\s]+|x+|0+|\.{2,})$/i;
/** Characters that only addresses contain, or a text longer than any placeholder. */
const IS_NONE = /[@:]|^.{40}|\w\.\w\w/s;

/** Expressions that n8n did not evaluate: `{{ $json.website }}`, `$json.website`. */
const EXPRESSION = /^=?(?:\{\{ *\$[^@]*\}\}|\$json\b.*)$/s;
/** Fields of templates that nothing filled in: `${company.website}`. */
const UNFILLED = /^=?\$\{[^@]*\}$/s;
/** Addresses that repeat a placeholder or are single letters: `test@test.de`, `abc@abc.com`, `a@b.com`. */
const REPEATED =
  /^(?:mailto:)?(?:\w@\w|((\w)\2*|abc|xyz|admin|asdf|demo|example|fake|na|none|qwerty|sample|test|testing|user)@\1)(?:\.[a-z]+)+$/i;

export function isExpressionText(text: string): boolean {
  return EXPRESSION.test(text);
}

/** `N/A`, `-`, `(blank)`, `#REF!` */
export function isPlaceholderText(text: string): boolean {
  if (isExpressionText(text) || UNFILLED.test(text) || REPEATED.test(text)) return true;
  if (IS_NONE.test(text)) return false;
  if (ONLY_FILLER.test(text)) return text !== '';
  const plain = text
    .toLowerCase()
    .replace(/^[\s"'“”‘’([{<*_-]+|[\s"'“”‘’)\]}>*_!?.-]+$/gu, '')
    .replace(/\s+/g, ' ')
    .replaceAll(' / ', '/');
  words ??= loadWords();
  return words.has(plain);
}
