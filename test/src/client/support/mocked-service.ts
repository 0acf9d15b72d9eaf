import nock, { type Body } from 'nock';

import { Client, type Call } from '../../../../src/client/client';
import { ServiceError } from '../../../../src/client/errors';
import type { Timing } from '../../../../src/client/settings';
import { readCall, settingsFor } from './client';
import { failureOf, QUICK } from './timing';

/** A request as it arrived. */
export interface Received {
  /** Unix milliseconds. */
  readonly at: number;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Status, body and headers; an object is sent as JSON. */
export type Answer = readonly [status: number, body?: unknown, headers?: Record<string, string>];

/** Mocks the network of a test file with nock: a request without a mock fails. */
export function mockTheNetwork(): void {
  // The import of nock activates it, but other files in this process need the network.
  nock.restore();
  beforeAll(() => {
    nock.activate();
    nock.disableNetConnect();
  });
  afterEach(nock.cleanAll);
  afterAll(() => {
    nock.enableNetConnect();
    nock.restore();
  });
}

let services = 0;

/** Mocks a service that answers requests in turn, and all later ones like the last. */
export function mockService(...answers: ReadonlyArray<Answer | ((one: Received) => Answer)>) {
  services += 1;
  const baseUrl = `http://service-${services}.test`;
  const received: Received[] = [];
  for (const method of ['GET', 'POST', 'DELETE']) {
    nock(baseUrl)
      .persist()
      .intercept(/./, method)
      .reply(function (url, body) {
        const { headers } = this.req;
        const one = { at: Date.now(), method, url, headers, body };
        received.push(one);
        const answer = answers[Math.min(received.length, answers.length) - 1] ?? [200, {}];
        const [status, sent = '', more = {}] = typeof answer === 'function' ? answer(one) : answer;
        return [status, sent as Body, more];
      });
  }
  return { baseUrl, received };
}

/** Mocks a service that answers like this, and opens a client for it. */
export function mockedClient(
  answers: ReadonlyArray<Answer | ((one: Received) => Answer)>,
  timing: Partial<Timing> = {},
) {
  const service = mockService(...answers);
  const settings = settingsFor(service);
  const client = Client.open(settings, { ...QUICK, ...timing });
  return { ...service, settings, client };
}

/** Returns the error of a call to a service that answers like this, and the requests. */
export async function failureWith(
  answers: ReadonlyArray<Answer | ((one: Received) => Answer)>,
  call: Call<unknown> = readCall(),
) {
  const { client, received, settings } = mockedClient(answers);
  const failure = await failureOf(client.request(call));
  if (!(failure instanceof ServiceError)) throw failure;
  return { failure, received, settings };
}
