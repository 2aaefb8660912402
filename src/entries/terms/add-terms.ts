import type { Kysely } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import type { Outcome } from '../../lib/outcome.ts'
import type { AdminProblem } from '../../messages/admin/problems.ts'
import { LOCATIONS } from '../../taxonomies/place-kind.ts'
import { recordNewTerms } from '../../taxonomies/record-term.ts'
import { insertTerms, type Taxonomy } from '../../taxonomies/taxonomy-store.ts'
import { outlineTerms, type TermOutline } from '../../taxonomies/term-outline.ts'
import type { TermTree } from '../../taxonomies/term-tree.ts'
import type { Saving } from '../../versions/version.ts'
import { unlessTaken } from '../addresses/check-address.ts'
import type { SavingEntry } from '../editing/save-entry.ts'
import { chooseServices } from '../offers/choose-services.ts'
import type { OfferCounts } from '../offers/follow-offers.ts'
import { followLocations, loadTaxonomy } from './change-terms.ts'

interface AddedTerms {
  added: number
  /** Effect on location pages. */
  offers: OfferCounts
}

interface NewTerms {
  text: string
  parentId: number | null
  /** The services to offer in new places, and no others; without it, services are offered as their patterns say. */
  serviceIds?: readonly number[] | undefined
}

/**
 * Adds the new terms of an outline after the existing ones; none if the outline has problems. Not found if there is
 * no such taxonomy or parent.
 */
export function addTerms(
  db: Kysely<Schema>,
  slug: string,
  { text, parentId, serviceIds }: NewTerms,
  { now, by }: SavingEntry,
): Promise<Outcome<AddedTerms, AdminProblem>> {
  return unlessTaken(db, async (trx) => {
    const found = await loadTaxonomy(trx, slug)
    if (!found || (parentId !== null && !found.tree.byId.has(parentId))) return { kind: 'not_found' }
    const { taxonomy, tree } = found
    const outline = outlineTerms(text, { tree, parentId, isHierarchical: taxonomy.isHierarchical })
    if (outline.problems.length > 0) return { kind: 'invalid', problems: outline.problems }
    const saving = { now: now.toISOString(), by }
    const added = await insertOutline(trx, found, { outline, parentId }, saving)
    if (serviceIds && taxonomy.slug === LOCATIONS) await chooseServices(trx, serviceIds, tree, saving)
    return { kind: 'saved', value: { added, offers: await followLocations(trx, taxonomy, tree, now) } }
  })
}

async function insertOutline(
  db: Db,
  { taxonomy, tree }: { taxonomy: Taxonomy; tree: TermTree },
  { outline: { terms }, parentId }: { outline: TermOutline; parentId: number | null },
  saving: Saving,
): Promise<number> {
  const ids = terms.map(({ id }) => id)
  const deepest = Math.max(-1, ...terms.map(({ depth }) => depth))
  let added = 0
  // One level at a time, so that parents have IDs before their children.
  for (let depth = 0; depth <= deepest; depth++) {
    const level = terms.flatMap((term, index) =>
      term.depth === depth && term.state !== 'known' ? [{ term, index }] : [],
    )
    const rows = level.map(({ term: { slug, name, above }, index }) => {
      const parent = above === undefined ? parentId : (ids[above] ?? null)
      const siblings = parent === null ? tree.roots : (tree.byId.get(parent)?.children ?? [])
      const position = (siblings.at(-1)?.position ?? -1) + 1 + index
      return { slug, name, description: null, parentId: parent, position }
    })
    const inserted = await insertTerms(db, taxonomy.id, rows)
    const stored = rows.map((row) => [inserted.get(row.slug) ?? 0, { ...row, kind: null }] as const)
    await recordNewTerms(db, new Map(stored), saving)
    for (const { term, index } of level) ids[index] = inserted.get(term.slug)
    added += rows.length
  }
  return added
}
