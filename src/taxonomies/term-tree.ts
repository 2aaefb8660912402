import type { Term } from './taxonomy-store.ts'

export interface TermNode extends Term {
  parent: TermNode | null
  /** In position order. */
  children: TermNode[]
}

export interface TermTree {
  roots: TermNode[]
  byId: Map<number, TermNode>
  bySlug: Map<string, TermNode>
}

/**
 * Builds the tree of one taxonomy's terms (§2.7); siblings are sorted by position, then ID. If rows form a cycle,
 * one of them becomes a root, so that walking up or down always ends.
 */
export function buildTermTree(terms: readonly Term[]): TermTree {
  const nodes = terms.map((term): TermNode => ({ ...term, parent: null, children: [] }))
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const roots: TermNode[] = []
  for (const node of nodes.toSorted((a, b) => a.position - b.position || a.id - b.id)) {
    const above = node.parentId === null ? undefined : byId.get(node.parentId)
    if (above && !isAtOrBelow(above, node)) node.parent = above
    const siblings = node.parent?.children ?? roots
    siblings.push(node)
  }
  return { roots, byId, bySlug: new Map(nodes.map((node) => [node.slug, node])) }
}

function isAtOrBelow(node: TermNode, top: TermNode): boolean {
  for (let above: TermNode | null = node; above; above = above.parent) if (above === top) return true
  return false
}

/** Returns the ancestors of a term, root first, without the term itself. */
export function ancestorsOf(node: TermNode): TermNode[] {
  const ancestors: TermNode[] = []
  for (let above = node.parent; above; above = above.parent) ancestors.unshift(above)
  return ancestors
}

/** Returns the slugs from the root joined by `/`: `united-states/texas/austin`. */
export function pathOf(node: TermNode): string {
  return [...ancestorsOf(node), node].map((term) => term.slug).join('/')
}

/** Returns whether the node is the term with this slug or below it. */
export function isWithin(node: TermNode, slug: string): boolean {
  return node.slug === slug || ancestorsOf(node).some((term) => term.slug === slug)
}

/** Lists every term below a node, depth first in position order. */
export function descendantsOf(node: TermNode): TermNode[] {
  return node.children.flatMap((child) => [child, ...descendantsOf(child)])
}
