import { path, type Query } from '../client/call';
import type { Call } from '../client/client';
import type { Row } from '../run/answers/rows';

/** A parameter of a query. */
export interface Parameter {
  readonly is: 'text' | 'number' | 'boolean';
  readonly required?: true;
  /** Bounds of a number, or of a text's length. */
  readonly min?: number;
  readonly max?: number;
  /** What the service takes where it is left out, as far as the interface says so. */
  readonly usual?: number | string;
  /** All values; of a text, of each of its comma-separated parts. */
  readonly oneOf?: readonly string[];
}

/** What a request costs at most (interface: Credits). */
export type Cost =
  | { readonly per: 'request'; readonly credits: number }
  /** 1 credit for each row of a page. */
  | { readonly per: 'row' }
  /** By the nodes that are asked for, and by those that came. */
  | {
      readonly per: 'node';
      readonly atMost: (nodes: number) => number;
      readonly of: (nodes: number) => number;
    }
  /** By what came of each domain of the body. */
  | {
      readonly per: 'domain';
      /** Where the rows of an answer are. */
      readonly rows: string;
      readonly of: (row: Row) => number;
      /** The section that lets a domain cost more than one credit. */
      readonly openWith?: string;
    }
  /** Not shown; 1 credit for each line of the file behind its first. */
  | { readonly per: 'line' };

/** An endpoint as the interface shows it. */
export interface Endpoint {
  readonly method: Call<unknown>['method'];
  readonly path: `/v1/${string}`;
  /** Parameters beside those of pages. */
  readonly query?: Readonly<Record<string, Parameter>>;
  readonly cost: Cost;
}

/** An endpoint that is answered with one object. */
export interface OfOne extends Endpoint {
  /** Fields of the object; an answer without any of them is something else. */
  readonly fields: readonly string[];
}

/** An endpoint that is answered with pages of rows, by `page` and `limit`. */
export interface OfRows extends Endpoint {
  /** Fields of a row, in the interface's order. */
  readonly fields: readonly string[];
  /** The name of the list of rows; `data` if left out. */
  readonly rows?: string;
  /** The largest `limit`, and the one that the service takes where it is left out. */
  readonly page: { readonly max: number; readonly usual?: number };
  /** Fields that tell a row from others, the surest first. */
  readonly ids: readonly string[];
  /** A field by which rows of the same id differ. */
  readonly alsoId?: string;
}

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

interface Values {
  readonly text: string;
  readonly number: number;
  readonly boolean: boolean;
}

type ValueOf<P> = P extends Parameter
  ? Values[P['is']] | (P extends { required: true } ? never : undefined)
  : never;

type QueryOf<E extends Endpoint> = E extends { readonly query: infer Q } ? Q : unknown;

/**
 * What a request of an endpoint is about: the parts of its path and its parameters, under the interface's
 * names. All must be named, so that none is forgotten; what is left out is undefined.
 */
export type Asked<E extends Endpoint> = Readonly<Record<NamesIn<E['path']>, string>> & {
  readonly [Name in keyof QueryOf<E>]: ValueOf<QueryOf<E>[Name]>;
};

/**
 * The request of an endpoint, each part of its path encoded so that it can never become another path.
 *
 * @throws {TypeError} when a part of the path is empty, `.` or `..`, or holds half a character.
 */
export function requestOf<E extends Endpoint>(
  endpoint: E,
  asked: Asked<E>,
): Pick<Call<unknown>, 'method' | 'path'> & { readonly query: Query } {
  const { method, path: template, query = {} } = endpoint;
  const given = asked as Query;
  const pieces = template.split(/\{(\w+)\}/);
  const texts = pieces.filter((_piece, index) => index % 2 === 0);
  const names = pieces.filter((_piece, index) => index % 2 === 1);
  return {
    method,
    path: path(texts, ...names.map((name) => String(given[name]))),
    query: Object.fromEntries(Object.keys(query).map((name) => [name, given[name]])),
  };
}

/** Every parameter of an endpoint, left out. */
export function unfiltered<Q extends Record<string, Parameter>>(endpoint: { readonly query: Q }) {
  const names = Object.keys(endpoint.query).map((name) => [name, undefined]);
  return Object.fromEntries(names) as { readonly [Name in keyof Q]: undefined };
}
