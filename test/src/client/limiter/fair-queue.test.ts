import { FairQueue } from '../../../../src/client/limiter/fair-queue';

/** Takes all entries that can be taken now, in order. */
function drain(queue: FairQueue<string>): string[] {
  const taken: string[] = [];
  for (let next = queue.next(); next !== undefined; next = queue.next()) taken.push(next.entry);
  return taken;
}

function filled(share: number, ...things: Array<[run: string, thing: string, again?: boolean]>) {
  const queue = new FairQueue<string>(share);
  for (const [run, thing, again = false] of things) queue.add(run, thing, again);
  return queue;
}

it('alternates between runs, and keeps the order within each run', () => {
  const queue = filled(9, ['a', 'a1'], ['a', 'a2'], ['a', 'a3'], ['b', 'b1'], ['c', 'c1']);
  queue.add('b', 'b2', false);
  expect(drain(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

it('serves a run that joins late within the next two turns', () => {
  const queue = filled(9, ['a', 'a1'], ['a', 'a2'], ['a', 'a3']);
  expect(queue.next()?.entry).toBe('a1');
  queue.add('b', 'b1', false);
  expect([queue.next()?.entry, queue.next()?.entry].sort()).toEqual(['a2', 'b1']);
});

it('hands out retries first, also those of other runs', () => {
  const queue = filled(9, ['a', 'a1'], ['a', 'a again', true], ['b', 'b1'], ['b', 'b again', true]);
  expect(drain(queue)).toEqual(['a again', 'b again', 'a1', 'b1']);
});

it('hands out no more entries of a run than its share in flight', () => {
  const queue = filled(2, ['a', 'a1'], ['a', 'a2'], ['a', 'a3'], ['a', 'a4', true], ['b', 'b1']);
  expect([queue.waiting, queue.ready]).toEqual([5, 3]);
  expect(drain(queue)).toEqual(['a4', 'b1', 'a1']);
  expect([queue.waiting, queue.ready]).toEqual([2, 0]);
  queue.recordFinished('b');
  expect(queue.next()).toBeUndefined();
  queue.recordFinished('a');
  expect(drain(queue)).toEqual(['a2']);
});

it('does not hand out removed entries, and ignores the removal of unknown ones', () => {
  const queue = filled(9, ['a', 'a1'], ['a', 'a2'], ['b', 'b1', true]);
  queue.remove('a', 'a1');
  queue.remove('b', 'b1');
  queue.remove('unknown', 'x');
  queue.remove('a', 'never there');
  expect([queue.waiting, queue.ready]).toEqual([1, 1]);
  expect(drain(queue)).toEqual(['a2']);
});

it('returns the removed entries, and keeps the others in order', () => {
  const queue = filled(9, ['a', 'a1'], ['b', 'b1'], ['a', 'a2'], ['b', 'b2', true]);
  expect(queue.removeAll((thing) => thing.endsWith('2')).sort()).toEqual(['a2', 'b2']);
  expect(drain(queue)).toEqual(['a1', 'b1']);
});

it('hands out each of 50,000 entries of one run once, in order', () => {
  const entries = Array.from({ length: 50_000 }, (_unused, index) => `${index}`);
  const queue = new FairQueue<string>(Infinity);
  for (const entry of entries) queue.add('a', entry, false);
  const taken = drain(queue);
  expect(taken).toHaveLength(entries.length);
  expect(taken.findIndex((entry, index) => entry !== entries[index])).toBe(-1);
  expect([queue.waiting, queue.ready]).toEqual([0, 0]);
});
