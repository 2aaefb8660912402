import type { DayOfWeek, OpeningHoursSpecification } from 'schema-dts'
import type { LayoutView } from '../../site/pages/layout-view.ts'

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
const TIME = '(\\d{1,2})(?:[:.](\\d{2}))?\\s*(am|pm)?'
const HOURS = new RegExp(`^${TIME}\\s*(?:to|-|–)\\s*${TIME}$`, 'i')
const NOON = 12

type Day = (typeof DAYS)[number]

/**
 * Parses opening hours in a readable form: `Monday to Friday`, `7 am to 7 pm`. Anything else (`emergency calls
 * only`) is for people and left out.
 */
export function openingHours(shown: LayoutView['openingHours']): OpeningHoursSpecification[] {
  return shown.flatMap(({ days, hours }) => {
    const dayOfWeek = readDays(days)
    const times = readHours(hours)
    if (!dayOfWeek || !times) return []
    return [{ '@type': 'OpeningHoursSpecification' as const, dayOfWeek, ...times }]
  })
}

function readDays(text: string): DayOfWeek[] | undefined {
  const [from, to, ...more] = text.split(/\s+to\s+|\s*[-–]\s*/i).map(findDay)
  if (!from || more.length > 0) return undefined
  if (!/\sto\s|[-–]/i.test(text)) return [from]
  return to && daysBetween(from, to)
}

function findDay(text: string): Day | undefined {
  return DAYS.find((day) => day.toLowerCase() === text.trim().toLowerCase())
}

function daysBetween(from: Day, to: Day): Day[] {
  const start = DAYS.indexOf(from)
  const length = ((DAYS.indexOf(to) - start + DAYS.length) % DAYS.length) + 1
  return [...DAYS, ...DAYS].slice(start, start + length)
}

function readHours(text: string): { opens: string; closes: string } | undefined {
  const [, hour = '', minute, half, lastHour = '', lastMinute, lastHalf] = HOURS.exec(text.trim()) ?? []
  const opens = toTime(hour, minute, half ?? lastHalf)
  const closes = toTime(lastHour, lastMinute, lastHalf)
  return opens && closes ? { opens, closes } : undefined
}

function toTime(hour: string, minute = '00', half?: string): string | undefined {
  const shown = Number(hour)
  if (hour === '' || shown > (half ? NOON : 23) || Number(minute) > 59) return undefined
  const inDay = half ? (shown % NOON) + (half.toLowerCase() === 'pm' ? NOON : 0) : shown
  return `${String(inDay).padStart(2, '0')}:${minute}`
}
