/** Returns whether the text is a day that the calendar has, as `YYYY-MM-DD`. Like in browsers, no year is 0. */
export function isCalendarDay(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const day = new Date(`${text}T00:00:00.000Z`)
  // A 30th of February becomes a day in March.
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}
