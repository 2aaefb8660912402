import type { Kysely } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import { versionOf } from '../../lib/stored-version.ts'
import { type MoveOutcome, planMove, type TermPlace } from '../../taxonomies/move-term.ts'
import { LOCATIONS, type PlaceKind } from '../../taxonomies/place-kind.ts'
import { findTaxonomy, listTerms, type Taxonomy, updateTerm } from '../../taxonomies/taxonomy-store.ts'
import { moveTermRows } from '../../taxonomies/term-change-store.ts'
import { buildTermTree, type TermNode, type TermTree } from '../../taxonomies/term-tree.ts'
import { refuseTakenAddresses, unlessTaken } from '../addresses/check-address.ts'
import { followTree, NO_OFFERS, type OfferCounts } from '../offers/follow-offers.ts'
import { followPlace } from '../offers/follow-place.ts'
import { listOffersAt, publishedSlugs } from '../offers/location-service-store.ts'
import { LOCATION_SERVICES } from '../types/builtin/slugs.ts'
import { findContentType } from '../types/content-type-store.ts'

export interface Clock {
  now: Date
}

/** A taxonomy with its terms as a tree; undefined when there is none of this slug. */
export async function loadTaxonomy(
  db: Db,
  slug: string,
): Promise<{ taxonomy: Taxonomy; tree: TermTree } | undefined> {
  const taxonomy = await findTaxonomy(db, slug)
  return taxonomy && { taxonomy, tree: buildTermTree(await listTerms(db, taxonomy.id)) }
}

interface Move {
  outcome: MoveOutcome
  term: TermNode
  offers: OfferCounts
}

/** Puts a term elsewhere in its tree. A cycle is refused, and a page of a service where another page is already. */
export function moveTerm(
  db: Kysely<Schema>,
  slug: string,
  { termId, place }: { termId: number; place: (tree: TermTree, term: TermNode) => TermPlace | undefined },
  { now }: Clock,
): Promise<Move | undefined> {
  return unlessTaken<Move | undefined>(
    db,
    async (trx) => {
      const found = await loadTaxonomy(trx, slug)
      const term = found?.tree.byId.get(termId)
      if (!found || !term) return undefined
      const target = place(found.tree, term)
      const outcome: MoveOutcome = target
        ? planMove(found.tree, term, target, found.taxonomy)
        : { kind: 'same' }
      if (outcome.kind === 'moved') await moveTermRows(trx, outcome.rows)
      return { outcome, term, offers: await followLocations(trx, found.taxonomy, found.tree, now) }
    },
    async (reason) => {
      const term = (await loadTaxonomy(db, slug))?.tree.byId.get(termId)
      return term && { outcome: { kind: 'refused', reason }, term, offers: NO_OFFERS }
    },
  )
}

export interface TermEdit {
  name: string
  slug: string
  description: string | null
  parentId: number | null
  /** What a place is; null where its depth in the tree says it. Left out, it stays. */
  kind?: PlaceKind | null
}

export type EditOutcome =
  | { kind: 'saved'; offers: OfferCounts }
  | { kind: 'slug_taken'; by: string }
  | { kind: 'refused'; reason: string }
  /** A page of a service would be where another page is. */
  | { kind: 'address_taken'; reason: string }
  /** Somebody else changed the term to `version` after this person had begun. */
  | { kind: 'outdated'; version: string }

/** Another text for other values of what a `TermEdit` changes. */
export function termVersion({ name, slug, description, parentId, kind }: TermEdit): string {
  return versionOf({ name, slug, description, parentId, kind })
}

/**
 * Changes what a term is called, its slug or where it stands. Its former slug is kept, so that old addresses lead on.
 * `basedOn` is the `termVersion` that the person saw.
 */
export function editTerm(
  db: Kysely<Schema>,
  slug: string,
  { termId, edit, basedOn }: { termId: number; edit: TermEdit; basedOn?: string | undefined },
  { now }: Clock,
): Promise<EditOutcome | undefined> {
  return unlessTaken<EditOutcome | undefined>(
    db,
    async (trx) => {
      const found = await loadTaxonomy(trx, slug)
      const term = found?.tree.byId.get(termId)
      if (!found || !term) return undefined
      const version = termVersion(term)
      if (basedOn !== undefined && basedOn !== version) return { kind: 'outdated', version }
      return applyEdit(trx, { ...found, term, edit }, now)
    },
    (reason) => ({ kind: 'address_taken', reason }),
  )
}

async function applyEdit(
  db: Db,
  { taxonomy, tree, term, edit }: { taxonomy: Taxonomy; tree: TermTree; term: TermNode; edit: TermEdit },
  now: Date,
): Promise<EditOutcome> {
  const owner = tree.bySlug.get(edit.slug)
  if (owner && owner !== term) return { kind: 'slug_taken', by: owner.name }
  const last = { parentId: edit.parentId, index: Number.POSITIVE_INFINITY }
  const move = edit.parentId === term.parentId ? undefined : planMove(tree, term, last, taxonomy)
  if (move?.kind === 'refused') return move
  await saveEdit(db, term, edit)
  if (move?.kind === 'moved') await moveTermRows(db, move.rows)
  if (edit.slug !== term.slug && taxonomy.slug === LOCATIONS) await renamePlace(db, term, edit, now)
  return { kind: 'saved', offers: await followLocations(db, taxonomy, tree, now) }
}

async function renamePlace(db: Db, { id, slug }: TermNode, edit: TermEdit, now: Date): Promise<void> {
  await followPlace(db, { id, from: slug, to: edit.slug }, { now: now.toISOString() })
  const pairs = await findContentType(db, LOCATION_SERVICES)
  if (pairs) await refuseTakenAddresses(db, pairs, publishedSlugs(await listOffersAt(db, [id])))
}

async function saveEdit(db: Db, term: TermNode, { name, description, slug, kind }: TermEdit) {
  const former = term.formerSlugs.filter((one) => one !== slug && one !== term.slug)
  const formerSlugs = slug === term.slug ? former : [...former, term.slug]
  // In one statement: the former slug and the former name are kept as a pair.
  await updateTerm(db, term.id, {
    slug,
    parentId: term.parentId,
    position: term.position,
    name,
    description,
    formerSlugs,
    kind,
  })
}

/** Only the tree of the locations decides where services are offered. */
export async function followLocations(
  db: Db,
  taxonomy: Taxonomy,
  before: TermTree,
  now: Date,
): Promise<OfferCounts> {
  if (taxonomy.slug !== LOCATIONS) return NO_OFFERS
  return followTree(db, before, { now: now.toISOString() })
}
