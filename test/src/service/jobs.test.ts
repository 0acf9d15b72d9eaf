import { readDomainStates, getJob, parseJobId, startRefresh } from '../../../src/service/jobs';
import { Run } from '../../../src/run/run';
import { serviceWith } from '../client/support/client';
import { json, TestService, type Answering } from '../client/support/service';

afterAll(TestService.stopAll);

const runAgainst = async (answering: Answering) => new Run((await serviceWith(answering)).client);

const DATE = '2026-01-01T00:00:00Z';

describe('readDomainStates', () => {
  const domains = [
    { domain: 'WWW.A.com', status: 'processing' },
    { domain: 'b.com', status: 'succeeded', error: null },
    { domain: 'c.com', status: 'stale', error: 'crawl_timeout' },
    { domain: 7 },
    'd.com',
  ];

  it.each([
    ['the finished ones', false, false],
    ['all when the job is finished', true, true],
  ])('normalizes domains like the service, and marks %s as finished', (_which, isOver, isFirst) => {
    expect([...readDomainStates({ domains }, isOver)]).toEqual([
      ['a.com', { status: 'processing', error: null, finished: isFirst }],
      ['b.com', { status: 'succeeded', error: null, finished: true }],
      ['c.com', { status: 'stale', error: 'crawl_timeout', finished: true }],
    ]);
    expect(readDomainStates({ domains: 'none' }, isOver).size).toBe(0);
  });
});

it.each<readonly [unknown, string | undefined]>([
  ['job_1', 'job_1'],
  [' job_1 ', 'job_1'],
  [17, '17'],
  ...['', '  ', null, undefined, {}, true].map((value) => [value, undefined] as const),
])('parses the job ID %j as %j', (value, id) => {
  if (id !== undefined) expect(parseJobId(value)).toBe(id);
  else expect(() => parseJobId(value)).toThrow('The job ID is missing');
});

it.each<[job: object, finished: boolean]>([
  [{ status: 'running' }, false],
  [{ status: 'failed' }, true],
  [{ status: 'brewed', completed_at: null }, false],
  [{ status: 'brewed', completed_at: DATE }, true],
  // The counts decide nothing.
  [{ status: 'running', summary: { processing: 0, succeeded: 4, failed: 0, total: 4 } }, false],
])('takes the job %j for finished: %s', async (job, finished) => {
  const run = await runAgainst(json({ job_id: 'j1', ...job }));
  expect(await getJob(run, 'j1')).toMatchObject({ finished });
});

it.each<[unknown, Record<string, string>, string]>([
  [{ job_id: 'j1' }, { 'retry-after': '4' }, 'j1'],
  [{ job_id: 17 }, {}, '17'],
  [{ id: 'request-5' }, { location: '/v1/jobs/j1' }, 'j1'],
  [{}, { location: 'https://elsewhere.test/v1/jobs/j%2F1?x=1' }, 'j/1'],
  [null, { location: 'jobs/j1' }, 'j1'],
  [{}, { location: '../jobs/j1/' }, 'j1'],
])('reads the body %j and the headers %j as the job %s', async (body, headers, job_id) => {
  const run = await runAgainst(json(body, 202, headers));
  const retryAfterMs = headers['retry-after'] && 4000;
  expect(await startRefresh(run, ['a.com'])).toEqual({ job_id, retryAfterMs });
});

it.each([[{}], [{ job_id: '' }], [{ job_id: 'j\ud800' }], [[]], [{ message: 'ok' }]])(
  'finds no job in the body %j',
  async (body) => {
    const run = await runAgainst(json(body, 202));
    await expect(startRefresh(run, ['a.com'])).rejects.toThrow(
      /job|outcome of this request is unknown/,
    );
  },
);
