import { inspect } from 'node:util';

import { Client, type Call } from '../../../../src/client/client';
import { InvalidResponseError } from '../../../../src/client/errors';
import { isErrorBody } from '../../../../src/client/response';
import { isJsonObject } from '../../../../src/values/json';
import {
  REQUESTS_PER_MINUTE,
  type ClientSettings,
  type Timing,
} from '../../../../src/client/settings';
import { TestService, type Answering } from './service';
import { QUICK } from './timing';

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

export async function serviceWith(answering?: Answering, timing: Partial<Timing> = {}) {
  const service = await TestService.start(answering);
  const settings = settingsFor(service);
  const client = Client.open(settings, { ...QUICK, ...timing });
  return { service, received: service.received, settings, client };
}

/** Returns how often a call is sent, and its result or the name of its error: `1 × NotFoundError`. */
export async function outcomeOf(
  { client, received }: { readonly client: Client; readonly received: readonly unknown[] },
  call: Call<unknown>,
): Promise<string> {
  const outcome = await client.request(call).then(
    (value) => JSON.stringify(value),
    (error: unknown) => (error as Error).name,
  );
  return `${received.length} × ${outcome}`;
}

/** Returns a repeatable call that reads an object, unless it states an error. */
export function readCall(change: Partial<Call<unknown>> = {}): Call<unknown> {
  return {
    method: 'GET',
    path: '/v1/companies/acme.com',
    repeatable: true,
    read: ({ json }) => {
      if (isJsonObject(json) && !isErrorBody(json)) return json;
      throw new InvalidResponseError({ code: 'invalid_response', message: 'Nothing', hint: '-' });
    },
    ...change,
  };
}

export const effectCall: Call<unknown> = readCall({
  method: 'POST',
  path: '/v1/companies/acme.com/flags',
  body: { description: 'x' },
  repeatable: false,
});

export function everythingOf(value: unknown): string {
  return inspect(value, { showHidden: true, depth: Infinity, maxStringLength: Infinity });
}
