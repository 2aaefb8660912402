const ATTRIBUTES = `(?:[^>"']|"[^"]*"|'[^']*')*`
// Whole elements that a head can have, and comments.
const WHOLE = new RegExp(
  String.raw`<!--[\s\S]*?-->|<(script|style|title|noscript|template)\b${ATTRIBUTES}>[\s\S]*?</\1\s*>|<(?:meta|link|base)\b${ATTRIBUTES}>`,
  'gi',
)
const SHOWN_LENGTH = 40

/**
 * Returns the start of what would end a page's head, or hide what follows: text, an element of the body, or a tag without its
 * counterpart; undefined if there is nothing such.
 */
export function findHeadMistake(html: string): string | undefined {
  const left = html.replace(WHOLE, '').trim()
  return left === '' ? undefined : left.slice(0, SHOWN_LENGTH)
}
