import type { Kysely } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import { findOutdated, type Outcome, versionOf } from '../../lib/outcome.ts'
import type { AdminProblem } from '../../messages/admin/problems.ts'
import { planMove, type TermPlace } from '../../taxonomies/move-term.ts'
import { LOCATIONS, type PlaceKind } from '../../taxonomies/place-kind.ts'
import { recordTerm, type TermSnapshot, termSubject, toTermSnapshot } from '../../taxonomies/record-term.ts'
import { findTaxonomy, listTerms, type Taxonomy, updateTerm } from '../../taxonomies/taxonomy-store.ts'
import { moveTermRows } from '../../taxonomies/term-change-store.ts'
import { buildTermTree, type TermNode, type TermTree } from '../../taxonomies/term-tree.ts'
import type { Saving } from '../../versions/version.ts'
import { findVersion } from '../../versions/version-store.ts'
import { refuseTakenAddresses, unlessTaken } from '../addresses/check-address.ts'
import type { SavingEntry } from '../editing/save-entry.ts'
import { followTree, NO_OFFERS, type OfferCounts } from '../offers/follow-offers.ts'
import { followPlace } from '../offers/follow-place.ts'
import { listOffersAt, publishedSlugs } from '../offers/location-service-store.ts'
import { LOCATION_SERVICES } from '../types/builtin/slugs.ts'
import { findContentType } from '../types/content-type-store.ts'

/** Returns a taxonomy with its terms as a tree; undefined if there is none with this slug. */
export async function loadTaxonomy(
  db: Db,
  slug: string,
): Promise<{ taxonomy: Taxonomy; tree: TermTree } | undefined> {
  const taxonomy = await findTaxonomy(db, slug)
  return taxonomy && { taxonomy, tree: buildTermTree(await listTerms(db, taxonomy.id)) }
}

interface Move {
  term: TermNode
  /** True if its position changed. */
  isMoved: boolean
  offers: OfferCounts
}

/**
 * Moves a term within its tree: never below itself, nor where a location page would get the address of another page.
 */
export function moveTerm(
  db: Kysely<Schema>,
  slug: string,
  { termId, place }: { termId: number; place: (tree: TermTree, term: TermNode) => TermPlace | undefined },
  saving: SavingEntry,
): Promise<Outcome<Move, AdminProblem>> {
  return unlessTaken(db, async (trx) => {
    const found = await loadTaxonomy(trx, slug)
    const term = found?.tree.byId.get(termId)
    if (!found || !term) return { kind: 'not_found' }
    const target = place(found.tree, term)
    const move = target && planMove(found.tree, term, target, found.taxonomy)
    if (move?.kind === 'refused') return { kind: 'invalid', problems: [move.problem] }
    const isMoved = move?.kind === 'moved'
    if (isMoved) {
      await moveTermRows(trx, move.rows)
      await recordTerm(trx, termId, { before: term, after: { ...term, ...target } }, toSaving(saving))
    }
    const offers = await followLocations(trx, found.taxonomy, found.tree, saving.now)
    return { kind: 'saved', value: { term, isMoved, offers } }
  })
}

export interface TermEdit {
  name: string
  slug: string
  description: string | null
  parentId: number | null
  /** Kind of a place; null to derive it from its depth. If missing, it stays unchanged. */
  kind?: PlaceKind | null
}

type EditOutcome = Outcome<OfferCounts, AdminProblem>

/** Returns a text that differs whenever the values that `TermEdit` changes differ. */
export function termVersion({ name, slug, description, parentId, kind }: TermEdit): string {
  return versionOf({ name, slug, description, parentId, kind })
}

/**
 * Changes a term's name, slug, or position. Its former slug is kept for redirects. `basedOn` is the `termVersion`
 * that the person saw.
 */
export function editTerm(
  db: Kysely<Schema>,
  slug: string,
  { termId, edit, basedOn }: { termId: number; edit: TermEdit; basedOn?: string | undefined },
  saving: SavingEntry,
): Promise<EditOutcome> {
  return unlessTaken(db, async (trx) => {
    const found = await loadTaxonomy(trx, slug)
    const term = found?.tree.byId.get(termId)
    if (!found || !term) return { kind: 'not_found' }
    return findOutdated(termVersion(term), basedOn) ?? applyEdit(trx, { ...found, term, edit }, saving)
  })
}

/**
 * Restores a version of a term as a new version, or only the values with these keys. The term goes below its former
 * parent, after its siblings. Refused if it would be invalid now: its slug is taken, or its parent was deleted.
 */
export function restoreTerm(
  db: Kysely<Schema>,
  slug: string,
  { termId, versionId, keys }: { termId: number; versionId: number; keys?: ReadonlySet<string> | undefined },
  saving: SavingEntry,
): Promise<EditOutcome> {
  return unlessTaken(db, async (trx) => {
    const found = await loadTaxonomy(trx, slug)
    const term = found?.tree.byId.get(termId)
    const version = await findVersion(trx, termSubject(termId), versionId)
    if (!found || !term || !version) return { kind: 'not_found' }
    const restored = Object.entries(version.content as TermSnapshot).filter(([key]) => keys?.has(key) ?? true)
    const edit = { ...toTermSnapshot(term), ...Object.fromEntries(restored) }
    return applyEdit(trx, { ...found, term, edit }, saving)
  })
}

function toSaving({ now, by }: SavingEntry): Saving {
  return { now: now.toISOString(), by }
}

async function applyEdit(
  db: Db,
  { taxonomy, tree, term, edit }: { taxonomy: Taxonomy; tree: TermTree; term: TermNode; edit: TermEdit },
  saving: SavingEntry,
): Promise<EditOutcome> {
  const { now } = saving
  const owner = tree.bySlug.get(edit.slug)
  if (owner && owner !== term) {
    const problem = { path: ['slug'], code: 'term_slug_taken' as const, params: { by: owner.name } }
    return { kind: 'invalid', problems: [problem] }
  }
  const last = { parentId: edit.parentId, index: Number.POSITIVE_INFINITY }
  const move = edit.parentId === term.parentId ? undefined : planMove(tree, term, last, taxonomy)
  if (move?.kind === 'refused') return { kind: 'invalid', problems: [move.problem] }
  await saveEdit(db, term, edit)
  const after = { ...edit, kind: edit.kind === undefined ? term.kind : edit.kind }
  await recordTerm(db, term.id, { before: term, after }, toSaving(saving))
  if (move?.kind === 'moved') await moveTermRows(db, move.rows)
  if (edit.slug !== term.slug && taxonomy.slug === LOCATIONS)
    await renamePlace(db, term, edit, toSaving(saving))
  return { kind: 'saved', value: await followLocations(db, taxonomy, tree, now) }
}

async function renamePlace(db: Db, { id, slug }: TermNode, edit: TermEdit, saving: Saving): Promise<void> {
  await followPlace(db, { id, from: slug, to: edit.slug }, saving)
  const pairs = await findContentType(db, LOCATION_SERVICES)
  if (pairs) await refuseTakenAddresses(db, pairs, publishedSlugs(await listOffersAt(db, [id])))
}

async function saveEdit(db: Db, term: TermNode, { name, description, slug, kind }: TermEdit) {
  const former = term.formerSlugs.filter((one) => one !== slug && one !== term.slug)
  const formerSlugs = slug === term.slug ? former : [...former, term.slug]
  // In one statement, so that the former slug and name are kept as a pair.
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

/** Only the locations tree determines where services are offered. */
export async function followLocations(
  db: Db,
  taxonomy: Taxonomy,
  before: TermTree,
  now: Date,
): Promise<OfferCounts> {
  if (taxonomy.slug !== LOCATIONS) return NO_OFFERS
  return followTree(db, before, { now: now.toISOString() })
}
