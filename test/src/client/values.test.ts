import { formatMoment, truncateText } from '../../../src/client/values';

it.each([
  ['', ''],
  ['four', 'four'],
  ['fives', 'five…'],
  // A character outside the 16-bit range is never split.
  ['abc🙂d', 'abc…'],
  ['ab🙂cd', 'ab🙂…'],
  ['a\u0000\nb', 'a b'],
])('truncates %j after four characters as %j', (text, short) => {
  expect(truncateText(text, 4)).toBe(short);
});

it.each([
  ['UTC', '2026-01-31T13:04:01Z'],
  ['Europe/Berlin', '2026-01-31T14:04:01+01:00'],
  ['America/New_York', '2026-01-31T08:04:01-05:00'],
  ['Asia/Kolkata', '2026-01-31T18:34:01+05:30'],
])('formats a moment in %s, never too early', (timeZone, text) => {
  expect(formatMoment(Date.parse('2026-01-31T13:04:00.001Z'), timeZone)).toBe(text);
});
