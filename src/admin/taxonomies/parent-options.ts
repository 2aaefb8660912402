import { termListTexts } from '../../messages/admin/terms.ts'
import { ancestorsOf, descendantsOf, type TermNode, type TermTree } from '../../taxonomies/term-tree.ts'

// A menu of 5,000 places is 300 KB.
const MOST_OPTIONS = 300

/**
 * Returns the choices of a parent for new terms: the top level, and each term below its own. A long list offers only
 * the terms that have others inside, and the selected one.
 */
export function parentOptions(
  { roots }: TermTree,
  chosen: TermNode | undefined,
): { value: string; label: string }[] {
  const all = roots.flatMap((root) => [root, ...descendantsOf(root)])
  const isLong = all.length > MOST_OPTIONS
  const offered = isLong ? all.filter((node) => node === chosen || node.children.length > 0) : all
  const shown = offered.filter((node, index) => node === chosen || index < MOST_OPTIONS)
  return [
    { value: '', label: termListTexts.topLevel },
    ...shown.map((node) => ({
      value: String(node.id),
      label: '\u00a0\u00a0'.repeat(ancestorsOf(node).length) + node.name,
    })),
  ]
}
