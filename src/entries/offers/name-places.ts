import { offeredPlaceTexts as texts } from '../../messages/admin/coverage.ts'
import type { TermNode, TermTree } from '../../taxonomies/term-tree.ts'
import { readPattern } from './offered-in.ts'

/** Describes place patterns for people: `Texas and everything in it, except Austin`. A deleted place keeps its slug. */
export function namePlaces(patterns: readonly string[], tree: TermTree): string {
  return patterns.map((pattern) => namePattern(pattern, tree)).join(', ')
}

function namePattern(pattern: string, tree: TermTree): string {
  const read = readPattern(pattern)
  if (!read) return pattern
  const { slug, reach, isExcept } = read
  const place = findPlace(tree, slug)
  const name = place ? nameOf(place, tree) : texts.gone(slug)
  const part = place?.children.length === 0 && reach !== 'below' ? name : texts[reach](name)
  return isExcept ? texts.except(part) : part
}

// Versions keep the slug that a place had then.
function findPlace(tree: TermTree, slug: string): TermNode | undefined {
  return tree.bySlug.get(slug) ?? [...tree.byId.values()].find((one) => one.formerSlugs.includes(slug))
}

function nameOf({ name, parent }: TermNode, tree: TermTree): string {
  const isUnique = [...tree.byId.values()].filter((one) => one.name === name).length === 1
  return isUnique || !parent ? name : texts.inside(name, parent.name)
}
