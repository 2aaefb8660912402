import type { TermNode, TermTree } from '../../taxonomies/term-tree.ts'

/** Longer branches are collapsed, so that a page stays fast with 10,000 terms. */
const MOST_SHOWN = 200
const MOST_FOUND = 50

/** A term in the displayed tree. */
export interface ShownTerm {
  node: TermNode
  /** Undefined if they are collapsed. */
  children: ShownTerm[] | undefined
  /** All terms below it. */
  below: number
}

export interface ShownTerms {
  terms: ShownTerm[]
  /** Number of siblings before and after the displayed ones. */
  before: number
  behind: number
}

/**
 * Selects the displayed part of a branch (undefined: the whole tree), starting with child number `from`: first the
 * children, then the terms below them as long as there is room.
 */
export function shownTerms(tree: TermTree, branch: TermNode | undefined, from = 0): ShownTerms {
  const siblings = branch?.children ?? tree.roots
  const first = siblings.slice(from, from + MOST_SHOWN)
  const counts = new Map<TermNode, number>()
  const terms = first.map((node) => folded(node, counts))
  let room = MOST_SHOWN - terms.length
  // Expands the tree level by level: `open` grows during the loop.
  const open = [...terms]
  for (const term of open) {
    const { children } = term.node
    if (children.length > room) continue
    term.children = children.map((child) => folded(child, counts))
    room -= children.length
    open.push(...term.children)
  }
  return { terms, before: from, behind: Math.max(0, siblings.length - from - first.length) }
}

/** Returns the number of the first sibling on the page with this one. */
export function pageWith(index: number): number {
  return Math.max(0, index - (index % MOST_SHOWN))
}

function folded(node: TermNode, counts: Map<TermNode, number>): ShownTerm {
  return { node, children: node.children.length === 0 ? [] : undefined, below: countBelow(node, counts) }
}

function countBelow(node: TermNode, counts: Map<TermNode, number>): number {
  const known = counts.get(node)
  if (known !== undefined) return known
  const count = node.children.reduce((sum, child) => sum + 1 + countBelow(child, counts), 0)
  counts.set(node, count)
  return count
}

/** Lists the terms whose name or slug contains this text, in tree order. */
export function findTerms(tree: TermTree, text: string): { found: TermNode[]; isCut: boolean } {
  const wanted = text.toLowerCase()
  const all = [...tree.byId.values()].filter(
    ({ name, slug }) => name.toLowerCase().includes(wanted) || slug.includes(wanted),
  )
  return { found: all.slice(0, MOST_FOUND), isCut: all.length > MOST_FOUND }
}
