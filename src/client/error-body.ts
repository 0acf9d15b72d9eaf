import { isJsonObject, type Row } from '../values/json';
import { truncateText } from '../values/text';

export interface ErrorBody {
  readonly code: string | undefined;
  readonly message: string | undefined;
  /** The other fields of the error object that are short texts, numbers and booleans. */
  readonly fields: Record<string, unknown>;
  /** A service sends JSON; a page comes from another system in between. */
  readonly format: 'json' | 'page' | 'text';
}

/** Length of a body that is read; a longer one is shown as text. */
const MAX_LENGTH = 1024 * 1024;
const MAX_TEXT_LENGTH = 500;
const MAX_FIELDS = 20;
const MAX_PROBLEMS = 5;
const CODE = /^(?=.*[a-z])[a-z0-9]+(?:[_.-][a-z0-9]+)*$/i;
const MAX_CODE_LENGTH = 80;
const TITLE = /<title[^>]*>([^<]{1,500})/i;

/**
 * Reads an error body in the two shapes of the API spec (Errors), `{error, message, …}` and
 * `{detail: {error, message, …}}`, in FastAPI's, `{detail: "…"}` and `{detail: [{loc, msg}]}`, and in
 * those of other frameworks, `{error: {code, message, …}}` and `{errors: [{code, title, detail, …}]}`.
 */
export function readErrorBody(text: string): ErrorBody {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text.slice(0, MAX_LENGTH));
  } catch {
    const isPage = text.trimStart().startsWith('<');
    const shown = isPage ? TITLE.exec(text.slice(0, 20_000))?.[1] : text;
    const format = isPage ? 'page' : 'text';
    return { code: undefined, message: toMessage(shown), fields: {}, format };
  }
  const body = ENVELOPES.reduce(unwrap, isJsonObject(parsed) ? parsed : { detail: parsed });
  const { error, message, code: ownCode, title, detail, ...fields } = body;
  const code = [error, ownCode, detail, title].find(isCode);
  const sentences = [
    message,
    formatProblems(detail),
    title,
    code === undefined ? error : undefined,
  ];
  return {
    code,
    message: sentences.map(toMessage).find((text) => text !== undefined && text !== code),
    fields: limitFields(fields),
    format: 'json',
  };
}

const ENVELOPES = ['detail', 'error', 'errors'] as const;

function unwrap(body: Row, name: (typeof ENVELOPES)[number]): Row {
  const { [name]: outer, ...rest } = body;
  const inner: unknown = name === 'errors' && Array.isArray(outer) ? outer[0] : outer;
  return isJsonObject(inner) ? { ...rest, ...inner } : body;
}

/** Distinguishes a code (`company_not_found`) from a sentence ("No such company"). */
function isCode(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_CODE_LENGTH && CODE.test(value);
}

/** Joins the problems that FastAPI lists for an invalid request; returns anything else unchanged. */
function formatProblems(detail: unknown): unknown {
  if (!Array.isArray(detail)) return detail;
  return detail
    .slice(0, MAX_PROBLEMS)
    .filter(isJsonObject)
    .map(({ loc, msg }) => (Array.isArray(loc) ? `${loc.join('.')}: ${String(msg)}` : String(msg)))
    .join('; ');
}

/** Returns the short fields only, because kept fields end up in every row of a failed batch. */
function limitFields(fields: Record<string, unknown>): Record<string, unknown> {
  const short = Object.entries(fields).filter(([name, value]) => {
    const isShown = ['string', 'number', 'boolean'].includes(typeof value);
    return isShown && `${name}${String(value)}`.length <= MAX_TEXT_LENGTH;
  });
  return Object.fromEntries(short.slice(0, MAX_FIELDS));
}

function toMessage(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' ? undefined : truncateText(text, MAX_TEXT_LENGTH);
}
