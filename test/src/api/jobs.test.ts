import { domainStates, isFinished, jobIdOf } from '../../../src/api/jobs';

describe('isFinished', () => {
  const counts = (processing: number, succeeded: number, failed: number, total: number) => ({
    summary: { processing, succeeded, failed, total },
  });

  it.each<[string, object, boolean, boolean]>([
    ['something is processing', counts(1, 3, 0, 4), true, false],
    ['nothing is processing', counts(0, 3, 1, 4), false, true],
    ['counts come before a word', { status: 'completed', ...counts(1, 0, 0, 1) }, false, false],
    [
      'counts come before an unknown word',
      { status: 'brewed', ...counts(0, 1, 0, 1) },
      false,
      true,
    ],
    ['counts come before Retry-After', counts(0, 1, 0, 1), true, true],
    ['an empty job that asks to come back', counts(0, 0, 0, 0), true, false],
    ['an empty job', counts(0, 0, 0, 0), false, true],
    [
      'no count of what is processing',
      { summary: { succeeded: 1, failed: 1, total: 2 } },
      true,
      true,
    ],
    ['some are missing', { summary: { succeeded: 1, failed: 0, total: 2 } }, false, false],
    ['a date without counts', { completed_at: '2026-01-01T00:00:00Z' }, true, true],
    ['Retry-After without counts', { status: 'completed', completed_at: null }, true, false],
    ['a shown word alone', { status: 'failed' }, false, true],
    ['an unknown word alone', { status: 'brewed' }, false, false],
    ['nothing at all', {}, false, false],
    ['a summary that is no object', { summary: 'ok', status: 'completed' }, false, true],
  ])('%s', (_what, job, askedToComeBack, finished) => {
    expect(isFinished(job as Record<string, unknown>, askedToComeBack)).toBe(finished);
  });
});

describe('domainStates', () => {
  const domains = [
    { domain: 'WWW.A.com', status: 'processing', error: null },
    { domain: 'b.com', status: 'succeeded', error: null },
    { domain: 'c.com', status: 'stale', error: 'crawl_timeout' },
    { domain: 7 },
    'd.com',
  ];

  it('compares domains as the service normalizes them, and tells which are done', () => {
    expect([...domainStates({ domains }, false)]).toEqual([
      ['a.com', { status: 'processing', error: null, finished: false }],
      ['b.com', { status: 'succeeded', error: null, finished: true }],
      ['c.com', { status: 'stale', error: 'crawl_timeout', finished: true }],
    ]);
  });

  it('when the job is over, all of them are', () => {
    const states = [...domainStates({ domains: [{ domain: 'a.com', status: 'fresh' }] }, true)];
    expect(states).toEqual([['a.com', { status: 'fresh', error: null, finished: true }]]);
  });

  it('a job that lists no domains has none', () => {
    expect(domainStates({ domains: 'none' }, true).size).toBe(0);
  });
});

describe('jobIdOf', () => {
  it.each([
    ['job_1', 'job_1'],
    [' job_1 ', 'job_1'],
    [17, '17'],
  ])('%j', (value, id) => {
    expect(jobIdOf(value)).toBe(id);
  });

  it.each(['', '  ', null, undefined, {}, true])('%j is none', (value) => {
    expect(() => jobIdOf(value)).toThrow('There is no job ID');
  });
});
