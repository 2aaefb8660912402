import { timeOfUtcText } from '../../lib/locale/local-time.ts'

interface Formats {
  day: Intl.DateTimeFormat
  moment: Intl.DateTimeFormat
}

// Made once: toLocaleString() makes one for each time, and a list has fifty.
const formats = new Map<string, Formats>()

/** `20 Nov 2026`, of UTC text; the text itself when it is not a time. */
export function formatDay(at: string, timeZone: string): string {
  const time = timeOfUtcText(at)
  return time ? formatsOf(timeZone).day.format(time) : at
}

/** `20 Nov 2026, 10:00 UTC`, of UTC text, in that time zone; the text itself when it is not a time. */
export function formatMoment(at: string, timeZone: string): string {
  const time = timeOfUtcText(at)
  return time ? formatsOf(timeZone).moment.format(time) : at
}

/** The time as every machine reads it; undefined when it is none. */
export function toUtcText(at: string): string | undefined {
  return timeOfUtcText(at)?.toISOString()
}

function formatsOf(timeZone: string): Formats {
  const known = formats.get(timeZone)
  if (known) return known
  const day = { day: 'numeric', month: 'short', year: 'numeric', timeZone } as const
  const time = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const
  const made = {
    day: new Intl.DateTimeFormat('en-US', day),
    moment: new Intl.DateTimeFormat('en-US', { ...day, ...time }),
  }
  formats.set(timeZone, made)
  return made
}
