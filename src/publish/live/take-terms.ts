import type { Db } from '../../db/schema.ts'
import { followTree } from '../../entries/offers/follow-offers.ts'
import { followPlace } from '../../entries/offers/follow-place.ts'
import { loadPlaces } from '../../entries/offers/load-places.ts'
import { listOffersAt } from '../../entries/offers/location-service-store.ts'
import { scheduleTexts } from '../../messages/server/publishing.ts'
import { bringTerm } from './bring-references.ts'
import { type ContentRow, changeRow, deleteRows, listRows, putRows } from './content-row-store.ts'
import { takeCoverage } from './take-coverage.ts'

interface Clock {
  now: string
}

/**
 * Copies the saved versions of terms into the live content; pages of services follow a place that is new, moved,
 * renamed, or deleted. A new place has the services that are saved for it. Other terms stay live as they are. Returns
 * why terms were left out, as sentences.
 */
export async function takeTerms(live: Db, db: Db, ids: readonly number[], { now }: Clock): Promise<string[]> {
  if (ids.length === 0) return []
  const before = await loadPlaces(live)
  const saved = await listRows(db, 'taxonomy_terms', 'id', ids)
  const known = new Map((await listRows(live, 'taxonomy_terms', 'id', ids)).map((row) => [row.id, row]))
  const renamed = saved.filter((row) => known.has(row.id) && known.get(row.id)?.slug !== row.slug)
  // Two terms may have swapped slugs.
  for (const { id } of renamed)
    await rename(live, { id: Number(id), from: `${known.get(id)?.slug}`, to: holdingSlug(id) }, { now })
  const problems: string[] = []
  for (const row of saved) {
    const problem = await takeTerm(live, db, row)
    const to = problem === undefined ? row.slug : known.get(row.id)?.slug
    if (problem !== undefined) problems.push(scheduleTexts.leftOut(`${row.name}`, problem))
    if (renamed.includes(row))
      await rename(live, { id: Number(row.id), from: holdingSlug(row.id), to: `${to}` }, { now })
  }
  const stays = new Set(saved.map(({ id }) => id))
  for (const id of known.keys()) if (!stays.has(id)) await removeTerm(live, db, Number(id))
  await takeCoverage(live, db, before, { now })
  await followTree(live, before, { now })
  return problems
}

function holdingSlug(id: unknown): string {
  return `~${id}`
}

async function rename(live: Db, place: { id: number; from: string; to: string }, clock: Clock) {
  await changeRow(live, 'taxonomy_terms', place.id, { slug: place.to })
  await followPlace(live, place, clock)
}

// Its slug is changed afterwards, together with everything that refers to it.
async function takeTerm(live: Db, db: Db, row: ContentRow): Promise<string | undefined> {
  const id = Number(row.id)
  const sameSlug = await listRows(live, 'taxonomy_terms', 'slug', [row.slug])
  const holder = sameSlug.find((other) => other.taxonomy_id === row.taxonomy_id && other.id !== id)
  if (holder) return scheduleTexts.slugTaken({ holder: `${holder.name}`, name: `${row.name}` })
  const above = row.parent_id === null ? undefined : await bringTerm(live, db, Number(row.parent_id))
  if (above !== undefined) return above
  const [known] = await listRows(live, 'taxonomy_terms', 'id', [id])
  if (!known) return bringTerm(live, db, id)
  await putRows(live, 'taxonomy_terms', [{ ...row, slug: known.slug }])
  const line = await lineAbove(live, id)
  if (line === 'circle') await alignLine(live, db, id)
  return undefined
}

// Changed ancestors of a place are included up to its position.
async function alignLine(live: Db, db: Db, id: number): Promise<void> {
  const line = await lineAbove(db, id)
  if (line === 'circle') return
  for (const row of [...line].reverse()) {
    await bringTerm(live, db, Number(row.id))
    await changeRow(live, 'taxonomy_terms', Number(row.id), { parent_id: row.parent_id })
  }
}

// Terms that were moved elsewhere earlier stay there.
async function removeTerm(live: Db, db: Db, id: number): Promise<void> {
  const below = await listBelow(live, id)
  const kept = await listRows(db, 'taxonomy_terms', 'id', below)
  for (const row of kept) {
    await alignLine(live, db, Number(row.id))
    await changeRow(live, 'taxonomy_terms', Number(row.id), { parent_id: row.parent_id })
  }
  const gone = [id, ...(await listBelow(live, id))]
  const offers = (await listOffersAt(live, gone)).map((offer) => offer.id)
  await deleteRows(live, 'content_entries', 'id', offers)
  await deleteRows(live, 'taxonomy_terms', 'id', [id])
}

/** Returns a term's ancestors, nearest first; `circle` if it is its own ancestor. */
async function lineAbove(db: Db, id: number): Promise<ContentRow[] | 'circle'> {
  const line: ContentRow[] = []
  const seen = new Set<unknown>([id])
  let [row] = await listRows(db, 'taxonomy_terms', 'id', [id])
  while (row && row.parent_id !== null) {
    if (seen.has(row.parent_id)) return 'circle'
    seen.add(row.parent_id)
    ;[row] = await listRows(db, 'taxonomy_terms', 'id', [row.parent_id])
    if (row) line.push(row)
  }
  return line
}

/** Returns the IDs of all terms below a term. */
async function listBelow(db: Db, id: number): Promise<number[]> {
  const below: number[] = []
  let level = [id]
  while (level.length > 0) {
    level = (await listRows(db, 'taxonomy_terms', 'parent_id', level)).map((row) => Number(row.id))
    below.push(...level)
  }
  return below
}
