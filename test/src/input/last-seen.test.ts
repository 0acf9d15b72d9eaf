import fc from 'fast-check';

import { InputError } from '../../../src/input/inputs';
import { lastSeenIn } from '../../../src/input/last-seen';

const time = fc
  .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
  .map((date) => date.toISOString());

it('is the newest time anywhere in data, as JSON or as its text', () => {
  const rows = fc.array(
    fc.record({ last_seen_at: time, last_seen: time, deep: fc.record({ last_seen_at: time }) }),
    { minLength: 1 },
  );
  fc.assert(
    fc.property(rows, (technologies) => {
      const all = technologies.flatMap((one) => [
        one.last_seen_at,
        one.last_seen,
        one.deep.last_seen_at,
      ]);
      const newest = Math.max(...all.map((one) => Date.parse(one)));
      const data = { first_seen_at: '2999-01-01', enrichment: { technologies } };

      expect(lastSeenIn(data)).toBe(newest);
      expect(lastSeenIn(JSON.stringify(data))).toBe(newest);
    }),
  );
});

it('is a time itself', () => {
  fc.assert(
    fc.property(time, (text) => {
      expect(lastSeenIn(text)).toBe(Date.parse(text));
      expect(lastSeenIn(new Date(text))).toBe(Date.parse(text));
    }),
  );
});

it.each([undefined, null, '', [], {}, { technologies: [] }, { last_seen_at: 'n/a' }, '{"a": 1}'])(
  'is not said by %j',
  (data) => {
    expect(lastSeenIn(data)).toBeUndefined();
  },
);

it.each(['n/a', 'last week', 17, true])('%j is neither', (data) => {
  expect(() => lastSeenIn(data)).toThrow(InputError);
});

it('anything deep is read, and anything else is refused by name', () => {
  let deep: unknown = { last_seen_at: '2026-01-01' };
  for (let level = 0; level < 100_000; level += 1) deep = [deep];

  expect(lastSeenIn(deep)).toBe(Date.parse('2026-01-01'));
  fc.assert(
    fc.property(fc.anything(), (data) => {
      try {
        const seen = lastSeenIn(data);
        expect(['number', 'undefined']).toContain(typeof seen);
      } catch (error) {
        expect(error).toBeInstanceOf(InputError);
      }
    }),
  );
});
