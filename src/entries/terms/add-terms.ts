import type { Kysely } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import type { Outcome } from '../../lib/outcome.ts'
import type { AdminProblem } from '../../messages/admin/problems.ts'
import { LOCATIONS, type PlaceKind } from '../../taxonomies/place-kind.ts'
import { recordNewTerms } from '../../taxonomies/record-term.ts'
import { insertTerms, type Taxonomy } from '../../taxonomies/taxonomy-store.ts'
import { outlineTerms, type TermOutline } from '../../taxonomies/term-outline.ts'
import type { TermNode, TermTree } from '../../taxonomies/term-tree.ts'
import type { Saving } from '../../versions/version.ts'
import { unlessTaken } from '../addresses/check-address.ts'
import type { SavingEntry } from '../editing/save-entry.ts'
import { chooseServices } from '../offers/choose-services.ts'
import type { OfferCounts } from '../offers/follow-offers.ts'
import { followLocations, loadTaxonomy } from './change-terms.ts'

/** A new term. */
export interface AddedTerm {
  id: number
  name: string
  parentId: number | null
}

interface AddedTerms {
  /** In the order of the outline. */
  added: AddedTerm[]
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
): Promise<AddedTerm[]> {
  const ids = terms.map(({ id }) => id)
  const deepest = Math.max(-1, ...terms.map(({ depth }) => depth))
  const added: AddedTerm[] = []
  // One level at a time, so that parents have IDs before their children.
  for (let depth = 0; depth <= deepest; depth++) {
    const level = terms.flatMap((term, index) =>
      term.depth === depth && term.state !== 'known' ? [{ term, index }] : [],
    )
    const rows = level.map(({ term: { slug, name, above }, index }) => {
      const parent = above === undefined ? parentId : (ids[above] ?? null)
      const siblings = parent === null ? tree.roots : (tree.byId.get(parent)?.children ?? [])
      const position = (siblings.at(-1)?.position ?? -1) + 1 + index
      const kind = sharedKind(siblings)
      return { index, values: { slug, name, description: null, parentId: parent, position, kind } }
    })
    const inserted = await insertTerms(
      db,
      taxonomy.id,
      rows.map(({ values }) => values),
    )
    const stored = rows.map(({ values }) => [inserted.get(values.slug) ?? 0, values] as const)
    await recordNewTerms(db, new Map(stored), saving)
    for (const { index, values } of rows) {
      const id = inserted.get(values.slug) ?? 0
      ids[index] = id
      added[index] = { id, name: values.name, parentId: values.parentId }
    }
  }
  // Known terms leave gaps.
  return Object.values(added)
}

// A county added where every place is marked as a county is one too, not the usual kind of its level.
function sharedKind(siblings: readonly TermNode[]): PlaceKind | null {
  const [kind, ...others] = new Set(siblings.map((sibling) => sibling.kind))
  return kind && others.length === 0 ? kind : null
}
