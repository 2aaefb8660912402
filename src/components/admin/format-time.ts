// Made once: toLocaleString() makes one for each time, and a list has fifty.
const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

// As SQLite writes the present by itself, and submissions from before there were several forms may have it.
const WITHOUT_ZONE = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)$/

/** `20 Nov 2026`, of UTC text; the text itself when it is no time. */
export function formatDay(at: string): string {
  const time = timeOf(at)
  return time ? DAY.format(time) : at
}

/** `20 Nov 2026, 10:00 UTC`, of UTC text; the text itself when it is no time. */
export function formatMoment(at: string): string {
  const time = timeOf(at)
  return time ? `${MOMENT.format(time)} UTC` : at
}

/** The time as every machine reads it; undefined when it is none. */
export function toUtcText(at: string): string | undefined {
  return timeOf(at)?.toISOString()
}

function timeOf(at: string): Date | undefined {
  const time = new Date(at.replace(WITHOUT_ZONE, '$1T$2Z'))
  return Number.isNaN(time.getTime()) ? undefined : time
}
