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
import { findWithTerms, recordAround, recordEdited } from '../../entries/history/record-entry.ts'
import { trashEntry } from '../../entries/trash/trash-entry.ts'
import { rulesOf } from '../../entries/types/builtin/registry.ts'
import { findContentType } from '../../entries/types/content-type-store.ts'
import { listTaxonomies, listTerms } from '../../taxonomies/taxonomy-store.ts'
import type { EntryDocument } from '../document.ts'

/** Inserts entries of one type, or updates those whose slug exists, which keep their IDs; then sets their terms. */
export async function writeEntries(
  db: Db,
  typeSlug: string,
  documents: readonly EntryDocument[],
  { now }: { now: string },
): Promise<void> {
  const typeId = await getTypeId(db, typeSlug)
  const ids = await findEntryIds(db, typeId, documents.map(slugOf))
  const before = await findWithTerms(db, [...ids.values()])
  const toValues = await valuesBuilder(db, typeSlug, documents)
  const added = documents.filter((document) => !ids.has(document.slug))
  for (const document of documents) {
    const id = ids.get(document.slug)
    if (id !== undefined) await updateEntry(db, id, toValues(document), { now })
  }
  const rows = added.map((document) => ({ slug: document.slug, ...toValues(document) }))
  for (const [slug, id] of await insertEntries(db, typeId, rows, { now })) ids.set(slug, id)
  await writeTerms(db, typeId, new Map(documents.map((document) => [ids.get(document.slug) ?? 0, document])))
  for (const one of before) await recordEdited(db, one, { now, by: { source: 'file' } })
}

/** Moves an entry to the trash. One that inherits becomes a generated one instead, without content of its own. */
export async function removeEntry(
  db: Db,
  { type, slug }: EntryDocument,
  { now }: { now: string },
): Promise<void> {
  const entry = await findEntry(db, await getTypeId(db, type), slug)
  if (!entry) return
  const { inherits, beforeRemoval } = rulesOf(type)
  const saving = { now, by: { source: 'file' as const } }
  if (inherits) return recordAround(db, entry, () => inherits.release(db, entry, saving), saving)
  const remove = async () => {
    await beforeRemoval?.(db, entry, saving)
    await deleteEntries(db, [entry.id])
  }
  await trashEntry(db, { entry, typeSlug: type }, remove, saving)
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
  const dataOf = await rulesOf(typeSlug).dataOfFiles?.(db, documents)
  return (document) => ({
    title: document.title,
    status: document.status,
    publishAt: document.publish_at ?? null,
    unpublishAt: document.unpublish_at ?? null,
    redirectFrom: document.redirect_from ?? [],
    body: document.body,
    data: { ...document.fields, ...dataOf?.(document) },
    isGenerated: false,
  })
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

/** Term IDs by slug, by taxonomy slug. */
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
