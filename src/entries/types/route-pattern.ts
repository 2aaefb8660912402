import { isSlug } from '../../lib/slug.ts'
import type { Fault } from '../../messages/files/rules/rule.ts'

/** First address segments that belong to the program. */
const RESERVED_PARTS = new Set(['admin', 'api', 'forms', 'health', 'taxonomy'])
/** Addresses of pages that always exist. */
const RESERVED_PATHS = new Set(['/index', '/services', '/404', '/410', '/500'])
const PLACEHOLDER = /^\{[a-z][a-z0-9_]*\}$/

/**
 * Returns the entry slug for a path: the captures of all placeholders joined by `/` (§2.9 rule 4). Undefined if the
 * path doesn't match the pattern.
 */
export function matchRoute(pattern: string, path: string): string | undefined {
  const expected = segmentsOf(pattern)
  const actual = segmentsOf(path)
  if (expected.length !== actual.length) return undefined
  const matches = expected.every((segment, i) =>
    isPlaceholder(segment) ? isSlug(actual[i] ?? '') : segment === actual[i],
  )
  return matches ? actual.filter((_, i) => isPlaceholder(expected[i] ?? '')).join('/') : undefined
}

/**
 * Returns an entry's path: `/services/ac-repair/austin`. Undefined if the number of slug parts doesn't match the
 * number of placeholders.
 */
export function composeRoute(pattern: string, slug: string): string | undefined {
  return compileRoute(pattern)(slug.split('/'))
}

/** Returns a function that does the same for many entries of one pattern, taking the parts of a slug. */
export function compileRoute(pattern: string): (parts: readonly string[]) => string | undefined {
  const known = compiled.get(pattern)
  if (known) return known
  const texts = textsAround(pattern)
  const compose = (parts: readonly string[]) => {
    if (parts.length !== texts.length - 1 || !parts.every(isSlug)) return undefined
    let path = texts[0] as string
    for (let i = 0; i < parts.length; i++) path += `${parts[i]}${texts[i + 1]}`
    return path
  }
  if (compiled.size >= COMPILED_PATTERNS) compiled.clear()
  compiled.set(pattern, compose)
  return compose
}

const COMPILED_PATTERNS = 100
const compiled = new Map<string, (parts: readonly string[]) => string | undefined>()

// The texts before, between, and after the placeholders.
function textsAround(pattern: string): string[] {
  const texts = ['']
  for (const segment of segmentsOf(pattern)) {
    texts.push(`${texts.pop()}/${isPlaceholder(segment) ? '' : segment}`)
    if (isPlaceholder(segment)) texts.push('')
  }
  return texts
}

/** Returns the number of parts in the slug of an entry with this pattern. */
export function countPlaceholders(pattern: string): number {
  return listPlaceholders(pattern).length
}

/** Returns the placeholders of a pattern in order, which is the order of the slug's parts. */
export function listPlaceholders(pattern: string): string[] {
  return segmentsOf(pattern).filter(isPlaceholder)
}

/** Returns the problem with a route pattern; undefined if it is valid. */
export function checkRoutePattern(pattern: string): Fault | undefined {
  if (!pattern.startsWith('/')) return { code: 'route_start' }
  if (pattern.endsWith('/')) return { code: 'route_end' }
  const segments = segmentsOf(pattern)
  const wrong = segments.find((segment) => !isPlaceholder(segment) && !isSlug(segment))
  if (wrong !== undefined) return { code: 'route_segment', params: { segment: wrong } }
  const placeholders = segments.filter(isPlaceholder)
  if (placeholders.length === 0) return { code: 'route_placeholder_missing' }
  const part = segments[0] ?? ''
  if (RESERVED_PARTS.has(part)) return { code: 'route_reserved', params: { part } }
  if (new Set(placeholders).size < placeholders.length) return { code: 'route_placeholder_repeated' }
  return undefined
}

/** Returns whether an address belongs to the program. */
export function isReservedPath(path: string): boolean {
  return RESERVED_PATHS.has(path) || RESERVED_PARTS.has(segmentsOf(path)[0] ?? '')
}

function segmentsOf(path: string): string[] {
  return path.split('/').slice(1)
}

function isPlaceholder(segment: string): boolean {
  return PLACEHOLDER.test(segment)
}
