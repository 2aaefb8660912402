import { RE2JS, RE2JSException } from 're2js'

const CACHED_PATTERNS = 500
// Linear time, but with a large factor: the worst pattern tried took 200 ms for 60,000 characters.
const MAX_MATCHED_LENGTH = 10_000

const compiled = new Map<string, RE2JS | undefined>()

/** Returns the problem with a pattern, or undefined. Patterns are RE2 syntax, which matches in linear time. */
export function patternProblem(pattern: string): string | undefined {
  try {
    RE2JS.compile(pattern)
    return undefined
  } catch (error) {
    if (error instanceof RE2JSException) return error.message
    throw error
  }
}

/**
 * Returns whether the whole value matches; one of more than 10,000 characters never does. A pattern that does not compile passes everything: it is refused when a form is
 * saved, and one that got into the table past that must not cost a visitor's message.
 */
export function matchesPattern(pattern: string, value: string): boolean {
  const matcher = compilePattern(pattern)
  return !matcher || (value.length <= MAX_MATCHED_LENGTH && matcher.matches(value))
}

function compilePattern(pattern: string): RE2JS | undefined {
  if (compiled.has(pattern)) return compiled.get(pattern)
  if (compiled.size >= CACHED_PATTERNS) compiled.clear()
  const matcher = patternProblem(pattern) === undefined ? RE2JS.compile(pattern) : undefined
  compiled.set(pattern, matcher)
  return matcher
}
