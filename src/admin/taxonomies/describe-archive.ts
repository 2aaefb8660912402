import type { Taxonomy } from '../../taxonomies/taxonomy-store.ts'
import type { TermTree } from '../../taxonomies/term-tree.ts'

const NAMED = 2
const LISTING = 'Search engines are asked to list only pages with a description of about 40 words or more.'

/** What the archive of a taxonomy publishes, or would. */
export function describeArchive({ slug, hasArchive }: Taxonomy, { byId }: TermTree): string {
  const base = `/taxonomy/${slug}`
  const count = byId.size
  const named = [...byId.values()].slice(0, NAMED).map((term) => `${base}/${term.slug}`)
  const terms =
    count === 0 ? '' : `, and ${count} for its terms: ${named.join(', ')}${count > NAMED ? ' and so on' : ''}`
  return hasArchive
    ? `Public pages: ${base}${terms}. ${LISTING} If you turn this off, the next publish removes them.`
    : `The next publish would add ${base}${terms}. ${LISTING}`
}
