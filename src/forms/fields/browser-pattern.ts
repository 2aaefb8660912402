// Syntax that RE2 and JavaScript interpret alike. Excluded: `.` and `\s` (they match different characters),
// flags, lookaround, properties.
const CHARACTER = String.raw`[\w ,:;#%&=<>~"'@!-]`
const ESCAPE = String.raw`\\[dwDW.+*?()[\]{}|/\\^$-]`
const CLASS = String.raw`\[\^?(?:[\w ,:;#%@.+*?$]|-(?!-)|${ESCAPE})+\]`
const QUANTIFIER = String.raw`(?:[*+?]|\{\d+(?:,\d*)?\})`
// A repeated group such as `(a+)+` may take a browser seconds. A fixed number of repeats is harmless.
const GROUP = String.raw`\((?:\?:)?|\)(?:\?|\{\d+\})?`
const SAME_IN_BOTH = new RegExp(
  String.raw`^\^?(?<between>(?:(?:${CHARACTER}|${ESCAPE}|${CLASS})${QUANTIFIER}?|${GROUP}|\|)+)\$?$`,
)
const MAX_LENGTH = 200

/**
 * Returns the value of an `<input>`'s `pattern` attribute; undefined if a browser could disagree with RE2, in
 * which case only the server checks. Leading and trailing spaces pass, because answers are trimmed before the
 * check. For the same reason a leading `^` and a trailing `$` are dropped; they have no effect, since the
 * whole answer must match.
 */
export function browserPattern(pattern: string): string | undefined {
  if (pattern.length > MAX_LENGTH || !compiles(pattern)) return undefined
  const between = SAME_IN_BOTH.exec(pattern)?.groups?.between
  return between === undefined ? undefined : String.raw`\s*(?:${between})\s*`
}

// Browsers compile the attribute with the `v` flag, which allows fewer escapes, and ignore a pattern that
// doesn't compile.
function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'v') instanceof RegExp
  } catch {
    return false
  }
}
