import { FairQueue } from '../../../../src/client/limiter/fair-queue';

/** Takes all entries that can be taken now, in order. */
function drain(queue: FairQueue<string>): string[] {
  const taken: string[] = [];
  for (let next = queue.next(); next !== undefined; next = queue.next()) taken.push(next.entry);
  return taken;
}

/** Returns a queue of entries that are named by their run and a number. */
function filled(share: number, ...names: string[]) {
  const queue = new FairQueue<string>(share);
  for (const name of names) queue.add(name.charAt(0), name, false);
  return queue;
}

it('alternates between runs, keeps the order within each, and serves a late run soon', () => {
  const queue = filled(9, 'a1', 'a2', 'a3', 'b1', 'c1');
  expect(queue.next()?.entry).toBe('a1');
  queue.add('d', 'd1', false);
  queue.add('b', 'b2', false);
  expect(drain(queue)).toEqual(['b1', 'c1', 'a2', 'd1', 'b2', 'a3']);
});

it('hands out no more entries of a run than its share in flight', () => {
  const queue = filled(2, 'a1', 'a2', 'a3', 'b1');
  queue.add('a', 'a retry', true);
  expect([queue.waiting, queue.ready]).toEqual([5, 3]);
  expect(drain(queue)).toEqual(['a retry', 'b1', 'a1']);
  expect([queue.waiting, queue.ready]).toEqual([2, 0]);
  queue.recordFinished('b');
  expect(queue.next()).toBeUndefined();
  queue.recordFinished('a');
  expect(drain(queue)).toEqual(['a2']);
});

it('removes waiting entries and returns them', () => {
  const queue = filled(9, 'a1', 'a2', 'b1', 'c1');
  expect(queue.removeAll((entry) => entry.endsWith('1'))).toEqual(['a1', 'b1', 'c1']);
  expect(queue.removeAll(() => false)).toEqual([]);
  expect(drain(queue)).toEqual(['a2']);
  expect([queue.waiting, queue.ready]).toEqual([0, 0]);
});
