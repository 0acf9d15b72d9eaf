import fc from 'fast-check';
import { DateTime, Duration } from 'luxon';

import { InputError } from '../../../src/input/inputs';
import { findLastSeen } from '../../../src/input/last-seen';
import { attempt } from './support';

const dateFrom = (ms: number) =>
  fc.date({ min: new Date(ms), max: new Date(4e12), noInvalidDate: true });
const time = dateFrom(0).map((date) => date.toISOString());

it('finds the newest time anywhere in an object or its JSON text', () => {
  const row = fc.record({
    last_seen_at: time,
    last_seen: time,
    deep: fc.record({ last_seen_at: time }),
  });
  fc.assert(
    fc.property(fc.array(row, { minLength: 1 }), (technologies) => {
      const all = technologies.flatMap((one) => [
        one.last_seen_at,
        one.last_seen,
        one.deep.last_seen_at,
      ]);
      const newest = Math.max(...all.map((one) => Date.parse(one)));
      const data = { first_seen_at: '2999-01-01', enrichment: { technologies } };

      expect(findLastSeen(data)).toBe(newest);
      expect(findLastSeen(JSON.stringify(data))).toBe(newest);
    }),
  );
});

it('accepts a time in every form that expressions return', () => {
  fc.assert(
    fc.property(dateFrom(2e11), (date) => {
      const ms = date.getTime();
      const forms = [date, date.toISOString(), ms, String(ms), DateTime.fromMillis(ms)];

      for (const form of [...forms, DateTime.fromMillis(ms).setZone('Asia/Tokyo').toISO()]) {
        expect(findLastSeen(form)).toBe(ms);
        expect(findLastSeen({ technologies: [{ last_seen_at: form }] })).toBe(ms);
      }
      expect(findLastSeen(Math.floor(ms / 1000))).toBe(Math.floor(ms / 1000) * 1000);
    }),
  );
});

it.each([
  ...[undefined, null, '', [], {}, '{"a": 1}'],
  ...[{ technologies: [] }, { last_seen_at: 'n/a' }],
])('finds no time in %j', (data) => {
  expect(findLastSeen(data)).toBeUndefined();
});

it.each([
  ...['n/a', 'last week', '11/10/2026', '31.01.2026', '2026', '{"cut', '17', 17, -1, NaN, true],
  ...[new Date(NaN), DateTime.invalid('no'), Duration.fromObject({ days: 3 })],
])('refuses %j, which is neither an exact time nor data', (data) => {
  expect(() => findLastSeen(data)).toThrow(InputError);
});

it('reads deeply nested data, and throws nothing but an InputError for any value', () => {
  let deep: unknown = { last_seen_at: '2026-01-01' };
  for (let level = 0; level < 100_000; level += 1) deep = [deep];

  expect(findLastSeen(deep)).toBe(Date.parse('2026-01-01'));
  fc.assert(
    fc.property(fc.anything(), (data) => {
      const seen = attempt(() => findLastSeen(data));
      if (!(seen instanceof InputError)) expect(['number', 'undefined']).toContain(typeof seen);
    }),
  );
});
