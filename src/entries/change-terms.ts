import type { Kysely } from 'kysely'
import type { Db, Schema } from '../db/schema.ts'
import { versionOf } from '../lib/stored-version.ts'
import { type MoveOutcome, planMove, type TermPlace } from '../taxonomies/move-term.ts'
import {
  findTaxonomy,
  insertTerms,
  listTerms,
  setTermSlug,
  type Taxonomy,
  updateTerm,
} from '../taxonomies/taxonomy-store.ts'
import { moveTermRows } from '../taxonomies/term-change-store.ts'
import { outlineTerms, type TermOutline } from '../taxonomies/term-outline.ts'
import { buildTermTree, type TermNode, type TermTree } from '../taxonomies/term-tree.ts'
import { followTree, type OfferCounts } from './follow-offers.ts'
import { followPlace } from './follow-place.ts'

const LOCATIONS = 'locations'

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

/** Adds the new terms of an outline, behind those that are there. `offers` is what that means for pages of services. */
export function addTerms(
  db: Kysely<Schema>,
  slug: string,
  { text, parentId }: { text: string; parentId: number | null },
  { now }: Clock,
): Promise<{ outline: TermOutline; added: number; offers: OfferCounts } | undefined> {
  return db.transaction().execute(async (trx) => {
    const found = await loadTaxonomy(trx, slug)
    if (!found || (parentId !== null && !found.tree.byId.has(parentId))) return undefined
    const { taxonomy, tree } = found
    const outline = outlineTerms(text, { tree, parentId, isHierarchical: taxonomy.isHierarchical })
    const added = await insertOutline(trx, found, outline, parentId)
    return { outline, added, offers: await followLocations(trx, taxonomy, tree, now) }
  })
}

async function insertOutline(
  db: Db,
  { taxonomy, tree }: { taxonomy: Taxonomy; tree: TermTree },
  { terms }: TermOutline,
  parentId: number | null,
): Promise<number> {
  const ids = terms.map(({ id }) => id)
  const deepest = Math.max(-1, ...terms.map(({ depth }) => depth))
  let added = 0
  // One level at a time, so that parents have ids before their children.
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
    for (const { term, index } of level) ids[index] = inserted.get(term.slug)
    added += rows.length
  }
  return added
}

/** Puts a term elsewhere in its tree. A cycle is refused. */
export function moveTerm(
  db: Kysely<Schema>,
  slug: string,
  { termId, place }: { termId: number; place: (tree: TermTree, term: TermNode) => TermPlace | undefined },
  { now }: Clock,
): Promise<{ outcome: MoveOutcome; term: TermNode; offers: OfferCounts } | undefined> {
  return db.transaction().execute(async (trx) => {
    const found = await loadTaxonomy(trx, slug)
    const term = found?.tree.byId.get(termId)
    if (!found || !term) return undefined
    const target = place(found.tree, term)
    const outcome: MoveOutcome = target
      ? planMove(found.tree, term, target, found.taxonomy)
      : { kind: 'same' }
    if (outcome.kind === 'moved') await moveTermRows(trx, outcome.rows)
    return { outcome, term, offers: await followLocations(trx, found.taxonomy, found.tree, now) }
  })
}

export type TermEdit = { name: string; slug: string; description: string | null; parentId: number | null }

export type EditOutcome =
  | { kind: 'saved'; offers: OfferCounts }
  | { kind: 'slug_taken'; by: string }
  | { kind: 'refused'; reason: string }
  /** Somebody else changed the term to `version` after this person had begun. */
  | { kind: 'outdated'; version: string }

/** Another text for other values of what a `TermEdit` changes. */
export function termVersion({ name, slug, description, parentId }: TermEdit): string {
  return versionOf({ name, slug, description, parentId })
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
  return db.transaction().execute(async (trx): Promise<EditOutcome | undefined> => {
    const found = await loadTaxonomy(trx, slug)
    const term = found?.tree.byId.get(termId)
    if (!found || !term) return undefined
    const version = termVersion(term)
    if (basedOn !== undefined && basedOn !== version) return { kind: 'outdated', version }
    return applyEdit(trx, { ...found, term, edit }, now)
  })
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
  if (edit.slug !== term.slug && taxonomy.slug === LOCATIONS)
    await followPlace(db, { id: term.id, from: term.slug, to: edit.slug }, { now: now.toISOString() })
  return { kind: 'saved', offers: await followLocations(db, taxonomy, tree, now) }
}

async function saveEdit(db: Db, term: TermNode, { name, description, slug }: TermEdit) {
  const former = term.formerSlugs.filter((one) => one !== slug && one !== term.slug)
  const formerSlugs = slug === term.slug ? former : [...former, term.slug]
  await updateTerm(db, term.id, {
    parentId: term.parentId,
    position: term.position,
    name,
    description,
    formerSlugs,
  })
  if (slug !== term.slug) await setTermSlug(db, term.id, slug)
}

/** Only the tree of the locations decides where services are offered. */
export async function followLocations(
  db: Db,
  taxonomy: Taxonomy,
  before: TermTree,
  now: Date,
): Promise<OfferCounts> {
  if (taxonomy.slug !== LOCATIONS) return { added: 0, removed: 0 }
  return followTree(db, before, { now: now.toISOString() })
}
