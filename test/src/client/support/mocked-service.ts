import nock, { type Body } from 'nock';

import { Client, type Call } from '../../../../src/client/client';
import { ServiceError } from '../../../../src/client/errors';
import type { Timing } from '../../../../src/client/settings';
import { readCall, settingsFor } from './client';
import { failureOf, QUICK } from './timing';

/** Status, body and headers; an object is sent as JSON. */
export type Answer = readonly [status: number, body?: unknown, headers?: Record<string, string>];

/** Answers to requests in turn, of which the last one repeats; some depend on the API key. */
type Answers = ReadonlyArray<Answer | ((apiKey: string) => Answer)>;

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

export function mockService(...answers: Answers) {
  services += 1;
  const baseUrl = `http://service-${services}.test`;
  const received: Array<{ at: number; url: string; headers: object; body: unknown }> = [];
  for (const method of ['GET', 'POST', 'DELETE']) {
    const mocked = nock(baseUrl).persist().intercept(/./, method);
    mocked.reply(function (url, body) {
      const { headers } = this.req;
      received.push({ at: Date.now(), url: `${method} ${url}`, headers, body });
      const answer = answers[Math.min(received.length, answers.length) - 1]!;
      const [status, sent = '', more = {}] =
        typeof answer === 'function' ? answer(String(headers['x-api-key'])) : answer;
      return [status, sent as Body, more];
    });
  }
  return { baseUrl, received };
}

export function mockedClient(answers: Answers, timing: Partial<Timing> = {}) {
  const service = mockService(...answers);
  const settings = settingsFor(service);
  return { ...service, settings, client: Client.open(settings, { ...QUICK, ...timing }) };
}

export async function failureWith(answers: Answers, call: Call<unknown> = readCall()) {
  const { client, ...service } = mockedClient(answers);
  const failure = await failureOf(client.request(call));
  if (!(failure instanceof ServiceError)) throw failure;
  return { failure, ...service };
}
