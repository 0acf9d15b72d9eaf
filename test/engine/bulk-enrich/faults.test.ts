/** The service and the network at their worst: no row is lost, nothing hangs, the key stays secret. */
import type { FaultRequest } from '../../../sandbox';
import {
  enrich,
  enrichmentOf,
  leads,
  NAME,
  ON_ERROR,
  trackedDomains,
  useFreshSandbox,
} from './bulk-enrich';

const sandbox = useFreshSandbox({ companies: 1000 });

/** Three domains that may be too many: all of them, then each alone, to find out which is refused. */
const IN_PARTS = { stopWorkflow: 2, continueRegularOutput: 4, continueErrorOutput: 4 };

/** The same where the service says that it is about what was asked for. */
const IN_HALVES = { stopWorkflow: 3, continueRegularOutput: 5, continueErrorOutput: 5 };

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
  ['404', { preset: 'notFound' }, 'Check', /does not know/, IN_HALVES],
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
    IN_HALVES,
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

it('fields of another type are kept as they came, and mentioned', async () => {
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
