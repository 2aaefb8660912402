import { archiveTexts } from '../../messages/admin/taxonomies.ts'
import type { Taxonomy } from '../../taxonomies/taxonomy-store.ts'
import type { TermTree } from '../../taxonomies/term-tree.ts'

const NAMED = 2

/** Describes the pages that a taxonomy's archive publishes, or would publish. */
export function describeArchive({ slug, hasArchive }: Taxonomy, { byId }: TermTree): string {
  const base = `/taxonomy/${slug}`
  const count = byId.size
  const named = [...byId.values()].slice(0, NAMED).map((term) => `${base}/${term.slug}`)
  const addresses = count > NAMED ? archiveTexts.andMore(named.join(', ')) : named.join(', ')
  const pages = count === 0 ? base : base + archiveTexts.terms({ count, addresses })
  const describe = hasArchive ? archiveTexts.isOn : archiveTexts.isOff
  return describe({ pages, indexing: archiveTexts.indexing })
}
