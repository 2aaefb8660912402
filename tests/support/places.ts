import { buildTermTree, type TermTree } from '#src/taxonomies/term-tree.ts'

/** Makes a tree of lines of terms, each below the previous one (`usa/texas/austin`), in the order of the lines. */
export function aTree(...lines: string[]): TermTree {
  const ids = new Map<string, number>()
  const parents = new Map<string, number | null>()
  for (const line of lines) {
    let parentId: number | null = null
    for (const slug of line.split('/')) {
      if (!ids.has(slug)) {
        ids.set(slug, ids.size + 1)
        parents.set(slug, parentId)
      }
      parentId = ids.get(slug) ?? null
    }
  }
  return buildTermTree(
    [...ids].map(([slug, id]) => ({
      ...{ id, slug, parentId: parents.get(slug) ?? null, position: id, taxonomyId: 1 },
      name: slug.replace(/(^|-)(.)/g, (_, gap, letter) => (gap && ' ') + letter.toUpperCase()),
      ...{ description: null, formerSlugs: [], kind: null },
    })),
  )
}
