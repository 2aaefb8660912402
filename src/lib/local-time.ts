import type { Locale } from './locale.ts'

/** A moment as people of the place write it, with its zone: `Sunday 22 November 2026 at 14:02 GMT`. `at` is UTC text. */
export function formatLocalTime(
  at: string,
  { language, timeZone }: Pick<Locale, 'language' | 'timeZone'>,
): string {
  return new Intl.DateTimeFormat(language, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  }).format(new Date(at))
}
