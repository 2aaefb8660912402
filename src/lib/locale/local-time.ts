import type { Locale } from './locale.ts'

// SQLite's own format, which submissions from before there were several forms may have.
const WITHOUT_ZONE = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)$/

/** Returns the moment of a UTC text; undefined when the text is not a time. */
export function timeOfUtcText(text: string): Date | undefined {
  const time = new Date(text.replace(WITHOUT_ZONE, '$1T$2Z'))
  return Number.isNaN(time.getTime()) ? undefined : time
}

/** A moment in the format of its country, with the zone: `Sunday 22 November 2026 at 14:02 GMT`. `at` is UTC text. */
export function formatLocalTime(
  at: string,
  { language, timeZone }: Pick<Locale, 'language' | 'timeZone'>,
): string {
  const time = timeOfUtcText(at)
  const format = new Intl.DateTimeFormat(language, {
    ...({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const),
    ...({ hour: 'numeric', minute: '2-digit', timeZoneName: 'short', timeZone } as const),
  })
  return time ? format.format(time) : at
}

/**
 * Formats UTC text for spreadsheets, in this time zone: `2026-11-22 14:02:01`. Text that is not a time stays unchanged.
 */
export function localTimeFormat(timeZone: string): (at: string) => string {
  // Sweden writes dates as ISO 8601 does.
  const format = new Intl.DateTimeFormat('sv-SE', {
    ...({ year: 'numeric', month: '2-digit', day: '2-digit' } as const),
    ...({ hour: '2-digit', minute: '2-digit', second: '2-digit', timeZone } as const),
  })
  return (at) => {
    const time = timeOfUtcText(at)
    return time ? format.format(time) : at
  }
}

/**
 * UTC text of a local time such as `2026-11-22T14:02`; undefined when it is not one. When clocks repeat an hour, the
 * first one counts.
 */
export function utcTextOf(local: string, timeZone: string): string | undefined {
  if (!LOCAL_TIME.test(local)) return undefined
  try {
    const { epochMilliseconds } = Temporal.PlainDateTime.from(local, { overflow: 'reject' }).toZonedDateTime(
      timeZone,
    )
    return new Date(epochMilliseconds).toISOString()
  } catch {
    return undefined
  }
}

const LOCAL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?$/

/** The local time of UTC text for an input of type `datetime-local`: `2026-11-22T14:02`. */
export function localInputOf(at: string, timeZone: string): string {
  return localTimeFormat(timeZone)(at).slice(0, 'yyyy-mm-dd hh:mm'.length).replace(' ', 'T')
}
