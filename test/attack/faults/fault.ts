/** What a fault is, and how most of them are made. */
import type { Blow, Front, Strike } from '../service/front';

/** Something that goes wrong between the node and the service. */
export interface Fault {
  readonly name: string;
  readonly strike: Strike;
  /** Nothing it answers could be a result: no item may come out as one. */
  readonly hopeless?: true;
  /** The field of a result that it may answer after all: a bare id, an empty definition. */
  readonly butFor?: string | undefined;
  /** For operations with such parameters it is an answer all the same: an empty list, a flag without an id. */
  readonly enoughFor?: RegExp;
  /** Only Request Timeout ends it, which is as short as it may be. Elsewhere a busy machine may take longer. */
  readonly hangs?: true;
  /** What succeeds all the same is what would have come without it. */
  readonly same?: true;
  /** It lies about how many pages there are; no request fails. */
  readonly paging?: true;
  /** Its rows look like the same one: a list of several pages reads one more, to see whether there are others. */
  readonly alike?: true;
  /** Lists may rightly come out shorter than usual, or empty. */
  readonly fewerRows?: true;
  /** The Base URL to use instead of the front's. */
  readonly baseUrl?: (front: Front) => string;
}

/** Faults that have the same in common, by their names. */
export function faultsThat(
  traits: Omit<Fault, 'name' | 'strike'>,
  strikes: Readonly<Record<string, Strike>>,
): Fault[] {
  return Object.entries(strikes).map(([name, strike]) => ({ name, strike, ...traits }));
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const HTML_TYPE = { 'content-type': 'text/html; charset=utf-8' };

/** The same answer to every request. */
export function answer(
  status: number,
  body: unknown,
  headers: Record<string, string | number> = {},
): Strike {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return ({ reply }) => {
    reply(status, { ...JSON_TYPE, ...headers }, text);
  };
}

export function page(status: number, title: string, headers: Record<string, string> = {}): Strike {
  const text = `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`;
  return answer(status, text, { ...HTML_TYPE, ...headers });
}

/** A refusal in the interface's usual shape. */
export function refusal(status: number, error: string, more: Record<string, unknown> = {}): Strike {
  return answer(status, { error, message: 'The service says no.', ...more });
}

/** The service's own answer, as it is. */
export async function healthy({ real, reply }: Blow): Promise<void> {
  const { status, headers, body } = await real();
  reply(status, headers, body);
}

/** Strikes some requests, counted from 1; the others get the service's own answer. */
export function some(strike: Strike, which: (number: number) => boolean): Strike {
  return async (blow) => {
    await (which(blow.asked.number) ? strike(blow) : healthy(blow));
  };
}

export function first(strike: Strike): Strike {
  return some(strike, (number) => number === 1);
}

/** Lets the service process the request, then spoils its answer if that is a success. */
export function after(strike: (blow: Blow, body: string) => void | Promise<void>): Strike {
  return async (blow) => {
    const { status, headers, body } = await blow.real();
    if (status < 300) await strike(blow, body);
    else blow.reply(status, headers, body);
  };
}

/** The service's own answer with its text changed. */
export function rewrite(change: (text: string, blow: Blow) => string | Buffer): Strike {
  return async (blow) => {
    const { status, headers, body } = await blow.real();
    blow.reply(status, headers, status < 300 ? change(body, blow) : body);
  };
}

/** The service's own answer, changed as a value; what is not JSON stays as it is. */
export function spoil(change: (value: unknown, blow: Blow) => unknown): Strike {
  return rewrite((text, blow) => {
    try {
      return JSON.stringify(change(JSON.parse(text), blow));
    } catch {
      return text;
    }
  });
}

type Json = Record<string, unknown>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Changes every object inside a value, innermost first. */
export function everyObject(value: unknown, change: (object: Json) => unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => everyObject(entry, change));
  if (!isObject(value)) return value;
  return change(
    Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, everyObject(inner, change)]),
    ),
  );
}

/** Changes every value that is no object and no array. */
export function everyLeaf(
  value: unknown,
  change: (leaf: unknown, name: string) => unknown,
  name = '',
): unknown {
  if (Array.isArray(value)) return value.map((entry) => everyLeaf(entry, change, name));
  if (!isObject(value)) return change(value, name);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, everyLeaf(inner, change, key)]),
  );
}

/** Changes every list of an answer: those directly in it, or the answer itself. */
export function everyList(value: unknown, change: (rows: unknown[]) => unknown): unknown {
  if (Array.isArray(value)) return change(value);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      Array.isArray(inner) ? change(inner) : inner,
    ]),
  );
}

/** Sets fields of an answer's pagination, where it has one. */
export function paginated(change: (pagination: Json) => Json): Strike {
  return spoil((value) => {
    if (!isObject(value)) return value;
    const { pagination } = value;
    if (isObject(pagination)) return { ...value, pagination: change(pagination) };
    return 'total_count' in value
      ? { ...value, ...change({ total_count: value['total_count'] }) }
      : value;
  });
}

/** `[[[…]]]` as text: too deep for `JSON.stringify`. */
export function nested(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}
