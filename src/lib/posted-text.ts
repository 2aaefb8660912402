import { canonicalJson } from './canonical-json.ts'

/**
 * Returns the stored text when a form posted it back untouched, else the posted one, trimmed. Browsers and the server
 * change line breaks and cut white space at the ends; an `<input>` (`isOneLine`) cannot hold a line break at all.
 */
export function postedText(
  posted: string,
  { stored, isOneLine = false }: { stored: string; isOneLine?: boolean },
): string {
  const isSame =
    isSameText(posted, stored) || (isOneLine && isSameText(posted, stored.replace(/[\r\n]/g, '')))
  return isSame ? stored : normalize(posted)
}

/** Returns whether a form posted a text back as it is stored, but for white space at the ends and the kind of line breaks. */
export function isSameText(posted: string, stored: string): boolean {
  return normalize(posted) === normalize(stored)
}

/**
 * Returns what a person edited, with the `stored` value for each key that came back as the form showed it: `shown` is
 * what reading that form gives when nobody touches it.
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
