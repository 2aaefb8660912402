/** Returns whether the text is a day of the calendar, as `YYYY-MM-DD`. There is no year 0, as in browsers. */
export function isCalendarDay(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const day = new Date(`${text}T00:00:00.000Z`)
  // February 30 becomes a day in March.
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns the day of a moment in that time zone: `2026-11-20`. */
export function localDayOf(at: Date, timeZone: string): string {
  // Kept, because each view asks for it. Sweden writes days as ISO 8601 does.
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone })
  formats.set(timeZone, format)
  return format.format(at)
}
