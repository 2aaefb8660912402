// Syntax that RE2 and JavaScript read alike. Left out: `.` and `\s` (other characters), flags, look-around, properties.
const CHARACTER = String.raw`[\w ,:;#%&=<>~"'@!-]`
const ESCAPE = String.raw`\\[dwDW.+*?()[\]{}|/\\^$-]`
const CLASS = String.raw`\[\^?(?:[\w ,:;#%@.+*?$]|-(?!-)|${ESCAPE})+\]`
const QUANTIFIER = String.raw`(?:[*+?]|\{\d+(?:,\d*)?\})`
// A repeated group may take a browser seconds (`(a+)+`); a fixed number of times is harmless.
const GROUP = String.raw`\((?:\?:)?|\)(?:\?|\{\d+\})?`
const SAME_IN_BOTH = new RegExp(
  String.raw`^\^?(?<between>(?:(?:${CHARACTER}|${ESCAPE}|${CLASS})${QUANTIFIER}?|${GROUP}|\|)+)\$?$`,
)
const MAX_LENGTH = 200

/**
 * The pattern for an `<input>`'s `pattern` attribute, or undefined when a browser could judge otherwise than RE2: then
 * only the server looks. Spaces at the ends pass, because an answer is trimmed before it is checked; that is why a first
 * `^` and a last `$`, which say nothing where the whole answer has to match, are left out.
 */
export function browserPattern(pattern: string): string | undefined {
  if (pattern.length > MAX_LENGTH || !compiles(pattern)) return undefined
  const between = SAME_IN_BOTH.exec(pattern)?.groups?.between
  return between === undefined ? undefined : String.raw`\s*(?:${between})\s*`
}

// Browsers compile the attribute with the flag `v`, which knows fewer escapes, and ignore a pattern that doesn't
// compile.
function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'v') instanceof RegExp
  } catch {
    return false
  }
}
