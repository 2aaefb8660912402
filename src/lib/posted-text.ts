import { canonicalJson } from './canonical-json.ts'

/**
 * Returns the stored text if a form posted it back unchanged, otherwise the posted one, trimmed. Browsers and the
 * server change line breaks and trim white space; an `<input>` (`isOneLine`) cannot hold a line break at all.
 */
export function postedText(
  posted: string,
  { stored, isOneLine = false }: { stored: string; isOneLine?: boolean },
): string {
  const isSame =
    isSameText(posted, stored) || (isOneLine && isSameText(posted, stored.replace(/[\r\n]/g, '')))
  return isSame ? stored : normalize(posted)
}

/**
 * Returns whether a posted text equals the stored one, apart from white space at the ends and the kind of line breaks.
 */
export function isSameText(posted: string, stored: string): boolean {
  return normalize(posted) === normalize(stored)
}

/**
 * Returns what a person edited, with the `stored` value for each key that came back unchanged: `shown` is the result of
 * reading the untouched form.
 */
export function keepUntouched<T extends object>(
  edited: T,
  { shown, stored }: { shown: object; stored: object },
): T {
  const before = new Map(Object.entries(shown))
  const kept = new Map(Object.entries(stored))
  const isSame = (key: string, value: unknown) =>
    canonicalJson(value ?? null) === canonicalJson(before.get(key) ?? null)
  return Object.fromEntries(
    Object.entries(edited).map(([key, value]) => [key, isSame(key, value) ? kept.get(key) : value]),
  ) as T
}

function normalize(text: string): string {
  return text.replace(/\r\n?/g, '\n').trim()
}
