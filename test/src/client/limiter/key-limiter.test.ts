import { CancelledError, NotAttemptedError, RateLimitError } from '../../../../src/client/errors';
import { RUN_CONCURRENT } from '../../../../src/client/settings';
import { KEY_CONCURRENT } from '../../../../src/client/limiter/permits';
import { controlTime, limited, times } from '../support/limited-service';

const MINUTE = 60_000;
const windowMs = MINUTE;

const refusal = new NotAttemptedError({ code: 'no', message: 'no', hint: 'no' });
const beforeSend = () => {
  throw refusal;
};

const passTime = controlTime();
const pass = async (ms = 1_000) => await passTime(ms);

const settled = async (promises: ReadonlyArray<Promise<unknown>>) =>
  (await Promise.allSettled(promises)).map((one) =>
    one.status === 'rejected' ? (one.reason as unknown) : one.value,
  );

it('keeps no more requests in flight than the maximum of the key and of a run', async () => {
  const { service } = limited(10_000);
  const held = times(200, (index) => service.hold(`${index}`, { run: `run ${index % 2}` }));
  await pass();
  expect(service.arrivals).toHaveLength(KEY_CONCURRENT);
  for (const { answer } of held) answer();
  await pass();
  expect(service.arrivals).toHaveLength(200);
  times(RUN_CONCURRENT + 5, (index) => service.hold(`${index}`));
  void service.send('other', { run: 'other' });
  await pass();
  expect(service.arrivals).toHaveLength(200 + RUN_CONCURRENT + 1);
});

it('leaves to other runs the slots that were asked for them', async () => {
  const { service } = limited(10_000);
  const busy = times(RUN_CONCURRENT - 1, () => service.hold('busy'));
  await pass();
  const stop = new AbortController();
  const leaving = times(
    5,
    async () => await service.send('leaving', { run: 2, signal: stop.signal }),
  );
  times(5, () => service.hold('busy'));
  stop.abort();
  await settled([...leaving, pass()]);
  expect(service.arrivals).toHaveLength(RUN_CONCURRENT);
  expect(busy).toHaveLength(RUN_CONCURRENT - 1);
});

it('alternates between runs, serves a late run soon, and sends retries of a run first', async () => {
  const { service } = limited(10_000);
  const held = times(KEY_CONCURRENT, (index) => service.hold('', { run: index % 2 }));
  await pass();
  for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'a retry']) {
    service.hold(name, { run: name.charAt(0), isRetry: name === 'a retry' });
  }
  await pass();
  held[0]!.answer();
  await pass();
  void service.send('d1', { run: 'd' });
  for (const { answer } of held) answer();
  await pass();
  const order = ['a retry', 'b1', 'c1', 'a1', 'd1', 'a2', 'a3'];
  expect(service.names.slice(KEY_CONCURRENT)).toEqual(order);
});

it('passes on a failure, and still counts the request', async () => {
  const { limiter, service } = limited(1, { windowMs });
  const fail = () => Promise.reject(new Error('broken'));
  const failing = limiter.run(fail, { run: 'one', isRetry: false });
  void service.send('next');
  expect(await settled([failing, pass()])).toMatchObject([{ message: 'broken' }, undefined]);
  expect(service.arrivals).toHaveLength(0);
  await pass(windowMs);
  expect(service.arrivals).toHaveLength(1);
});

it('gives the permit of a request that is refused before it is sent to the next one', async () => {
  const { service } = limited(1, { windowMs });
  const refused = service.send('refused', { beforeSend });
  void service.send('next');
  expect(await settled([refused, pass()])).toEqual([refusal, undefined]);
  expect(service.names).toEqual(['next']);
});

it('is idle unless requests wait, run or count, or the key pauses', async () => {
  const { limiter, service } = limited(1, { windowMs });
  const seen = [limiter.isIdle];
  const look = async (ms: number) => {
    await pass(ms);
    seen.push(limiter.isIdle);
  };
  const { answer, done } = service.hold('1');
  seen.push(limiter.isIdle);
  await look(1_000);
  answer();
  await done;
  await look(windowMs - 10);
  await look(20);
  limiter.throttle(50, undefined);
  await look(0);
  await look(60);
  expect(seen).toEqual([true, false, false, false, true, false, true]);
});

describe('a pause', () => {
  it('holds requests that are queued before and during it until the longest one ends', async () => {
    const { limiter, service } = limited();
    const held = times(RUN_CONCURRENT, (index) => service.hold(`${index}`));
    void service.send('before');
    await pass();
    const begun = performance.now();
    limiter.throttle(2_000, undefined);
    limiter.throttle(20, undefined);
    for (const { answer } of held) answer();
    void service.send('during');
    await pass(1_990);
    expect(service.arrivals).toHaveLength(RUN_CONCURRENT);
    limiter.throttle(500, undefined);
    await pass();
    const late = service.arrivals.slice(RUN_CONCURRENT);
    expect(late).toHaveLength(2);
    expect(late[0]! - begun).toBeGreaterThanOrEqual(2_490);
  });

  it('refuses requests, queued or new, whose run may not wait so long, and says when it ends', async () => {
    const { limiter, service } = limited();
    limiter.throttle(1_000, undefined);
    const queued = service.send('queued', { maxPauseMs: 2_000 });
    limiter.throttle(MINUTE, undefined);
    let one: unknown;
    queued.catch((error: unknown) => (one = error));
    await pass(0);
    expect(one).toBeInstanceOf(RateLimitError);
    const [other] = await settled([service.send('fresh', { maxPauseMs: 2_000 })]);
    for (const error of [one, other]) {
      if (!(error instanceof RateLimitError)) throw error;
      const resetsAt = Date.parse(String(error.details.resets_at));
      expect(resetsAt - Date.now()).toBeGreaterThanOrEqual(MINUTE);
    }
    expect(service.arrivals).toEqual([]);
  });
});

describe('cancelling', () => {
  it.each(['queued behind its run', 'without a permit', 'in a pause', 'from the start'])(
    'a request %s rejects it at once, and the next one gets its permit',
    async (where) => {
      const isBehind = where.startsWith('queued');
      const { limiter, service } = limited(isBehind ? RUN_CONCURRENT + 1 : 1, { windowMs });
      const held = times(isBehind ? RUN_CONCURRENT : 0, () => service.hold('held'));
      if (where === 'without a permit') await Promise.all([service.send('first'), pass()]);
      if (where === 'in a pause') limiter.throttle(5_000, undefined);
      const stopping = new AbortController();
      if (where === 'from the start') stopping.abort();
      const cancelled = service.send('cancelled', { signal: stopping.signal });
      const next = service.send('next');
      const outcomes = settled([cancelled]);
      await pass(100);
      stopping.abort();
      expect((await outcomes)[0]).toBeInstanceOf(CancelledError);
      for (const { answer } of held) answer();
      await pass(windowMs + 5_000);
      await next;
      expect(service.names).not.toContain('cancelled');
      expect(service.names.at(-1)).toBe('next');
    },
  );

  it('a request in flight rejects it at once, but it still counts', async () => {
    const { service } = limited(1, { windowMs });
    const stopping = new AbortController();
    const { answer, done } = service.hold('cancelled', { signal: stopping.signal });
    const outcomes = settled([done]);
    void service.send('next');
    await pass();
    stopping.abort();
    expect((await outcomes)[0]).toBeInstanceOf(CancelledError);
    answer();
    await pass(windowMs - 10);
    expect(service.names).toEqual(['cancelled']);
    await pass(20);
    expect(service.names).toEqual(['cancelled', 'next']);
  });
});
