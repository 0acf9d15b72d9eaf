import { z } from 'zod/v4';
import type { Account } from './accounts';
import type { Choices } from './choices';
import { errors, type ServiceError } from './errors';
import { LIMITS } from './limits';
import type { ListUser } from './lists/store';
import type { Service } from './service';
import type { Page, PageRequest } from './views/page';

/** Who calls, and what a handler may do on the caller's behalf. */
export interface Context {
  readonly service: Service;
  /**
   * The key the request came with.
   *
   * @throws 401 on endpoints that need no key and were called without
   */
  readonly account: Account;
  /** The user of that key; only user keys get to list endpoints. */
  readonly user: ListUser;
  /** Charges the caller's organization for companies of this response, each once (by id). */
  readonly charge: (companyIds: Iterable<number>) => void;
  /** The page that a query asks for; a `limit` above `max` is answered as chosen. */
  readonly pageOf: <T>(all: ArrayLike<T>, query: PageRequest, max: number) => Page<T>;
}

/** A successful answer. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text is sent as it is (CSV); everything else as JSON. */
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
  /** What a DELETE answers is a choice: nothing, or a body. */
  deleted: (choices: Choices, body: Record<string, unknown>): Answer =>
    choices.deleteAnswer === 'empty' ? { status: 204, body: undefined } : { status: 200, body },
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
  /** With `{names}`, as the interface writes it. */
  readonly path: string;
  /** Whose keys it takes: user keys only, any, or none at all. */
  readonly key: 'any' | 'user' | 'none';
  /** True for endpoints the interface does not show. */
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
 * Makes the error for a part of a request that its schema did not let through.
 *
 * @param message what is wrong, and where
 * @param path where in the part, such as `['definition', 'root']`; empty for all of it
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
  /** Left out where there is none. */
  readonly query?: Q;
  readonly body?: B;
  /** Turns what is wrong with the body into another error than 400 `invalid_request`. */
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

/** Describes an endpoint; its handler gets exactly what its path and schemas let through. */
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

/** Lists need a user key, what is open needs none (Authentication, 1 and 2). */
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
 * What is wrong inside the alternatives of a union that the value came closest to: those with the
 * fewest problems. Of anything else, the problem itself.
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
