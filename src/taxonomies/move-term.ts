import type { AdminFault, AdminProblem } from '../messages/admin/problems.ts'
import { descendantsOf, type TermNode, type TermTree } from './term-tree.ts'

/** New position of a term: its parent (null for the top level), and the number of siblings before it. */
export interface TermPlace {
  parentId: number | null
  index: number
}

/** One step in the tree, as taken with a button. */
export type TermStep = 'up' | 'down' | 'indent' | 'outdent'

/** A term whose row differs after a move. */
export interface MovedTerm {
  id: number
  parentId: number | null
  position: number
}

export type MoveOutcome =
  | { kind: 'moved'; rows: MovedTerm[] }
  | { kind: 'same' }
  | { kind: 'refused'; problem: AdminProblem }

/** Returns the position after a step; undefined at the end of the list. */
export function placeAfter(tree: TermTree, term: TermNode, step: TermStep): TermPlace | undefined {
  const siblings = siblingsOf(tree, term)
  const index = siblings.indexOf(term)
  const { parent } = term
  if (step === 'up') return index > 0 ? { parentId: parent?.id ?? null, index: index - 1 } : undefined
  if (step === 'down')
    return index < siblings.length - 1 ? { parentId: parent?.id ?? null, index: index + 1 } : undefined
  if (step === 'indent') {
    const above = siblings[index - 1]
    return above && { parentId: above.id, index: above.children.length }
  }
  if (!parent) return undefined
  return { parentId: parent.parentId, index: siblingsOf(tree, parent).indexOf(parent) + 1 }
}

/**
 * Returns the rows that a move changes: the term and the siblings that make room. A term never moves below itself.
 */
export function planMove(
  tree: TermTree,
  term: TermNode,
  { parentId, index }: TermPlace,
  { isHierarchical }: { isHierarchical: boolean },
): MoveOutcome {
  const parent = parentId === null ? null : tree.byId.get(parentId)
  if (parent === undefined) return refused({ code: 'parent_gone' })
  if (parent && !isHierarchical) return refused({ code: 'no_levels' })
  if (parent && (parent === term || descendantsOf(term).includes(parent))) {
    return refused({ code: 'below_itself', params: { name: term.name } })
  }
  const siblings = parent?.children ?? tree.roots
  const others = siblings.filter((one) => one !== term)
  const order = others.toSpliced(Math.min(Math.max(0, index), others.length), 0, term)
  const positions = positionsOf(order, siblings)
  const rows = order
    .map((one, place) => ({ id: one.id, parentId, position: positions[place] ?? place, before: one }))
    .filter(({ before, position }) => before.position !== position || before.parentId !== parentId)
    .map(({ before: _, ...row }) => row)
  return rows.length === 0 ? { kind: 'same' } : { kind: 'moved', rows }
}

// Siblings keep their positions where they can, so that a term that is moved back is as it was.
function positionsOf(order: readonly TermNode[], siblings: readonly TermNode[]): number[] {
  const known = siblings.map(({ position }) => position)
  const hasNewLast = order.length > siblings.length && !siblings.includes(order.at(-1) as TermNode)
  const kept = hasNewLast ? [...known, (known.at(-1) ?? -1) + 1] : known
  const isAscending = kept.every((position, place) => place === 0 || position > (kept[place - 1] ?? 0))
  return isAscending && kept.length === order.length ? kept : [...order.keys()]
}

function refused(fault: AdminFault): MoveOutcome {
  return { kind: 'refused', problem: { path: ['parent'], ...fault } }
}

function siblingsOf(tree: TermTree, { parent }: TermNode): readonly TermNode[] {
  return parent?.children ?? tree.roots
}
