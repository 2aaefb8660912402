import { localTimeFormat } from '#src/lib/locale/local-time.ts'

/**
 * Returns the UTC text of a local time such as `2026-11-22T14:02`; undefined if it isn't one. Unlike `utcTextOf`, it
 * works in every browser, but may be an hour off on the night when clocks change.
 */
export function momentOf(local: string, timeZone: string): string | undefined {
  const asUtc = Date.parse(`${local}Z`)
  if (Number.isNaN(asUtc)) return undefined
  const shown = localTimeFormat(timeZone)(new Date(asUtc).toISOString()).replace(' ', 'T')
  return new Date(2 * asUtc - Date.parse(`${shown}Z`)).toISOString()
}
