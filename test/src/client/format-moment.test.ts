import { formatMoment } from '../../../src/client/format-moment';

const NOW = Date.parse('2026-11-26T11:52:30Z');
const ROME = 'Europe/Rome';
const NEW_YORK = 'America/New_York';

it.each([
  ['2026-11-26T12:04:20Z', 'Europe/Berlin', 'in 12 minutes, at 13:05 Europe/Berlin (12:05 UTC)'],
  ['2026-11-26T11:52:31Z', 'Europe/Berlin', 'in 1 minute, at 12:53 Europe/Berlin (11:53 UTC)'],
  ['2026-11-26T11:52:00Z', 'Europe/Berlin', 'in 1 minute, at 12:52 Europe/Berlin (11:52 UTC)'],
  ['2026-11-26T13:52:30Z', 'Asia/Kolkata', 'in 2 hours, at 19:23 Asia/Kolkata (13:53 UTC)'],
  // Tomorrow in Rome, today in UTC.
  ['2026-11-26T23:30:00Z', ROME, `in 12 hours, at 2026-11-27 00:30 ${ROME} (2026-11-26 23:30 UTC)`],
  // Today in New York, tomorrow in UTC.
  ['2026-11-27T00:00:00Z', NEW_YORK, `in 12 hours, at 19:00 ${NEW_YORK} (2026-11-27 00:00 UTC)`],
  ['2026-12-01T00:00:00Z', 'UTC', 'in 5 days, at 2026-12-01 00:00 UTC'],
  ['2026-11-26T12:04:20Z', 'DEFAULT', 'in 12 minutes, at 12:05 UTC'],
  ['2026-11-26T12:04:20Z', undefined, 'in 12 minutes, at 12:05 UTC'],
])('formats %s in %s as "%s"', (at, timeZone, text) => {
  expect(formatMoment(Date.parse(at), timeZone, NOW)).toBe(text);
});

it('formats the last time that a JavaScript date can hold', () => {
  expect(formatMoment(8.64e15, 'Europe/Berlin', NOW)).toContain('275760');
});
