/** The type of a fault, and helpers to make faults. */
import { isJsonObject } from '../../../src/values/json';
import type { Blow, Front, Strike } from '../service/front';

/** A failure between the node and the service, and what a node can do about it. */
export interface Fault {
  readonly name: string;
  readonly strike: Strike;
  /** No response can be a result, so the node must not output one. */
  readonly hopeless?: true;
  /** The one field that a result may still contain, such as an ID or an empty definition. */
  readonly butFor?: string | undefined;
  /**
   * For operations with a parameter that matches, the
   * response is valid: an empty list, a flag without an ID.
   */
  readonly enoughFor?: RegExp;
  /**
   * Only the timeout of requests ends the fault, so it is 1 s in its cells. A short timeout for
   * other faults would fail on a busy machine.
   */
  readonly hangs?: true;
  /** Every result that still arrives must equal the result without the fault. */
  readonly same?: true;
  /** The responses report a wrong number of pages; no request fails. */
  readonly paging?: true;
  /**
   * All rows look the same. A list of several pages then
   * reads one more row, to see whether others follow.
   */
  readonly alike?: true;
  /** A list may have fewer rows than usual, or none. */
  readonly fewerRows?: true;
  /** Returns the Base URL to use instead of the front's. */
  readonly baseUrl?: (front: Front) => string;
}

type Trait = 'hopeless' | 'hangs' | 'same' | 'paging' | 'alike' | 'fewerRows';

/** Returns faults with the same traits, one for each named strike. */
export function faultsThat(
  traits: readonly Trait[],
  strikes: Readonly<Record<string, Strike>>,
  more: Pick<Fault, 'butFor' | 'enoughFor'> = {},
): Fault[] {
  const its = Object.fromEntries(traits.map((trait) => [trait, true] as const));
  return Object.entries(strikes).map(([name, strike]) => ({ name, strike, ...its, ...more }));
}

/** Returns one named strike for each value. */
export function forEach<T>(
  values: readonly T[],
  make: (value: T) => [name: string, strike: Strike],
): Record<string, Strike> {
  return Object.fromEntries(values.map(make));
}

/** Sends the same response to every request. */
export function answer(
  status: number,
  body: unknown,
  headers: Record<string, string | number> = {},
): Strike {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return ({ reply }) => {
    reply(status, { 'content-type': 'application/json; charset=utf-8', ...headers }, text);
  };
}

export function page(status: number, title: string, headers: Record<string, string> = {}): Strike {
  const text = `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`;
  return answer(status, text, { 'content-type': 'text/html; charset=utf-8', ...headers });
}

/** Sends a refusal in the usual shape of the API spec. */
export function refusal(status: number, error: string, more: Record<string, unknown> = {}): Strike {
  return answer(status, { error, message: 'The service says no.', ...more });
}

/** Sends the service's own response unchanged. */
export async function healthy({ real, reply }: Blow): Promise<void> {
  const { status, headers, body } = await real();
  reply(status, headers, body);
}

/** Applies a strike to some requests, counted from 1; the others get the service's own response. */
export function some(strike: Strike, which: (number: number) => boolean): Strike {
  return async (blow) => {
    await (which(blow.asked.number) ? strike(blow) : healthy(blow));
  };
}

export function first(strike: Strike): Strike {
  return some(strike, (number) => number === 1);
}

/** Lets the service process the request, then spoils the response if it is a success. */
export function after(strike: (blow: Blow, body: string) => void | Promise<void>): Strike {
  return async (blow) => {
    const { status, headers, body } = await blow.real();
    if (status < 300) await strike(blow, body);
    else blow.reply(status, headers, body);
  };
}

/** Sends the service's own response, with a changed text and more headers if it is a success. */
export function rewrite(
  change: (text: string, blow: Blow) => string | Buffer,
  more: Record<string, string> = {},
): Strike {
  return async (blow) => {
    const { status, headers, body } = await blow.real();
    if (status < 300) blow.reply(status, { ...headers, ...more }, change(body, blow));
    else blow.reply(status, headers, body);
  };
}

/** Sends the service's own response with a changed value; text that is not JSON stays unchanged. */
export function spoil(change: (value: unknown, blow: Blow) => unknown): Strike {
  return rewrite((text, blow) => {
    try {
      return JSON.stringify(change(JSON.parse(text), blow));
    } catch {
      return text;
    }
  });
}

/** Like {@link spoil}, but changes only a response that is an object. */
export function spoilObject(
  change: (object: Record<string, unknown>, blow: Blow) => unknown,
): Strike {
  return spoil((value, blow) => (isJsonObject(value) ? change(value, blow) : value));
}

/** Changes every value of a response that is neither an object nor an array. */
export function spoilLeaves(change: (leaf: unknown, name: string, blow: Blow) => unknown): Strike {
  return spoil((value, blow) => {
    const revive = (name: string, inner: unknown) =>
      isJsonObject(inner) || Array.isArray(inner) ? inner : change(inner, name, blow);
    return JSON.parse(JSON.stringify(value), revive) as unknown;
  });
}

/** Changes the lists of a response: each list directly in it, or the response itself. */
export function spoilLists(change: (rows: unknown[], blow: Blow) => unknown): Strike {
  return spoil((value, blow) => {
    const changed = (inner: unknown) =>
      Array.isArray(inner) ? change(inner as unknown[], blow) : inner;
    if (!isJsonObject(value)) return changed(value);
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, changed(inner)]));
  });
}

/** Changes the pagination fields of a response, if it has any. */
export function paginated(change: (given: object) => object): Strike {
  return spoilObject((value) => {
    const { pagination, total_count } = value;
    if (isJsonObject(pagination)) return { ...value, pagination: change(pagination) };
    return 'total_count' in value ? { ...value, ...change({ total_count }) } : value;
  });
}

/** Returns `[[[…]]]` as text, which can be too deep for `JSON.stringify`. */
export function nested(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}

export const DEEP = nested(20_000);
