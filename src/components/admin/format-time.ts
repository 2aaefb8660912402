// Made once: toLocaleString() makes one for each time, and a list has fifty.
const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

/** `20 Nov 2026`, of UTC text. */
export function formatDay(at: string): string {
  return DAY.format(new Date(at))
}

/** `20 Nov 2026, 10:00 UTC`, of UTC text. */
export function formatMoment(at: string): string {
  return `${MOMENT.format(new Date(at))} UTC`
}
