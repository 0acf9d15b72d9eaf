import { z } from 'zod/v4';
import type { Account } from './accounts';
import { errors, type ServiceError } from './errors';
import { LIMITS } from './limits';
import type { ListUser } from './lists/store';
import type { Service } from './service';
import type { Page, PageRequest } from './views/page';

/** The caller, and what a handler can do on the caller's behalf. */
export interface Context {
  readonly service: Service;
  /**
   * The account of the request's key.
   *
   * @throws 401 if the endpoint needs no key and the request has none
   */
  readonly account: Account;
  /** The user of that key; only user keys reach the list endpoints. */
  readonly user: ListUser;
  /** Charges the caller's organization for the companies of this response, once per id. */
  readonly charge: (companyIds: Iterable<number>) => void;
  /** Returns the page that a query requests. */
  readonly pageOf: <T>(all: ArrayLike<T>, query: PageRequest) => Page<T>;
}

/** A successful response. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Content type of a text body (CSV), which is sent unchanged. Without it, the body is sent as
   * JSON.
   */
  readonly contentType?: string;
}

export const answer = {
  ok: (body: unknown): Answer => ({ status: 200, body }),
  created: (body: unknown): Answer => ({ status: 201, body }),
  accepted: (body: unknown, headers: Record<string, string>): Answer => ({
    status: 202,
    body,
    headers,
  }),
  deleted: (): Answer => ({ status: 204, body: undefined }),
  csv: (text: string, fileName: string): Answer => ({
    status: 200,
    body: text,
    contentType: 'text/csv; charset=utf-8',
    headers: { 'content-disposition': `attachment; filename="${fileName}"` },
  }),
};

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Endpoint {
  readonly method: Method;
  /** Path with `{names}`, as in the API spec. */
  readonly path: string;
  /** Which keys the endpoint accepts: only user keys, any key, or no key at all. */
  readonly key: 'any' | 'user' | 'none';
  /** True for endpoints that are not in the API spec. */
  readonly chosen: boolean;
  /** Success status and the schema of its body; `text` for CSV, `empty` for no body. */
  readonly responses: Readonly<Record<number, z.ZodType | 'text' | 'empty'>>;
  readonly query: z.ZodType;
  readonly body: z.ZodType | null;
  /** Validates the raw parts of a request and handles it. */
  readonly invoke: (context: Context, raw: RawRequest) => Answer | Promise<Answer>;
}

export interface RawRequest {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/**
 * Creates the error for a part of a request that failed its schema.
 *
 * @param message describes the problem and its place
 * @param path place within the part, such as `['definition', 'root']`; empty for the whole part
 */
export type RefuseBody = (message: string, path: readonly PropertyKey[]) => ServiceError;

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
  readonly chosen?: boolean;
  /** Absent for endpoints without query parameters. */
  readonly query?: Q;
  readonly body?: B;
  /** Creates the error for an invalid body. By default, that is 400 `invalid_request`. */
  readonly refuseBody?: RefuseBody;
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
  const { method, path, responses, chosen = false, refuseBody, handle } = input;
  const query = (input.query ?? nothing) as Q;
  const body = input.body ?? null;
  return {
    method,
    path,
    key: keyOf(path),
    chosen,
    responses,
    query,
    body,
    invoke: (context, raw) =>
      handle(context, {
        params: raw.params as Record<Names<Path>, string>,
        query: parsePart('query', query, raw.query),
        body: (body === null
          ? undefined
          : parsePart('body', body, raw.body, refuseBody)) as B extends z.ZodType
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

function parsePart<S extends z.ZodType>(
  part: string,
  schema: S,
  value: unknown,
  refuse: RefuseBody = errors.invalidRequest,
): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) {
    const isBatch = part === 'body' && issue.path.length === 1 && issue.path[0] === 'domains';
    if (isBatch && issue.code === 'too_big' && Array.isArray((value as BatchBody).domains)) {
      throw errors.batchTooLarge(LIMITS.batch, (value as BatchBody).domains.length);
    }
  }
  const problems = tellingProblems(parsed.error.issues[0]!);
  const messages = problems.map(({ path, message }) => `${[part, ...path].join('.')}: ${message}`);
  throw refuse([...new Set(messages)].join(', or '), problems[0].path);
}

interface Problem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/**
 * Returns the most useful problems to report. If the value fits no alternative of a union, these
 * are the problems of the alternatives with the fewest. Otherwise, it is the problem itself.
 */
function tellingProblems(
  issue: z.core.$ZodIssue,
  above: readonly PropertyKey[] = [],
): readonly [Problem, ...Problem[]] {
  const path = [...above, ...issue.path];
  const alternatives = issue.code === 'invalid_union' ? issue.errors : [];
  const fewest = Math.min(...alternatives.map((issues) => issues.length));
  const [first, ...others] = alternatives
    .filter((issues) => issues.length === fewest)
    .flatMap((issues) => tellingProblems(issues[0]!, path));
  return first === undefined ? [{ path, message: issue.message }] : [first, ...others];
}

interface BatchBody {
  readonly domains: readonly unknown[];
}
