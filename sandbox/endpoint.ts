import { z } from 'zod/v4';
import type { Account } from './accounts';
import { errors, type ServiceError } from './errors';
import type { ListUser } from './lists/store';
import type { Service } from './service';
import type { Page, PageRequest } from './views/page';

/** The caller, and what a handler can do on the caller's behalf. */
export interface Context {
  readonly service: Service;
  /** The account of the request's key. Endpoints without a key must not use it. */
  readonly account: Account;
  /** The user of that key; only user keys reach the list endpoints. */
  readonly user: ListUser;
  /** Charges the caller's organization for the companies of this response, once per id. */
  readonly charge: (companyIds: Iterable<number>) => void;
  /** Returns the page that a query requests. */
  readonly pageOf: <T>(all: ArrayLike<T>, query: PageRequest) => Page<T>;
}

/** A successful response. A text body is sent unchanged, any other body as JSON. */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export const answer = {
  ok: (body: unknown, headers?: Record<string, string>): Answer => ({
    status: 200,
    body,
    ...(headers && { headers }),
  }),
  created: (body: unknown): Answer => ({ status: 201, body }),
  deleted: (): Answer => ({ status: 204 }),
};

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with `{names}`, as in the API spec. */
  readonly path: string;
  /** Which keys the endpoint accepts: only user keys, any key, or no key at all. */
  readonly key: 'any' | 'user' | 'none';
  /** Success status and the schema of its body; `text` for CSV, `empty` for no body. */
  readonly responses: Readonly<Record<number, z.ZodType | 'text' | 'empty'>>;
  readonly query: z.ZodType;
  readonly body: z.ZodType | null;
  /** Validates the raw parts of a request and handles it. */
  readonly invoke: (
    context: Context,
    raw: Record<'params' | 'query' | 'body', unknown>,
  ) => Answer | Promise<Answer>;
}

/** The `{names}` of a path. */
type Names<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never;

interface EndpointInput<
  Path extends string,
  Q extends z.ZodType,
  B extends z.ZodType | null,
> extends Pick<Endpoint, 'method' | 'responses'> {
  readonly path: Path;
  /** Absent for endpoints without query parameters. */
  readonly query?: Q;
  readonly body?: B;
  readonly handle: (
    context: Context,
    input: {
      params: Readonly<Record<Names<Path>, string>>;
      query: z.output<Q>;
      body: B extends z.ZodType ? z.output<B> : undefined;
    },
  ) => Answer | Promise<Answer>;
}

const nothing = z.object({});

/** Describes an endpoint. Its handler receives exactly the values that its path and schemas declare. */
export function endpoint<
  const Path extends string,
  Q extends z.ZodType = typeof nothing,
  B extends z.ZodType | null = null,
>(input: EndpointInput<Path, Q, B>): Endpoint {
  const { method, path, responses, handle } = input;
  const query = (input.query ?? nothing) as Q;
  const body = input.body ?? null;
  return {
    method,
    path,
    key: keyOf(path),
    responses,
    query,
    body,
    invoke: (context, raw) =>
      handle(context, {
        params: raw.params as Record<Names<Path>, string>,
        query: parsePart('query', query, raw.query),
        body: (body === null ? undefined : parsePart('body', body, raw.body)) as B extends z.ZodType
          ? z.output<B>
          : undefined,
      }),
  };
}

/** List endpoints need a user key; open endpoints need no key (Authentication, 1 and 2). */
function keyOf(path: string): Endpoint['key'] {
  if (path.startsWith('/v1/open/')) return 'none';
  return /^\/v1\/lists\b/.test(path) ? 'user' : 'any';
}

/**
 * Returns a part of a request as its schema reads it.
 *
 * @param refuse creates the error for a part that does not fit
 */
export function parsePart<S extends z.ZodType>(
  part: string,
  schema: S,
  value: unknown,
  refuse: (message: string) => ServiceError = errors.invalidRequest,
): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0]!;
  throw refuse(`${[part, ...path].join('.')}: ${message}`);
}
