/**
 * Whatever comes back after something with an effect was sent: it may have been done, and n8n's Retry
 * On Fail does not do it again.
 */
import type { INodeParameters } from 'n8n-workflow';

import { json, TestService, text, type Answering } from '../../src/client/support/service';
import { credentialFor } from './service';
import { runNode } from './nodes';

afterAll(async () => {
  await TestService.stopAll();
});

const deep = (open: string, close: string): string =>
  `${open.repeat(20_000)}1${close.repeat(20_000)}`;

const ANSWERS: ReadonlyArray<[string, Answering]> = [
  ['500, lists nested deeply', text(`{"error":"x","more":${deep('[', ']')}}`, 500)],
  ['503, objects nested deeply', text(`{"detail":${deep('{"a":', '}')}}`, 503)],
  ['201, nested deeply', text(deep('[', ']'), 201)],
  ['202, rows nested deeply', text(`{"job_id":"1","rows":${deep('[[],', ',1]')}}`, 202)],
  ['202 of a job that cannot be named', json({}, 202, { Location: '/v1/jobs/%zz' })],
  ['200 that is cut off', text('{"flag_id":', 200, { 'content-type': 'application/json' })],
  ['no HTTP', (request) => request.socket.end('220 mail.example.com\r\n')],
  [
    'a damaged packing',
    (_request, response) => {
      response.writeHead(201, { 'content-encoding': 'gzip' }).end('not packed');
    },
  ],
];

const EFFECTS: ReadonlyArray<[string, string, INodeParameters]> = [
  ['Flag Data', 'flagData', { identifier: 'acme.com', description: 'x' }],
  ['Start Refresh', 'refreshAndWait', { operation: 'startRefresh', domain: 'acme.com' }],
  ['Create a list', 'companyList', { resource: 'list', operation: 'create', name: 'A' }],
  ['API Request', 'apiRequest', { method: 'POST', path: 'lists/1/exclusions' }],
];

const CASES = EFFECTS.flatMap(([title, type, parameters]) =>
  ANSWERS.filter(
    // For the others any success is one, whatever it says of a job.
    ([what]) => !(what.includes('cannot be named') && title !== 'Start Refresh'),
  ).map(([what, answering]) => ({ title, type, parameters, what, answering })),
);

it.each(CASES)('$title, $what: sent once', async ({ type, parameters, answering }) => {
  const service = await TestService.start(answering);
  const run = await runNode(service, type, parameters, [{ id: 1 }], {
    retryOnFail: true,
    maxTries: 4,
    waitBetweenTries: 1,
    credentials: credentialFor(service.baseUrl, `ci_user_${type}_${Math.random()}`),
  });
  expect(run.status).toBe('error');
  expect(run.error?.message).toMatch(/may or may not/);
  expect(JSON.stringify(run.error)).not.toMatch(
    /call stack|URI malformed|Parse Error|header check/,
  );
  expect(service.received.filter(({ method }) => method === 'POST')).toHaveLength(1);
});
