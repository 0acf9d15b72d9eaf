import type { z } from 'zod/v4';
import type { Account } from './accounts';
import type { Choices } from './choices';
import { errors, type ServiceError } from './errors';
import { LIMITS } from './limits';
import type { Service } from './service';

/** Who calls, and what a handler may do on the caller's behalf. */
export interface Context {
  readonly service: Service;
  /**
   * The key the request came with.
   *
   * @throws 401 on endpoints that need no key and were called without
   */
  readonly account: Account;
  /** Charges the caller's organization for companies of this response, each once (by id). */
  readonly charge: (companyIds: Iterable<number>) => void;
  /** The absolute URL of this request with another page number. */
  readonly pageUrl: (page: number) => string;
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

/** What an endpoint is, for routing, validation and `/openapi.json` alike. */
export interface EndpointDescription {
  readonly method: Method;
  /** With `{names}`, as the interface writes it. */
  readonly path: string;
  readonly section: string;
  readonly summary: string;
  /** `user`: user keys only. `none`: no key at all. Default: any key. */
  readonly key?: 'any' | 'user' | 'none';
  /** True for endpoints the interface does not show. */
  readonly chosen?: boolean;
  /** Success status and the schema of its body; `text` for CSV, `empty` for no body. */
  readonly responses: Readonly<Record<number, z.ZodType | 'text' | 'empty'>>;
  /** Error statuses beside 400, 401, 402, 403 and 429, with their codes. */
  readonly refusals?: Readonly<Record<number, string>>;
  readonly params: z.ZodType;
  readonly query: z.ZodType;
  readonly body: z.ZodType | null;
  /** Requests whose body is optional. */
  readonly bodyOptional?: boolean;
}

export interface Endpoint extends EndpointDescription {
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

interface EndpointInput<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType | null,
> extends Omit<EndpointDescription, 'params' | 'query' | 'body'> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** Turns what is wrong with the body into another error than 400 `invalid_request`. */
  readonly refuseBody?: RefuseBody;
  readonly handle: (
    context: Context,
    input: {
      params: z.output<P>;
      query: z.output<Q>;
      body: B extends z.ZodType ? z.output<B> : undefined;
    },
  ) => Answer | Promise<Answer>;
}

/** Describes an endpoint; its handler gets exactly what its schemas let through. */
export function endpoint<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType | null = null,
>(input: EndpointInput<P, Q, B>): Endpoint {
  const { handle, refuseBody, ...description } = input;
  return {
    ...description,
    invoke: (context, raw) => {
      const params = parsePart('path', input.params, raw.params);
      const query = parsePart('query', input.query, raw.query);
      const body = (
        input.body === null ? undefined : parsePart('body', input.body, raw.body, refuseBody)
      ) as B extends z.ZodType ? z.output<B> : undefined;
      return handle(context, { params, query, body });
    },
  };
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
