import { toApiErrorCode } from './error-codes';
import { truncateText, isDeeperThan, isRow } from './values';

/** Contents of an error body, whatever its shape. */
export interface ErrorBody {
  /** The code, spelled as in the API spec if it is listed there; any other code as it arrived. */
  readonly code: string | undefined;
  readonly message: string | undefined;
  /** The other fields of the error object, unchanged; very long fields are omitted. */
  readonly fields: Record<string, unknown>;
  /** Form of the body. A service sends JSON; a page comes from another system in between. */
  readonly format: 'json' | 'page' | 'text';
}

const MAX_MESSAGE_LENGTH = 500;
const MAX_FIELD_LENGTH = 500;
const MAX_FIELDS = 20;
const MAX_CODE_LENGTH = 80;
const MAX_DEPTH = 3;
/** Maximum nesting depth of kept fields, because nobody reads deeper ones. */
const MAX_FIELD_LEVELS = 10;
const MAX_PROBLEMS = 5;
const CODE = /^[a-z0-9]+(?:[_.-][a-z0-9]+)*$/i;
const TITLE = /<title[^>]*>([^<]{1,500})/i;
/** Number of characters of a page that are searched for its title. */
const MAX_PAGE_LENGTH = 20_000;

/**
 * Reads an error body. The API spec shows two shapes, `{error, message, …}` and
 * `{detail: {error, message, …}}`, and says that the shape shared by all endpoints is not shown
 * (API spec: Errors). So the function also reads what frameworks send: a code or a sentence under
 * `error` or `detail` (FastAPI), `{error: {code, message}}`, lists of problems (FastAPI, Rails,
 * Laravel) and problem details (RFC 9457). From a web page, it reads only the title.
 *
 * @param text Body as it arrived.
 */
export function readErrorBody(text: string): ErrorBody {
  const trimmed = text.trim();
  let parsed: unknown;
  try {
    parsed = JSON.parse(trimmed);
  } catch {
    const isPage = trimmed.startsWith('<');
    const title = TITLE.exec(trimmed.slice(0, MAX_PAGE_LENGTH))?.[1];
    return {
      code: toApiErrorCode(trimmed),
      message: truncateMessage(firstText(isPage ? title : trimmed)),
      fields: {},
      format: isPage ? 'page' : 'text',
    };
  }
  const { code, ...body } = readValue(parsed, 0);
  return { ...body, code: toApiErrorCode(code) ?? code, format: 'json' };
}

/** Returns whether a response without a result states an error. */
export function isErrorBody(json: unknown): boolean {
  if (!isRow(json)) return false;
  const { error, errors, success, ok } = json;
  const isFilled = (value: unknown) =>
    typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);
  return isFilled(error) || isFilled(errors) || success === false || ok === false;
}

type ErrorValue = Omit<ErrorBody, 'format'>;

function readValue(value: unknown, depth: number): ErrorValue {
  if (typeof value === 'string') return readCodeOrMessage(value);
  if (Array.isArray(value)) return readProblems(value);
  if (!isRow(value) || depth > MAX_DEPTH) {
    return { code: undefined, message: undefined, fields: {} };
  }
  const { error, errors, detail, message, code, error_code, title, ...fields } = value;
  const inner = [error, detail, isRow(errors) ? listProblems(errors) : errors]
    .filter((candidate) => candidate !== undefined && candidate !== null)
    .map((candidate) => readValue(candidate, depth + 1));
  const codes = [
    code,
    error_code,
    ...inner.map((body) => body.code),
    readProblemType(fields.type),
  ].filter((one): one is string => typeof one === 'string' && one !== '');
  // A generic code can stand next to the specific one: `{ error: "bad_request", errors: [{ code }] }`.
  const known = codes.find((one) => toApiErrorCode(one) !== undefined);
  return {
    code: (known ?? codes[0])?.slice(0, MAX_CODE_LENGTH),
    message: truncateMessage(firstText(message, ...inner.map((body) => body.message), title)),
    fields: Object.assign({}, ...inner.map((body) => body.fields), limitFields(fields)) as Record<
      string,
      unknown
    >,
  };
}

/** Converts `{ domains: ["too many"] }` to problems that name their field; returns anything else unchanged. */
function listProblems(errors: Record<string, unknown>): unknown {
  const lists = Object.entries(errors).filter(([, list]) => Array.isArray(list));
  if (lists.length === 0) return errors;
  return lists.flatMap(([field, list]) =>
    (list as unknown[]).map((problem) => ({
      loc: [field],
      ...(isRow(problem) ? problem : { msg: problem }),
    })),
  );
}

/** Returns the last part of a problem's `type` URI (RFC 9457); undefined if there is none. */
function readProblemType(type: unknown): string | undefined {
  if (typeof type !== 'string' || type === 'about:blank') return undefined;
  const word = type.split(/[/:#]/).findLast((part) => part !== '') ?? type;
  return CODE.test(word) ? word : undefined;
}

/** Returns the small fields only, because kept fields end up in every row of a failed batch. */
function limitFields(fields: Record<string, unknown>): Record<string, unknown> {
  const short: Array<[string, unknown]> = [];
  for (const [name, value] of Object.entries(fields)) {
    if (short.length === MAX_FIELDS) break;
    if (isDeeperThan(value, MAX_FIELD_LEVELS)) continue;
    if (`${name}${JSON.stringify(value)}`.length <= MAX_FIELD_LENGTH) short.push([name, value]);
  }
  return Object.fromEntries(short);
}

/** Reads a string as a code (`company_not_found`) or as a message ("No such company"). */
function readCodeOrMessage(text: string): ErrorValue {
  const isCode = CODE.test(text) && /[_a-z]/i.test(text) && text.length <= MAX_CODE_LENGTH;
  return isCode
    ? { code: text, message: undefined, fields: {} }
    : { code: undefined, message: truncateMessage(text), fields: {} };
}

function readProblems(problems: readonly unknown[]): ErrorValue {
  const rows = problems.slice(0, MAX_PROBLEMS);
  const messages = rows
    .map((problem) => {
      if (typeof problem === 'string') return problem;
      if (!isRow(problem)) return undefined;
      const text = firstText(problem.msg, problem.message, problem.detail, problem.title);
      const place = formatLocation(problem.loc);
      return text !== undefined && place !== undefined ? `${place}: ${text}` : text;
    })
    .filter((text) => text !== undefined);
  const codes = rows.filter(isRow).flatMap(({ code, type }) => [code, type]);
  return {
    code: codes.find((code): code is string => toApiErrorCode(code) !== undefined),
    message: messages.length > 0 ? truncateMessage(messages.join('; ')) : undefined,
    fields: {},
  };
}

function formatLocation(loc: unknown): string | undefined {
  if (!Array.isArray(loc)) return undefined;
  return loc.filter((part) => typeof part === 'string' || typeof part === 'number').join('.');
}

function firstText(...candidates: unknown[]): string | undefined {
  return candidates.find(
    (candidate): candidate is string => typeof candidate === 'string' && candidate.trim() !== '',
  );
}

function truncateMessage(text: string | undefined): string | undefined {
  return text === undefined ? undefined : truncateText(text.trim(), MAX_MESSAGE_LENGTH);
}
