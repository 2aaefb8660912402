import { timeOfUtcText } from '../../lib/locale/local-time.ts'

interface Formats {
  day: Intl.DateTimeFormat
  dayOfYear: Intl.DateTimeFormat
  time: Intl.DateTimeFormat
  zonedTime: Intl.DateTimeFormat
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

/** Formats UTC text for a list: `10:00 AM` if it is today in that time zone, otherwise `Nov 20`, with the year if it is another. */
export function formatBrief(at: string, timeZone: string, now = new Date()): string {
  const time = timeOfUtcText(at)
  if (!time) return at
  const { day, dayOfYear, time: ofToday } = formatsOf(timeZone)
  const [shown, today] = [time, now].map((one) => day.format(one))
  if (shown === today) return ofToday.format(time)
  return shown?.slice(-4) === today?.slice(-4) ? dayOfYear.format(time) : (shown ?? at)
}

/** Formats UTC text for a table: `Nov 20, 10:00 AM` in that time zone, with the year if it is another. */
export function formatShort(at: string, timeZone: string, now = new Date()): string {
  const time = timeOfUtcText(at)
  if (!time) return at
  const { day, dayOfYear, time: clock } = formatsOf(timeZone)
  const isThisYear = day.format(time).slice(-4) === day.format(now).slice(-4)
  return `${(isThisYear ? dayOfYear : day).format(time)}, ${clock.format(time)}`
}

/** Formats UTC text for a button: `Nov 20, 10:00 AM UTC` in that time zone, with the year if it is another. */
export function formatSchedule(at: string, timeZone: string, now = new Date()): string {
  const time = timeOfUtcText(at)
  if (!time) return at
  const { day, dayOfYear, zonedTime } = formatsOf(timeZone)
  const isThisYear = day.format(time).slice(-4) === day.format(now).slice(-4)
  return `${(isThisYear ? dayOfYear : day).format(time)}, ${zonedTime.format(time)}`
}

/** Formats UTC text as `10:00 AM UTC` if it is today in that time zone, otherwise like `formatMoment`. */
export function formatRecent(at: string, timeZone: string, now = new Date()): string {
  const time = timeOfUtcText(at)
  if (!time) return at
  const { day, zonedTime, moment } = formatsOf(timeZone)
  return (day.format(time) === day.format(now) ? zonedTime : moment).format(time)
}

/** Returns the time in machine-readable form; undefined if it isn't a time. */
export function toUtcText(at: string): string | undefined {
  return timeOfUtcText(at)?.toISOString()
}

function formatsOf(timeZone: string): Formats {
  const known = formats.get(timeZone)
  if (known) return known
  const dayOfYear = { day: 'numeric', month: 'short', timeZone } as const
  const day = { ...dayOfYear, year: 'numeric' } as const
  const time = { hour: 'numeric', minute: '2-digit', timeZone } as const
  const zonedTime = { ...time, timeZoneName: 'short' } as const
  const made = {
    day: new Intl.DateTimeFormat('en-US', day),
    dayOfYear: new Intl.DateTimeFormat('en-US', dayOfYear),
    time: new Intl.DateTimeFormat('en-US', time),
    zonedTime: new Intl.DateTimeFormat('en-US', zonedTime),
    moment: new Intl.DateTimeFormat('en-US', { ...day, ...zonedTime }),
  }
  formats.set(timeZone, made)
  return made
}
