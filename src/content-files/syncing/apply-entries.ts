import type { Db } from '../../db/schema.ts'
import {
  deleteEntries,
  type EntryValues,
  findEntry,
  findEntryIds,
  insertEntries,
  replaceEntryTerms,
  updateEntry,
} from '../../entries/entry-store.ts'
import { findContentType } from '../../entries/types/content-type-store.ts'
import { LOCAL_TESTIMONIALS, LOCATION_SERVICES } from '../../entries/types/field-meaning.ts'
import { listTaxonomies, listTerms } from '../../taxonomies/taxonomy-store.ts'
import type { EntryDocument } from '../document.ts'

/** Inserts entries of one type or updates those whose slug exists: these keep their ids. Then their terms. */
export async function writeEntries(
  db: Db,
  typeSlug: string,
  documents: readonly EntryDocument[],
  { now }: { now: string },
): Promise<void> {
  const typeId = await getTypeId(db, typeSlug)
  const ids = await findEntryIds(db, typeId, documents.map(slugOf))
  const toValues = await valuesBuilder(db, typeSlug, documents)
  const added = documents.filter((document) => !ids.has(document.slug))
  for (const document of documents) {
    const id = ids.get(document.slug)
    if (id !== undefined) await updateEntry(db, id, toValues(document), { now })
  }
  const rows = added.map((document) => ({ slug: document.slug, ...toValues(document) }))
  for (const [slug, id] of await insertEntries(db, typeId, rows, { now })) ids.set(slug, id)
  await writeTerms(db, typeId, new Map(documents.map((document) => [ids.get(document.slug) ?? 0, document])))
}

/**
 * Deletes an entry. A location service becomes a generated one instead, with nothing of its own: whether a service
 * is still offered there decides if it stays.
 */
export async function removeEntry(
  db: Db,
  { type, slug }: EntryDocument,
  { now }: { now: string },
): Promise<void> {
  const entry = await findEntry(db, await getTypeId(db, type), slug)
  if (!entry) return
  if (type !== LOCATION_SERVICES) return deleteEntries(db, [entry.id])
  const { service_entry_id, location_term_id } = entry.data
  const data = { service_entry_id, location_term_id }
  const texts = { title: '', status: 'published' as const, body: '', data, isGenerated: true }
  const values = { ...texts, publishAt: null, unpublishAt: null, redirectFrom: [] }
  await updateEntry(db, entry.id, values, { now })
  await replaceEntryTerms(db, entry.typeId, new Map([[entry.id, []]]))
}

async function getTypeId(db: Db, slug: string): Promise<number> {
  const type = await findContentType(db, slug)
  if (!type) throw new Error(`There is no content type ${slug}`)
  return type.id
}

async function valuesBuilder(
  db: Db,
  typeSlug: string,
  documents: readonly EntryDocument[],
): Promise<(document: EntryDocument) => EntryValues> {
  const locate = typeSlug === LOCATION_SERVICES ? await locationFields(db, documents) : undefined
  return (document) => ({
    title: document.title,
    status: document.status,
    publishAt: document.publish_at ?? null,
    unpublishAt: document.unpublish_at ?? null,
    redirectFrom: document.redirect_from ?? [],
    body: document.body,
    data: { ...document.fields, ...locate?.(document) },
    isGenerated: false,
  })
}

// What a location service's file says by its path and by slugs, as ids (§2.9 rules 1–3).
async function locationFields(db: Db, documents: readonly EntryDocument[]) {
  const services = await findEntryIds(db, await getTypeId(db, 'services'), documents.map(serviceOf))
  const testimonialType = await getTypeId(db, 'testimonials')
  const testimonials = await findEntryIds(db, testimonialType, documents.flatMap(testimonialsOf))
  const locations = (await listTermIds(db)).get('locations')
  return (document: EntryDocument) => {
    const ids = testimonialsOf(document).flatMap((slug) => testimonials.get(slug) ?? [])
    return {
      service_entry_id: services.get(serviceOf(document)),
      location_term_id: locations?.get(locationOf(document)),
      ...(ids.length === 0 ? {} : { [LOCAL_TESTIMONIALS]: ids.join(',') }),
    }
  }
}

async function writeTerms(db: Db, typeId: number, documents: ReadonlyMap<number, EntryDocument>) {
  const known = await listTermIds(db)
  const links = [...documents].map(([id, { terms }]): [number, number[]] => [
    id,
    Object.entries(terms).flatMap(([taxonomy, slugs]) =>
      slugs.flatMap((slug) => known.get(taxonomy)?.get(slug) ?? []),
    ),
  ])
  await replaceEntryTerms(db, typeId, new Map(links))
}

/** Term ids by slug, by taxonomy slug. */
async function listTermIds(db: Db): Promise<Map<string, Map<string, number>>> {
  const ids = new Map<string, Map<string, number>>()
  for (const taxonomy of await listTaxonomies(db)) {
    const terms = await listTerms(db, taxonomy.id)
    ids.set(taxonomy.slug, new Map(terms.map((term) => [term.slug, term.id])))
  }
  return ids
}

function slugOf(document: EntryDocument): string {
  return document.slug
}

function serviceOf({ slug }: EntryDocument): string {
  return slug.slice(0, slug.indexOf('/'))
}

function locationOf({ slug }: EntryDocument): string {
  return slug.slice(slug.indexOf('/') + 1)
}

function testimonialsOf({ fields }: EntryDocument): string[] {
  return (fields[LOCAL_TESTIMONIALS] as string[] | undefined) ?? []
}
