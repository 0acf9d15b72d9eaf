/** A field whose type is not what the interface says. */
export interface Oddity {
  /** Where: `partnerships.*.observation_count`. */
  readonly field: string;
  /** In words: `text instead of a number`. */
  readonly problem: string;
}

/**
 * What the interface says a value is: tells what of a value is otherwise. Values are kept as they come:
 * one odd field must never cost a row that was paid for. It is asked of each row of a run, so that
 * where all is well nothing is made.
 */
export type Form = (value: unknown) => readonly Oddity[];

const FINE: readonly Oddity[] = [];

/** The types of JSON in words. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  undefined: 'nothing',
  null: 'null',
};

export const anything: Form = () => FINE;
export const text: Form = (value) =>
  typeof value === 'string' ? FINE : insteadOf('string', value);
export const number: Form = (value) =>
  typeof value === 'number' ? FINE : insteadOf('number', value);

/** One of some words. */
export function oneOf(...words: readonly string[]): Form {
  return (value) => {
    if (words.includes(value as string)) return FINE;
    return told(value === undefined ? 'nothing' : `none of ${words.join(', ')}`);
  };
}

/** The value may be left out; below, null; or either. */
export function optional(form: Form): Form {
  return (value) => (value === undefined ? FINE : form(value));
}

export function nullable(form: Form): Form {
  return (value) => (value === null ? FINE : form(value));
}

export function nullish(form: Form): Form {
  return optional(nullable(form));
}

export function listOf(entry: Form): Form {
  return (value) => {
    if (!Array.isArray(value)) return insteadOf('array', value);
    let odd = FINE;
    for (const one of value) odd = joined(odd, '*', entry(one));
    return odd;
  };
}

/** An object with these fields; others are fine. */
export function object(fields: Readonly<Record<string, Form>>): Form {
  const forms = Object.entries(fields);
  return (value) => {
    if (typeOf(value) !== 'object') return insteadOf('object', value);
    let odd = FINE;
    for (const [name, form] of forms) {
      odd = joined(odd, name, form((value as Readonly<Record<string, unknown>>)[name]));
    }
    return odd;
  };
}

function joined(odd: readonly Oddity[], name: string, inner: readonly Oddity[]): readonly Oddity[] {
  if (inner.length === 0) return odd;
  const below = inner.map(({ field, problem }) => {
    return { field: field === '' ? name : `${name}.${field}`, problem };
  });
  return [...odd, ...below];
}

function insteadOf(type: string, value: unknown): Oddity[] {
  return told(`${TYPES[typeOf(value)] ?? 'something else'} instead of ${TYPES[type] ?? type}`);
}

function told(problem: string): Oddity[] {
  return [{ field: '', problem }];
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
