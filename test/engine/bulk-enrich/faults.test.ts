/** The service and the network at their worst: no row is lost, nothing hangs, the key stays secret. */
import type { FaultRequest } from '../../../sandbox';
import { TestService } from '../../src/client/support/service';
import { source, startWorkflow } from '../harness';
import {
  bulkEnrich,
  enrich,
  enrichmentOf,
  leads,
  NAME,
  ON_ERROR,
  trackedDomains,
  useFreshSandbox,
  userCredential,
} from './bulk-enrich';
import { codeOf } from '../shared/error-items';

const sandbox = useFreshSandbox({ companies: 1000 });

/** Three domains that may be too many: all of them, then each alone, to find out which is refused. */
const IN_PARTS = { stopWorkflow: 2, continueRegularOutput: 5, continueErrorOutput: 5 };

/** Faults that a request meets each time, what each row is told, and how often it was tried. */
const LASTING: Array<[string, FaultRequest, string, RegExp, number | typeof IN_PARTS]> = [
  ['401', { preset: 'unauthorized' }, 'Check the API key', /did not accept the API key/, 1],
  ['403', { preset: 'forbidden' }, 'key', /may not do this/, 1],
  [
    '403 for organization keys',
    { preset: 'organizationKey' },
    'Company Intelligence User API',
    /This needs a user key/,
    1,
  ],
  ['404', { preset: 'notFound' }, 'Check', /does not know/, 1],
  ['409', { preset: 'conflict' }, 'before you run this again', /something else/, 1],
  [
    '422',
    { preset: 'invalidDefinition' },
    'parameters',
    /could not make sense of the request/,
    IN_PARTS,
  ],
  [
    '422 with a code that says what it is about',
    { preset: 'invalidDefinition', options: { code: 'invalid_domain' } },
    'bare domain',
    /malformed/,
    1,
  ],
  ['an answer of 300 MB', { preset: 'hugeBody' }, 'fewer rows', /larger than 64 MB/, 1],
  ['a gzip bomb', { preset: 'gzipBomb' }, 'fewer rows', /larger than 64 MB/, 1],
  ...(['flat', 'detail', 'detailText', 'nestedCode'] as const).map(
    (shape): (typeof LASTING)[number] => [
      `an error body of the shape ${shape}`,
      { preset: 'errorShape', options: { shape, status: 400 } },
      '',
      /./,
      IN_PARTS,
    ],
  ),
  ['an HTML error page', { preset: 'errorHtml' }, '', /./, IN_PARTS],
  ['an error without a body', { preset: 'errorEmpty' }, '', /./, IN_PARTS],
];

describe.each(ON_ERROR)('On Error: %s', (onError) => {
  it.each(LASTING)('%s', async (_what, fault, hint, message, tries) => {
    sandbox.addFault({ ...fault, when: 'every' });
    const run = await enrich(sandbox, {}, leads(trackedDomains(sandbox, 3)), { onError });

    expect(sandbox.report().requests).toBe(typeof tries === 'number' ? tries : tries[onError]);
    expect(run.transcript()).not.toContain(sandbox.keys.user);
    if (onError === 'stopWorkflow') {
      expect(run.status).toBe('error');
      expect(run.error?.message).toMatch(message);
      expect(run.error?.description).toContain(hint);
      return;
    }
    const failed = run.json(NAME, onError === 'continueErrorOutput' ? 1 : 0);
    expect(failed.map((json) => json['id'])).toEqual([0, 1, 2]);
    const failure = onError === 'continueErrorOutput' ? failed[0] : enrichmentOf(failed[0] ?? {});
    expect(failure?.['message']).toMatch(message);
    const details = failure?.[onError === 'continueErrorOutput' ? 'error' : 'details'];
    expect(details).toMatchObject({ hint: expect.stringContaining(hint) });
  });
});

it('answered a byte a second: given up at the timeout and sent again', async () => {
  sandbox.addFault({ preset: 'bytePerSecond', when: 'first' });
  const parameters = { options: { requestTimeoutSeconds: 1 } };
  const run = await enrich(sandbox, parameters, leads(trackedDomains(sandbox, 100)));

  expect(run.json(NAME)).toHaveLength(100);
  expect(sandbox.report().requests).toBe(2);
});

it('connection refused: says that the service cannot be reached', async () => {
  const credentials = userCredential(sandbox);
  await sandbox.close();
  const run = await enrich(sandbox, {}, leads(['a.com', 'b.com']), {
    onError: 'continueErrorOutput',
    credentials,
  });

  expect(run.json(NAME, 1).map(codeOf)).toEqual(['connection_failed', 'connection_failed']);
  expect(run.json(NAME, 1)[0]?.['message']).toContain('could not be reached');
});

it('a redirect to another host is not followed', async () => {
  const elsewhere = await TestService.start();
  const options = { to: elsewhere.baseUrl };
  sandbox.addFault({ preset: 'redirect', options, when: 'every' });
  const run = await enrich(sandbox, {}, leads(['a.com']));

  expect(run.error?.message).toContain('redirect');
  expect(elsewhere.connections).toBe(0);
});

describe('odd answers are kept as they came, and mentioned', () => {
  it('fields of another type', async () => {
    const domains = trackedDomains(sandbox, 3);
    sandbox.addFault({
      fault: { kind: 'setField', field: 'technology_count', value: 'many' },
      when: 'every',
    });
    const run = await enrich(sandbox, {}, leads(domains));

    expect(run.json(NAME).map((json) => enrichmentOf(json)['technology_count'])).toEqual([
      'many',
      'many',
      'many',
    ]);
    expect(
      run
        .hints(NAME)
        .map(({ message }) => message)
        .join(),
    ).toContain('technology_count');
  });

  it('fields nobody knows', async () => {
    const domains = trackedDomains(sandbox, 1);
    const ask = async () => await enrich(sandbox, {}, leads(domains));
    const usual = enrichmentOf((await ask()).json(NAME)[0] ?? {});
    sandbox.addFault({ preset: 'extraFields', when: 'every' });
    const run = await ask();
    const odd = enrichmentOf(run.json(NAME)[0] ?? {});

    expect(Object.keys(odd).length).toBeGreaterThan(Object.keys(usual).length);
    expect(odd).toMatchObject({ domain: domains[0], status: 'tracked' });
    expect(run.hints(NAME)).toHaveLength(1);
  });
});

describe('Stop', () => {
  it.each([
    ['while a request is under way', { preset: 'neverAnswer' }],
    ['while the key waits for the rate limit', { preset: 'rateLimit', options: { seconds: 60 } }],
  ] as Array<[string, FaultRequest]>)('%s ends the run within a second', async (_when, fault) => {
    sandbox.addFault({ ...fault, when: 'every' });
    const running = await startWorkflow({
      nodes: [source(leads(trackedDomains(sandbox, 500))), bulkEnrich()],
      credentials: userCredential(sandbox),
    });
    await running.started(NAME);
    while (sandbox.report().requests + sandbox.report().recent.length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const stopped = Date.now();
    running.cancel();
    const run = await running.finished;

    expect(Date.now() - stopped).toBeLessThan(1000);
    expect(run.status).toBe('canceled');
    // What was on its way when Stop came still arrives; nothing is sent after it.
    await new Promise((resolve) => setTimeout(resolve, 300));
    const sent = sandbox.report().recent.length;
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(sandbox.report().recent).toHaveLength(sent);
  });
});

it('the key is in nothing a successful run leaves behind either', async () => {
  const run = await enrich(sandbox, {}, leads(trackedDomains(sandbox, 100)));

  expect(run.json(NAME)).toHaveLength(100);
  expect(run.transcript()).not.toContain(sandbox.keys.user);
  expect(
    sandbox
      .report()
      .recent.map((request) => request.path)
      .join(),
  ).not.toContain(sandbox.keys.user);
});
