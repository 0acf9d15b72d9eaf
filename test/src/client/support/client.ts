import { inspect } from 'node:util';

import { Client, type Call } from '../../../../src/client/client';
import { InvalidResponseError, ServiceError } from '../../../../src/client/errors';
import type { HttpRequest } from '../../../../src/client/exchange/transport';
import { RATE_LIMITS, type ClientSettings, type Timing } from '../../../../src/client/settings';
import { TestService, type Answering } from './service';
import { failureOf, QUICK } from './timing';

export { failureOf } from './timing';

let keys = 0;

/** Settings with a key that no other test uses, so that no limiter is shared by accident. */
export function settingsFor(
  service: { readonly baseUrl: string },
  change: Partial<ClientSettings> = {},
): ClientSettings {
  keys += 1;
  return {
    ...RATE_LIMITS,
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

/** A service that answers like this, and a client of it with the settings it was opened with. */
export async function serviceWith(answering?: Answering, timing: Partial<Timing> = {}) {
  const service = await TestService.start(answering);
  const settings = settingsFor(service);
  return { service, settings, client: Client.open(settings, { ...QUICK, ...timing }) };
}

/** What a call fails with where the service answers like this, and the requests that it got. */
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

/** A request as the exchange gets it. */
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

/** A call that may be repeated and gives the parsed body; an empty one or null is not readable. */
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

/** A call that has a lasting effect. */
export const effectCall: Call<unknown> = readCall({
  method: 'POST',
  path: '/v1/companies/acme.com/flags',
  body: { description: 'x' },
  repeatable: false,
});

/** Everything that could be logged or stored of an error, its causes included. */
export function everythingOf(error: unknown): string {
  const texts: string[] = [];
  for (let current: unknown = error; current instanceof Error; current = current.cause) {
    texts.push(
      current.stack ?? '',
      String(current),
      JSON.stringify(current),
      JSON.stringify(current, Object.getOwnPropertyNames(current)),
      inspect(current, { showHidden: true, depth: Infinity, maxStringLength: Infinity }),
    );
  }
  return texts.join('\n');
}
