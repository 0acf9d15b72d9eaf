const MINUTE_MS = 60_000;

/** Units of a wait: name, length in minutes, and the shortest wait, in minutes, that uses it. */
const UNITS = [
  ['day', 24 * 60, 48 * 60],
  ['hour', 60, 120],
  ['minute', 1, 0],
] as const;

/**
 * Formats a future time for messages: `in 12 minutes, at 14:05 Europe/Berlin (12:05 UTC)`, with the date
 * unless it is today.
 *
 * @param at Unix milliseconds, rounded up to the minute, so that no retry comes too early.
 * @param timeZone an IANA name, such as that of the workflow; other values mean UTC.
 */
export function formatMoment(at: number, timeZone = 'UTC', now = Date.now()): string {
  const moment = Math.ceil(at / MINUTE_MS) * MINUTE_MS;
  const utc = formatClock('UTC');
  const local = formatClockIn(timeZone) ?? utc;
  const [today] = local(now);
  const [day, time] = local(moment);
  const [utcDay, utcTime] = utc(moment);
  const zone = local === utc ? 'UTC' : timeZone;
  const shown = `${day === today ? '' : `${day} `}${time} ${zone}`;
  const behind = ` (${utcDay === day ? '' : `${utcDay} `}${utcTime} UTC)`;
  return `${formatWait(at - now)}, at ${shown}${zone === 'UTC' ? '' : behind}`;
}

function formatWait(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / MINUTE_MS));
  const [unit, size] = UNITS.find(([, , from]) => minutes >= from) ?? UNITS[2];
  return new Intl.RelativeTimeFormat('en').format(Math.round(minutes / size), unit);
}

/** Returns a function that formats date and time in a time zone: `['2026-01-31', '14:05']`. */
function formatClock(timeZone: string): (at: number) => string[] {
  // The Swedish locale writes dates as in ISO 8601.
  const written = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  return (at) => written.format(at).split(' ');
}

function formatClockIn(timeZone: string): ReturnType<typeof formatClock> | undefined {
  try {
    return formatClock(timeZone);
  } catch {
    return undefined;
  }
}
