import type { z } from 'zod/v4';

import { buildPath, type Query } from '../client/call';
import type { Call } from '../client/client';
import type { Row } from '../run/responses/rows';

/** A query parameter. */
export interface QueryParameter {
  readonly is: 'text' | 'number' | 'boolean';
  readonly required?: true;
  /** Bounds of a number, or of a text's length. */
  readonly min?: number;
  readonly max?: number;
  /** The service's default, if the API spec says so. */
  readonly usual?: number | string;
  /** All allowed values; for a text, of each of its comma-separated parts. */
  readonly oneOf?: readonly string[];
}

/** The maximum cost of a request (API spec: Credits). */
export type Cost =
  | { readonly per: 'request'; readonly credits: number }
  /** 1 credit for each row of a page. */
  | { readonly per: 'row' }
  /** By the number of nodes: of those requested before the response, and of those returned after it. */
  | {
      readonly per: 'node';
      readonly atMost: (nodes: number) => number;
      readonly of: (nodes: number) => number;
    }
  /** By the result of each domain of the body. */
  | {
      readonly per: 'domain';
      /** The field of the response that contains the rows. */
      readonly rows: string;
      readonly of: (row: Row) => number;
      /** The section with which a domain can cost more than one credit. */
      readonly openWith?: string;
    }
  /** The API spec does not show this cost; 1 credit for each line of the file after the first. */
  | { readonly per: 'line' };

/** An endpoint as shown in the API spec. */
export interface Endpoint {
  readonly method: Call<unknown>['method'];
  readonly path: `/v1/${string}`;
  /** Parameters in addition to those for paging. */
  readonly query?: Readonly<Record<string, QueryParameter>>;
  readonly cost: Cost;
  /** Loads the schema of a row, or of the object that is the response. */
  readonly row?: () => z.ZodObject;
  /** Loads the schema of a response. */
  readonly response: () => z.ZodType;
}

/** Returns the fields of an endpoint's rows, in the order of the API spec. */
export function listFields({ row }: Required<Pick<Endpoint, 'row'>>): string[] {
  return Object.keys(row().shape);
}

/** An endpoint that returns pages of rows, requested with `page` and `limit`. */
export interface RowsEndpoint extends Endpoint {
  readonly row: () => z.ZodObject;
  /** The name of the list of rows; `data` if omitted. */
  readonly rows?: string;
  /** The largest `limit`, and the service's default. */
  readonly page: { readonly max: number; readonly usual?: number };
  /** Fields that identify a row, the most reliable first. */
  readonly ids: readonly string[];
  /** A field that distinguishes rows with the same id. */
  readonly alsoId?: string;
}

/** A list whose rows are free or cost up to 1 credit each. Another cost needs a function that reserves it. */
export type ListEndpoint = RowsEndpoint & {
  readonly cost: { readonly per: 'row' } | { readonly per: 'request'; readonly credits: 0 };
};

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

interface Values {
  readonly text: string;
  readonly number: number;
  readonly boolean: boolean;
}

type ValueOf<P> = P extends QueryParameter
  ? Values[P['is']] | (P extends { required: true } ? never : undefined)
  : never;

type QueryOf<E extends Endpoint> = E extends { readonly query: infer Q } ? Q : unknown;

/**
 * The path parts and parameters of a request, under the names of the API spec. All of them must be
 * named, so that none is forgotten; an omitted one is undefined.
 */
export type EndpointArguments<E extends Endpoint> = Readonly<Record<NamesIn<E['path']>, string>> & {
  readonly [Name in keyof QueryOf<E>]: ValueOf<QueryOf<E>[Name]>;
};

/**
 * Builds the request of an endpoint. Each part of the path is encoded, so that it can never become a
 * different path.
 *
 * @throws {TypeError} when a part of the path is empty, `.` or `..`, or contains half a character.
 */
export function buildRequest<E extends Endpoint>(
  endpoint: E,
  args: EndpointArguments<E>,
): Pick<Call<unknown>, 'method' | 'path'> & Pick<Endpoint, 'response'> & { readonly query: Query } {
  const { method, path: template, query = {}, response } = endpoint;
  const given = args as Query;
  const pieces = template.split(/\{(\w+)\}/);
  const texts = pieces.filter((_piece, index) => index % 2 === 0);
  const names = pieces.filter((_piece, index) => index % 2 === 1);
  return {
    method,
    path: buildPath(texts, ...names.map((name) => String(given[name]))),
    response,
    query: Object.fromEntries(Object.keys(query).map((name) => [name, given[name]])),
  };
}

/** Returns every parameter of an endpoint as undefined, for a request without filters. */
export function createEmptyQuery<Q extends Record<string, QueryParameter>>(endpoint: {
  readonly query: Q;
}) {
  const names = Object.keys(endpoint.query).map((name) => [name, undefined]);
  return Object.fromEntries(names) as { readonly [Name in keyof Q]: undefined };
}
