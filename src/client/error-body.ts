import { interfaceCodeOf, lastPartOf, type InterfaceCode } from './codes';
import { cut, isDeeperThan, isRow } from './values';

/** What an error body says, whatever its shape. */
export interface ErrorBody {
  /** As the interface writes it, where it is one of the interface's; any other as it came. */
  readonly code: string | undefined;
  readonly message: string | undefined;
  /** The other fields of the error object, kept as they came unless they are very long. */
  readonly fields: Record<string, unknown>;
  /** It is a web page. */
  readonly isPage?: true;
}

const MAX_MESSAGE_LENGTH = 500;
const MAX_FIELD_LENGTH = 500;
const MAX_FIELDS = 20;
const MAX_CODE_LENGTH = 80;
const MAX_DEPTH = 3;
/** Nobody reads fields that are nested deeper. */
const MAX_FIELD_LEVELS = 10;
/** What is searched of a page for its text. */
const MAX_PAGE_LENGTH = 20_000;
const MAX_PROBLEMS = 5;
/** Values and lists that are looked through. */
const MAX_PLACES = 200;
/** Names under which bodies carry codes; see {@link Place.name}. */
const CODE_NAMES = [
  'code',
  'errorcode',
  'error',
  'errors',
  'errortype',
  'type',
  'reason',
  'status',
  'detail',
  'details',
  'message',
  'msg',
  'title',
  'name',
];
const CODE = /^[a-z0-9]+(?:[_.-][a-z0-9]+)*$/i;

/**
 * Reads an error body tolerantly. The interface shows two shapes, `{error, message, …}` and
 * `{detail: {error, message, …}}`, and says that the shape shared by all endpoints is not shown
 * (interface: Errors); so strings, nested objects, lists of problems and HTML are understood too. A code that the interface
 * knows is found wherever it is.
 *
 * @param text the body as it arrived.
 */
export function readErrorBody(text: string): ErrorBody {
  const trimmed = text.trim();
  if (trimmed === '') return { code: undefined, message: undefined, fields: {} };
  let parsed: unknown;
  try {
    parsed = JSON.parse(trimmed);
  } catch {
    const message = shorten(plainText(trimmed));
    const page = { code: interfaceCodeOf(message ?? ''), message, fields: {} };
    return /^<(?:!doctype|html)/i.test(trimmed) ? { ...page, isPage: true } : page;
  }
  const body = readValue(parsed, 0);
  return { ...body, code: interfaceCodeIn(parsed) ?? body.code };
}

/** Whether an object is an error, by the status that it names itself. */
export function saysRefused(json: unknown): boolean {
  if (!isRow(json)) return false;
  const said = [json.statusCode, json.status_code, json.status, json.code].map(Number);
  return said.some((status) => status >= 400 && status < 600);
}

/** Whether an answer without a result says why there is none. */
export function saysError(json: unknown): boolean {
  if (!isRow(json)) return false;
  const { error, errors, success, ok } = json;
  const isSaid = (value: unknown) =>
    typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);
  return saysRefused(json) || isSaid(error) || isSaid(errors) || success === false || ok === false;
}

interface Place {
  /** The field it stands in, without capitals, hyphens and underscores. */
  readonly name: string;
  readonly value: unknown;
  readonly depth: number;
}

/** A body and what is in it, the least deep first, as far as it is worth looking through. */
function placesIn(body: unknown, isLeftOut: (name: string) => boolean = () => false): Place[] {
  const places: Place[] = [{ name: 'error', value: body, depth: 0 }];
  // Grows while it is gone through.
  for (const { name, value, depth } of places) {
    if (depth > MAX_DEPTH) continue;
    const inner = Array.isArray(value)
      ? value.map((entry: unknown) => [name, entry] as const)
      : Object.entries(isRow(value) ? value : {})
          .filter(([key]) => !isLeftOut(plainName(key)))
          // What is in a list under the name of a field is about that field.
          .map(
            ([key, entry]) =>
              [Array.isArray(entry) && name === 'errors' ? name : plainName(key), entry] as const,
          );
    const room = MAX_PLACES - places.length;
    places.push(
      ...inner
        .slice(0, room)
        .map(([one, entry]) => ({ name: one, value: entry, depth: depth + 1 })),
    );
  }
  return places;
}

/** The first of the interface's codes in a body, the least deep one. */
function interfaceCodeIn(body: unknown): InterfaceCode | undefined {
  for (const { name, value } of placesIn(body)) {
    if (typeof value !== 'string' || !CODE_NAMES.includes(name)) continue;
    const code = interfaceCodeOf(value);
    if (code !== undefined) return code;
  }
  return undefined;
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}

function readValue(value: unknown, depth: number): ErrorBody {
  if (typeof value === 'string') return readWord(value);
  if (Array.isArray(value)) return readProblems(value);
  if (!isRow(value) || depth > MAX_DEPTH) {
    return { code: undefined, message: undefined, fields: {} };
  }
  const { error, errors, detail, message, code, error_code, errorCode, msg, title, ...fields } =
    value;
  const nested = [message, fields.status].filter(isRow);
  const inner = [error, detail, isRow(errors) ? problemsIn(errors) : errors, ...nested]
    .filter((candidate) => candidate !== undefined && candidate !== null)
    .map((candidate) => readValue(candidate, depth + 1));
  const codes = [code, error_code, errorCode, ...inner.map((body) => body.code)];
  return {
    code: firstText(...codes, typeWord(fields.type))?.slice(0, MAX_CODE_LENGTH),
    message: shorten(firstText(message, msg, ...inner.map((body) => body.message), title)),
    fields: Object.assign({}, ...inner.map((body) => body.fields), bounded(fields)) as Record<
      string,
      unknown
    >,
  };
}

/** `{ domains: ["too many"] }` as problems that name their field; anything else as it is. */
function problemsIn(errors: Record<string, unknown>): unknown {
  const lists = Object.entries(errors).filter(([, list]) => Array.isArray(list));
  if (lists.length === 0) return errors;
  return lists.flatMap(([field, list]) =>
    (list as unknown[]).map((problem) => ({
      loc: [field],
      ...(isRow(problem) ? problem : { msg: problem }),
    })),
  );
}

/** The `type` of a problem (RFC 9457) as a word: the end of its address. */
function typeWord(type: unknown): string | undefined {
  if (typeof type !== 'string' || type === 'about:blank') return undefined;
  const word = lastPartOf(type);
  return CODE.test(word) ? word : undefined;
}

/** What is kept ends up in every row of a failed batch, so it has to stay small. */
function bounded(fields: Record<string, unknown>): Record<string, unknown> {
  const short: Array<[string, unknown]> = [];
  for (const [name, value] of Object.entries(fields)) {
    if (short.length === MAX_FIELDS) break;
    if (isDeeperThan(value, MAX_FIELD_LEVELS)) continue;
    if (`${name}${JSON.stringify(value)}`.length <= MAX_FIELD_LENGTH) short.push([name, value]);
  }
  return Object.fromEntries(short);
}

/** `company_not_found` is a code, "No such company" is a message. */
function readWord(text: string): ErrorBody {
  const isCode = CODE.test(text) && /[_a-z]/i.test(text) && text.length <= MAX_CODE_LENGTH;
  return isCode
    ? { code: text, message: undefined, fields: {} }
    : { code: undefined, message: shorten(text), fields: {} };
}

function readProblems(problems: readonly unknown[]): ErrorBody {
  const messages = problems
    .slice(0, MAX_PROBLEMS)
    .map((problem) => {
      if (typeof problem === 'string') return problem;
      if (!isRow(problem)) return undefined;
      const text = firstText(
        problem.msg,
        problem.message,
        problem.detail,
        problem.reason,
        problem.title,
      );
      const place = placeOf(problem.loc) ?? firstText(problem.name);
      return text !== undefined && place !== undefined ? `${place}: ${text}` : text;
    })
    .filter((text) => text !== undefined);
  return {
    code: undefined,
    message: messages.length > 0 ? shorten(messages.join('; ')) : undefined,
    fields: {},
  };
}

function placeOf(loc: unknown): string | undefined {
  if (!Array.isArray(loc)) return undefined;
  return loc.filter((part) => typeof part === 'string' || typeof part === 'number').join('.');
}

function firstText(...candidates: unknown[]): string | undefined {
  return candidates.find(
    (candidate): candidate is string => typeof candidate === 'string' && candidate.trim() !== '',
  );
}

/**
 * The text of a page without its tags, scripts and styles. Each part of the page is looked at once,
 * whatever is in it: a pattern that finds a beginning and its end looks for the end from every
 * beginning again.
 */
function plainText(page: string): string {
  const parts = page.slice(0, MAX_PAGE_LENGTH).split('<');
  let silent: string | undefined;
  const texts = parts.map((part, index) => {
    if (index === 0) return part;
    const [, slash = '', tag = ''] = /^(\/?)([a-z]*)/i.exec(part) ?? [];
    const name = tag.toLowerCase();
    const end = part.indexOf('>');
    if (silent !== undefined) {
      if (slash === '' || name !== silent) return '';
      silent = undefined;
    } else if (slash === '' && (name === 'script' || name === 'style')) {
      silent = name;
      return '';
    }
    return end === -1 ? `<${part}` : part.slice(end + 1);
  });
  const said = texts.map((text) => text.replace(/\s+/g, ' ').trim()).filter((text) => text !== '');
  const [title = ''] = said;
  // The heading mostly says once more what the title says.
  const isTitle = (text: string) => title.includes(text) && 2 * text.length > title.length;
  return said.filter((text, index) => index === 0 || !isTitle(text)).join(' ');
}

function shorten(text: string | undefined): string | undefined {
  return text === undefined ? undefined : cut(text, MAX_MESSAGE_LENGTH);
}

/** Fields that repeat the request or number the answer. */
const SAYS_NOTHING = /^(path|url|uri|instance|type|status|statuscode|timestamp|method|.*id)$/;

/** What routers, gateways and proxies speak of when they do not know an address. */
const OF_AN_ADDRESS =
  /\b(endpoint|route|routes|router|url|uri|path|page|handler|method|cannot (get|post|put|patch|delete))\b/i;

/** What is said of anything that is not found. */
const OF_ANYTHING =
  /\b(not|found|404|http|error|errors|resource|object|item|entity|the|that|this|a|an|requested|request|what|you|asked|for|could|can|be|is|was|does|exist|exists|no|such|sorry|unknown|code|title|detail|nil|none|match|matches|given|query)\b|[\W_\d]/gi;

/**
 * Whether a 404 without a known code is the service's own answer about what was asked for. One from
 * a wrong address is a page, is empty, speaks of an address, or says no more than "not found".
 *
 * @param text the body as it arrived.
 */
export function isAboutWhatWasAsked(text: string): boolean {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return false;
  }
  const said = placesIn(body, (name) => SAYS_NOTHING.test(name))
    .map(({ value }) => (typeof value === 'string' ? value : ''))
    .join(' ')
    .replace(/([a-z])_/g, '$1 ');
  return !OF_AN_ADDRESS.test(said) && said.replace(OF_ANYTHING, '') !== '';
}
