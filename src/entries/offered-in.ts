import { descendantsOf, type TermNode, type TermTree } from '../taxonomies/term-tree.ts'

const PATTERN = /^(?<slug>[^/]+)(?:\/(?<depth>\*\*?))?$/

/**
 * The locations that the patterns of a service name (contract §3): `austin` is that term, `texas/*` its children,
 * `texas/**` it and all below. Each term once, in the order of the patterns. `unknown` holds the patterns that name
 * no term.
 */
export function expandOfferedIn(
  patterns: readonly string[],
  tree: TermTree,
): { terms: TermNode[]; unknown: string[] } {
  const terms = new Set<TermNode>()
  const unknown: string[] = []
  for (const pattern of patterns) {
    const matches = expandPattern(pattern, tree)
    if (!matches) unknown.push(pattern)
    for (const term of matches ?? []) terms.add(term)
  }
  return { terms: [...terms], unknown }
}

/** The term slug that a pattern names; undefined when it is of none of the three forms. */
export function locationOfPattern(pattern: string): string | undefined {
  return PATTERN.exec(pattern)?.groups?.slug
}

function expandPattern(pattern: string, tree: TermTree): TermNode[] | undefined {
  const { slug = '', depth } = PATTERN.exec(pattern)?.groups ?? {}
  const term = tree.bySlug.get(slug)
  if (!term) return undefined
  if (depth === undefined) return [term]
  return depth === '*' ? term.children : [term, ...descendantsOf(term)]
}
