import type { FastifyReply, FastifyRequest } from 'fastify';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Account } from './accounts';
import { FIXED_CHOICES } from './choices';
import type { RequestEntry } from './control/report';
import type { Answer, Context, Endpoint } from './endpoint';
import { errorBody, errors, ServiceError } from './errors';
import { answerAfter, answerBefore, strikesBefore } from './faults/apply';
import { userOf } from './lists/store';
import type { Outcome } from './outcome';
import type { Service } from './service';
import type { Throttled } from './throttle/limiter';
import { pageOf } from './views/page';

/** Placeholder for a body that cannot be parsed. It lets the pipeline check the key first. */
export class UnreadableBody {
  constructor(
    readonly status: number,
    readonly message: string,
  ) {}
}

/**
 * Returns the handler for an endpoint. It runs the steps of every request: record, delay, apply a
 * fault, check key and rate, handle, validate, respond.
 */
export function handlerOf(endpoint: Endpoint, service: Service) {
  const name = `${endpoint.method} ${endpoint.path}`;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const entry = service.recorder.begin(request.method, request.url, name);
    const key = headerOf(request);
    const account = key === null ? undefined : service.accountOf(key);
    entry.key = account?.name ?? null;
    entry.domains = domainCount(request.body);
    const rule = service.faults.take({
      method: request.method,
      path: request.url.split('?', 1)[0]!,
      key: entry.key,
      body: request.body,
    });
    entry.fault = rule?.name ?? null;
    if (service.latencyMs > 0) await sleep(service.latencyMs);

    if (rule !== undefined && strikesBefore(rule.fault)) {
      service.recorder.end(entry, rule.fault.kind === 'respond' ? rule.fault.status : null);
      answerBefore(rule.fault, reply);
      return reply;
    }
    const outcome = await process(endpoint, service, request, account, entry);
    if (rule !== undefined) {
      service.recorder.end(entry, rule.fault.kind === 'resetAfter' ? null : outcome.status);
      answerAfter(rule.fault, outcome, reply);
      return reply;
    }
    service.recorder.end(entry, outcome.status);
    return reply.code(outcome.status).headers(outcome.headers).send(outcome.payload);
  };
}

async function process(
  endpoint: Endpoint,
  service: Service,
  request: FastifyRequest,
  account: Account | undefined,
  entry: RequestEntry,
): Promise<Outcome> {
  try {
    service.limiter.admit(authenticate(endpoint, account, request));
    if (endpoint.key === 'user' && account?.kind !== 'user') throw errors.userCredentialRequired();
    if (request.body instanceof UnreadableBody) {
      throw new ServiceError(request.body.status, 'invalid_request', request.body.message);
    }
    service.freshness.settle(service.clock.now());
    const answer = await endpoint.invoke(contextOf(service, request, account, entry), {
      params: request.params,
      query: request.query,
      body: request.body,
    });
    if (service.validateResponses) validate(endpoint, answer);
    return render(answer);
  } catch (error) {
    return renderError(error, service);
  }
}

/** Returns the caller whose rate limits the request counts against. */
function authenticate(
  endpoint: Endpoint,
  account: Account | undefined,
  request: FastifyRequest,
): Throttled {
  if (endpoint.key === 'none') {
    return {
      key: `address:${request.ip}`,
      requestsPerMinute: FIXED_CHOICES.openRequestsPerMinute,
      requestsPerDay: FIXED_CHOICES.openRequestsPerDay,
    };
  }
  if (account === undefined) throw errors.unauthenticated();
  return account;
}

function contextOf(
  service: Service,
  request: FastifyRequest,
  account: Account | undefined,
  entry: RequestEntry,
): Context {
  const caller = (): Account => {
    if (account === undefined) throw errors.unauthenticated();
    return account;
  };
  return {
    service,
    get account() {
      return caller();
    },
    charge: (companyIds) => {
      entry.charged += service.ledger.charge(caller().organizationId, companyIds);
    },
    get user() {
      return userOf(caller());
    },
    pageOf: (all, query) => pageOf(all, query, (page) => urlOfPage(request, page)),
  };
}

function render(answer: Answer): Outcome {
  const headers: Record<string, string> = { ...answer.headers };
  if (answer.body === undefined) return { status: answer.status, headers, payload: '' };
  headers['content-type'] = answer.contentType ?? 'application/json; charset=utf-8';
  return {
    status: answer.status,
    headers,
    payload: typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body),
  };
}

/**
 * Converts any thrown value to a response. A value other than a `ServiceError` is a defect, which
 * the response states.
 */
export function renderError(error: unknown, service: Service): Outcome {
  const refusal =
    error instanceof ServiceError
      ? error
      : new ServiceError(500, 'internal_error', error instanceof Error ? error.message : 'Unknown');
  if (refusal.status >= 500) service.violations.push(refusal.message);
  return {
    status: refusal.status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...refusal.headers },
    payload: JSON.stringify(errorBody(refusal)),
  };
}

function validate(endpoint: Endpoint, answer: Answer): void {
  const name = `${endpoint.method} ${endpoint.path}`;
  const schema = endpoint.responses[answer.status];
  const complain = (problem: string): never => {
    throw new ServiceError(500, 'response_schema_violation', `${name}: ${problem}`);
  };
  if (schema === undefined) complain('answers with a status it does not declare');
  else if (schema === 'empty') {
    if (answer.body !== undefined) complain('has a body where none is declared');
  } else if (schema === 'text') {
    if (typeof answer.body !== 'string') complain('is not text');
  } else {
    const parsed = schema.safeParse(answer.body);
    if (!parsed.success) complain(JSON.stringify(parsed.error.issues.slice(0, 3)));
  }
}

/**
 * Returns the absolute URL of a request with another page number. The host is that of the Host
 * header.
 */
function urlOfPage(request: FastifyRequest, page: number): string {
  const origin = `${request.protocol}://${request.host || 'localhost'}`;
  if (!URL.canParse(origin)) throw errors.invalidRequest('header Host: is not a host name');
  const url = new URL(request.url, origin);
  url.searchParams.set('page', String(page));
  return url.toString();
}

function headerOf(request: FastifyRequest): string | null {
  const value = request.headers['x-api-key'];
  return typeof value === 'string' ? value : null;
}

function domainCount(body: unknown): number {
  if (typeof body !== 'object' || body === null || !('domains' in body)) return 0;
  return Array.isArray(body.domains) ? body.domains.length : 0;
}
