import type { FastifyReply, FastifyRequest } from 'fastify';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Account } from './accounts';
import { FIXED_CHOICES } from './choices';
import type { Answer, Context, Endpoint } from './endpoint';
import { errorBody, errors, ServiceError } from './errors';
import type { Throttled } from './limiter';
import { userOf } from './lists/store';
import type { RequestEntry } from './report';
import type { Running, Service } from './service';
import { pageOf } from './views/page';

/** A response before it is sent. */
export interface Outcome {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly payload: string;
}

/**
 * Returns the handler for an endpoint. It runs the steps of every request: record, delay, apply a
 * fault, check key and rate, handle, validate, respond.
 */
export function handlerOf(endpoint: Endpoint, running: Running) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { service } = running;
    const entry = service.recorder.begin(request.method, request.url);
    const key = request.headers['x-api-key'];
    const account = typeof key === 'string' ? service.accounts.get(key) : undefined;
    entry.key = account?.name ?? null;
    entry.domains = domainCount(request.body);
    const fault = service.faults.take({
      method: request.method,
      path: request.url.split('?', 1)[0]!,
      key: entry.key,
      body: request.body,
    });
    if (service.latencyMs > 0) await sleep(service.latencyMs);

    if (fault !== undefined && 'replace' in fault) {
      reply.hijack();
      service.recorder.end(entry, fault.replace(reply.raw));
      return reply;
    }
    const outcome = await process(endpoint, service, request, account, entry);
    if (fault !== undefined) {
      reply.hijack();
      service.recorder.end(entry, fault.damage(reply.raw, outcome));
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
    if (endpoint.key === 'user') userOf(account!);
    service.freshness.settle(service.clock.now());
    const answer = await endpoint.invoke(contextOf(service, request, account!, entry), request);
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
  account: Account,
  entry: RequestEntry,
): Context {
  return {
    service,
    account,
    charge: (companyIds) => {
      entry.charged += service.ledger.charge(account.organizationId, companyIds);
    },
    get user() {
      return userOf(account);
    },
    pageOf: (all, query) => pageOf(all, query, (page) => urlOfPage(request, page)),
  };
}

function render({ status, body, headers = {} }: Answer): Outcome {
  if (body === undefined) return { status, headers, payload: '' };
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
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
  return render({ status: refusal.status, headers: refusal.headers, body: errorBody(refusal) });
}

function validate({ method, path, responses }: Endpoint, { status, body }: Answer): void {
  const schema = responses[status];
  const fits =
    typeof schema === 'object'
      ? schema.safeParse(body).success
      : typeof body === (schema === 'text' ? 'string' : 'undefined') && schema !== undefined;
  if (fits) return;
  const shown = `${method} ${path}: status ${status} with the body ${JSON.stringify(body)}`;
  throw new ServiceError(500, 'response_schema_violation', shown.slice(0, 1000));
}

/**
 * Returns the absolute URL of a request with another page number. The host is that of the Host
 * header.
 */
function urlOfPage(request: FastifyRequest, page: number): string {
  const url = new URL(request.url, `${request.protocol}://${request.host || 'localhost'}`);
  url.searchParams.set('page', String(page));
  return url.toString();
}

function domainCount(body: unknown): number {
  if (typeof body !== 'object' || body === null || !('domains' in body)) return 0;
  return Array.isArray(body.domains) ? body.domains.length : 0;
}
