import { timeOfUtcText } from '../../lib/locale/local-time.ts'

interface Formats {
  day: Intl.DateTimeFormat
  moment: Intl.DateTimeFormat
}

// Created once: toLocaleString() creates one per call, and a list has fifty.
const formats = new Map<string, Formats>()

/** Formats UTC text as `20 Nov 2026`; returns the text itself if it isn't a time. */
export function formatDay(at: string, timeZone: string): string {
  const time = timeOfUtcText(at)
  return time ? formatsOf(timeZone).day.format(time) : at
}

/** Formats UTC text as `20 Nov 2026, 10:00 UTC` in that time zone; returns the text itself if it isn't a time. */
export function formatMoment(at: string, timeZone: string): string {
  const time = timeOfUtcText(at)
  return time ? formatsOf(timeZone).moment.format(time) : at
}

/** Returns the time in machine-readable form; undefined if it isn't a time. */
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
