import { inspect } from 'node:util';

import { Client, type Call } from '../../../../src/client/client';
import { InvalidResponseError, ServiceError } from '../../../../src/client/errors';
import type { HttpRequest } from '../../../../src/client/call';
import { exchangeWhole } from '../../../../src/client/exchange/transport';
import {
  REQUESTS_PER_MINUTE,
  type ClientSettings,
  type Timing,
} from '../../../../src/client/settings';
import { TestService, type Answering } from './service';
import { failureOf, QUICK } from './timing';

export { failureOf } from './timing';

let keys = 0;

/** Returns settings with a key of their own, so that tests do not share a limiter. */
export function settingsFor(
  service: { readonly baseUrl: string },
  change: Partial<ClientSettings> = {},
): ClientSettings {
  keys += 1;
  return {
    requestsPerMinute: REQUESTS_PER_MINUTE,
    baseUrl: service.baseUrl,
    apiKey: `ci_test_5ecret${keys}_${Math.random().toString(36).slice(2)}`,
    ...change,
  };
}

export function clientFor(
  service: { readonly baseUrl: string },
  timing: Partial<Timing> = {},
): Client {
  return Client.open(settingsFor(service), { ...QUICK, ...timing });
}

/** Starts a service that responds like this, and a client for it. */
export async function serviceWith(answering?: Answering, timing: Partial<Timing> = {}) {
  const service = await TestService.start(answering);
  const settings = settingsFor(service);
  return { service, settings, client: Client.open(settings, { ...QUICK, ...timing }) };
}

/** Returns the error of a call to a service that responds like this, and the requests. */
export async function failedCall(
  answering: Answering,
  call: Call<unknown> = readCall(),
  timing: Partial<Timing> = {},
) {
  const { service, client } = await serviceWith(answering, timing);
  const failure = await failureOf(client.request(call));
  if (!(failure instanceof ServiceError)) throw failure;
  return { failure, received: service.received };
}

/** Returns a request in the form that the exchange takes. */
export function requestTo(url: string, change: Partial<HttpRequest> = {}): HttpRequest {
  return {
    method: 'GET',
    url,
    headers: {},
    body: undefined,
    timeoutMs: 15_000,
    freshConnection: false,
    signal: undefined,
    ...change,
  };
}

/** Returns the result of a request to a service that responds like this, and the service. */
export async function exchangeWith(answering: Answering, change: Partial<HttpRequest> = {}) {
  const service = await TestService.start(answering);
  return { service, outcome: await exchangeWhole(requestTo(service.baseUrl, change)) };
}

/** Returns a repeatable call that reads the parsed body; an empty body or null is unreadable. */
export function readCall(change: Partial<Call<unknown>> = {}): Call<unknown> {
  return {
    method: 'GET',
    path: '/v1/companies/acme.com',
    repeatable: true,
    read: ({ json }) => {
      if (json !== undefined && json !== null) return json;
      throw new InvalidResponseError({ code: 'invalid_response', message: 'Nothing', hint: '-' });
    },
    ...change,
  };
}

/** A call with a lasting effect. */
export const effectCall: Call<unknown> = readCall({
  method: 'POST',
  path: '/v1/companies/acme.com/flags',
  body: { description: 'x' },
  repeatable: false,
});

const EVERYTHING = { showHidden: true, depth: Infinity, maxStringLength: Infinity };

/** Returns everything of a value, or of an error and its causes, that could be logged. */
export function everythingOf(value: unknown): string {
  const texts = [inspect(value, EVERYTHING)];
  for (let current = value; current instanceof Error; current = current.cause) {
    texts.push(
      current.stack ?? '',
      String(current),
      JSON.stringify(current),
      JSON.stringify(current, Object.getOwnPropertyNames(current)),
      inspect(current, EVERYTHING),
    );
  }
  return texts.join('\n');
}
