import type { Db } from '../../db/schema.ts'
import { findEntryById, findEntryName, listTermIdsOfEntry } from '../../entries/entry-lookup-store.ts'
import { listEntryIdsDue } from '../../entries/entry-schedule-store.ts'
import { type Entry, replaceEntryTerms, updateEntry } from '../../entries/entry-store.ts'
import type { EntrySnapshot } from '../../entries/history/entry-snapshot.ts'
import { isPublicAt } from '../../entries/is-public-at.ts'
import {
  alignLocationServiceSlugs,
  listOffersOfService,
} from '../../entries/offers/location-service-store.ts'
import { LOCATION_SERVICES, SERVICES } from '../../entries/types/builtin/slugs.ts'
import { findContentType } from '../../entries/types/content-type-store.ts'
import { scheduleTexts } from '../../messages/server/publishing.ts'
import { bringReferences } from './bring-references.ts'
import { deleteRows, insertRows, listRows, showAll } from './content-row-store.ts'

interface Moments {
  /** The last time the site was correct; UTC text. */
  since: string
  now: Date
}

/**
 * Copies the current version of due entries into the live content, and removes those that are due to be hidden.
 * Everything else stays live as it is. Returns a sentence for each entry that can't be published alone. Call it
 * inside a transaction of `live`.
 */
export async function takeDueEntries(live: Db, db: Db, { since, now }: Moments): Promise<string[]> {
  await showAll(live, now)
  const services = (await findContentType(db, SERVICES))?.id
  const ids = await listEntryIdsDue(db, since, now.toISOString())
  const due = (await Promise.all(ids.map((id) => findEntryById(db, id)))).filter(
    (entry) => entry !== undefined,
  )
  const problems: string[] = []
  // Their places follow them.
  for (const entry of due.toSorted((a, b) => Number(b.typeId === services) - Number(a.typeId === services))) {
    if (!isPublicAt(entry, now)) await deleteRows(live, 'content_entries', 'id', [entry.id])
    else problems.push(...(await takeEntry(live, db, entry)))
    if (entry.typeId === services && isPublicAt(entry, now))
      problems.push(...(await takePlaces(live, db, { id: entry.id, now })))
  }
  return problems
}

/**
 * Copies an entry's saved version, or this draft of it, into the live content. Returns why that's impossible, as
 * sentences.
 */
export async function takeEntry(live: Db, db: Db, entry: Entry, draft?: EntrySnapshot): Promise<string[]> {
  const name = await findEntryName(db, entry)
  const blocker = await findBlocker(live, db, entry)
  if (blocker) return [scheduleTexts.delayed(name, blocker)]
  const [row = {}] = await listRows(db, 'content_entries', 'id', [entry.id])
  const termIds = draft?.termIds ?? (await listTermIdsOfEntry(db, entry.id))
  const brought = await bringReferences(live, db, { entry, termIds })
  if (brought.kind === 'taken') return [scheduleTexts.delayed(name, brought.problem)]
  await deleteRows(live, 'content_entries', 'id', [entry.id])
  await insertRows(live, 'content_entries', [{ ...row, slug: entry.slug }])
  await replaceEntryTerms(live, entry.typeId, new Map([[entry.id, termIds]]))
  // The form may have been renamed since the last publish.
  const { formSlug } = brought
  const data = formSlug === undefined ? entry.data : { ...entry.data, form: formSlug }
  if (draft || data !== entry.data)
    await updateEntry(live, entry.id, { ...entry, data }, { now: entry.updatedAt })
  return []
}

async function findBlocker(live: Db, db: Db, { id, typeId, slug, data }: Entry): Promise<string | undefined> {
  const type = await findContentType(db, LOCATION_SERVICES)
  if (typeId === type?.id) {
    const [service] = await listRows(live, 'content_entries', 'id', [data.service_entry_id])
    if (!service) return scheduleTexts.serviceNotLive
  }
  const others = await listRows(live, 'content_entries', 'slug', [slug])
  const holder = others.find((row) => row.type_id === typeId && row.id !== id)
  return holder && scheduleTexts.addressTaken(String(holder.title || holder.slug))
}

// The service determines its places; the text of a live place is an entry of its own.
async function takePlaces(live: Db, db: Db, { id, now }: { id: number; now: Date }): Promise<string[]> {
  await alignLocationServiceSlugs(live, { serviceId: id }, { now: now.toISOString() })
  const saved = await listOffersOfService(db, id)
  const shown = await listOffersOfService(live, id)
  const savedIds = new Set(saved.map((offer) => offer.id))
  const shownIds = new Set(shown.map((offer) => offer.id))
  const gone = shown.filter((offer) => !savedIds.has(offer.id)).map((offer) => offer.id)
  await deleteRows(live, 'content_entries', 'id', gone)
  const problems: string[] = []
  for (const offer of saved) {
    if (shownIds.has(offer.id) || offer.status !== 'published') continue
    const entry = await findEntryById(db, offer.id)
    if (entry && isPublicAt(entry, now)) problems.push(...(await takeEntry(live, db, entry)))
  }
  return problems
}
