import { RE2JS, RE2JSException } from 're2js'

const CACHED_PATTERNS = 500
// Matching takes linear time but with a large factor: the worst pattern tried took 200 ms for 60,000
// characters.
const MAX_MATCHED_LENGTH = 10_000

const compiled = new Map<string, RE2JS | undefined>()

/** Returns the problem with a pattern, or undefined. Patterns use RE2 syntax, which matches in linear time. */
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
 * Returns whether the whole value matches; always false above 10,000 characters. A pattern that doesn't
 * compile matches everything: saving refuses such patterns, and one that got into the table another way must
 * not cost a lead.
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
