import type { Db } from '../db/schema.ts'
import { type Entry, listTermIdsByEntry, listWrittenEntries } from '../entries/entry-store.ts'
import { toContentTypeDefinition } from '../entries/types/content-type-definition.ts'
import { type ContentType, listContentTypes } from '../entries/types/content-type-store.ts'
import { dataInFiles, typesReferredTo } from '../entries/types/data-in-files.ts'
import { fieldsInFiles } from '../entries/types/entry-schema.ts'
import { presentValues } from '../entries/types/field-values.ts'
import type { Form } from '../forms/form.ts'
import { listForms, toFormDefinition } from '../forms/form-store.ts'
import { canonicalJson, sha256Hex } from '../lib/canonical-json.ts'
import type { Picture } from '../pictures/picture.ts'
import { listPictures } from '../pictures/picture-store.ts'
import { findSavedSiteSettings } from '../site/settings/site-settings-store.ts'
import { toTaxonomyDefinition } from '../taxonomies/taxonomy-definition.ts'
import { listTaxonomies, listTerms, type Taxonomy } from '../taxonomies/taxonomy-store.ts'
import { buildTermTree } from '../taxonomies/term-tree.ts'
import type { Webhook } from '../webhooks/definition/webhook.ts'
import { listWebhooks, toWebhookDefinition } from '../webhooks/definition/webhook-store.ts'
import { type ContentDocument, type FormDocument, type PictureDocument, pathOfDocument } from './document.ts'
import { normalizeBody } from './parsing/front-matter.ts'
import { inOrder, timingOf } from './parsing/parse-entry.ts'
import { hashFormRow } from './syncing/form-rows.ts'
import type { RowDocument } from './syncing/plan-sync.ts'

/**
 * Returns the database's content as documents by file path. Generated location services have no file and no
 * document.
 */
export async function documentsFromDatabase(db: Db): Promise<Map<string, RowDocument>> {
  const types = await listContentTypes(db)
  const taxonomies = await listTaxonomies(db)
  const rows = [
    ...(await siteRows(db)),
    ...types.map(contentTypeRow),
    ...(await taxonomyRows(db, taxonomies, types)),
    ...(await formRows(db)),
    ...(await entryRows(db, types, taxonomies)),
    ...[...(await listPictures(db)).values()].map((picture) =>
      toRow(pictureDocument(picture), { isBuiltin: false }),
    ),
  ]
  return new Map(rows.map((row) => [pathOfDocument(row.document), row]))
}

function toRow(document: ContentDocument, { isBuiltin }: { isBuiltin: boolean }): RowDocument {
  return { document, sha256: sha256Hex(canonicalJson(document)), isBuiltin }
}

async function siteRows(db: Db): Promise<RowDocument[]> {
  const settings = await findSavedSiteSettings(db)
  return settings ? [toRow({ kind: 'site', settings }, { isBuiltin: false })] : []
}

/** Converts a content type to its file's document. */
export function contentTypeRow(type: ContentType): RowDocument {
  return toRow({ kind: 'content_type', slug: type.slug, definition: toContentTypeDefinition(type) }, type)
}

async function taxonomyRows(db: Db, taxonomies: readonly Taxonomy[], types: readonly ContentType[]) {
  const typeSlugs = new Map(types.map((type) => [type.id, type.slug]))
  const rows: RowDocument[] = []
  for (const taxonomy of taxonomies) {
    const tree = buildTermTree(await listTerms(db, taxonomy.id))
    const definition = toTaxonomyDefinition(taxonomy, tree, { typeSlugs })
    rows.push(toRow({ kind: 'taxonomy', slug: taxonomy.slug, definition }, taxonomy))
  }
  return rows
}

/** Converts a form to its file's document, with encrypted secrets. Throws if a webhook column can't be read. */
export function formDocument(form: Form, webhooks: readonly Webhook[]): FormDocument {
  const definition = toFormDefinition(form)
  return { kind: 'form', slug: form.slug, definition, webhooks: webhooks.map(toWebhookDefinition) }
}

async function formRows(db: Db): Promise<RowDocument[]> {
  const rows: RowDocument[] = []
  for (const form of await listForms(db)) {
    const webhooks = await listWebhooks(db, form.id)
    const document = formDocument(form, webhooks)
    const sha256 = hashFormRow(document, webhooks)
    rows.push({ document, sha256, isBuiltin: form.isBuiltin, webhooks })
  }
  return rows
}

async function entryRows(db: Db, types: readonly ContentType[], taxonomies: readonly Taxonomy[]) {
  const names = await loadNames(db, types, taxonomies)
  const rows: RowDocument[] = []
  for (const type of types) {
    const termIds = await listTermIdsByEntry(db, type.id)
    for (const entry of await listWrittenEntries(db, type.id)) {
      const document = entryDocument(entry, { type, termIds: termIds.get(entry.id) ?? [], names })
      rows.push(toRow(document, { isBuiltin: false }))
    }
  }
  return rows
}

/** Converts a picture to the document of its file and the details file beside it. */
function pictureDocument({ name, alt, focalPoint, crop, tags, ...picture }: Picture): PictureDocument {
  const { sha256, width, height, size } = picture
  return {
    kind: 'picture',
    name,
    bytes: { sha256, width, height, size },
    alt,
    ...(focalPoint && { focal_point: focalPoint }),
    ...(crop && { crop }),
    ...(tags.length > 0 && { tags }),
  }
}

interface Names {
  terms: Map<number, { taxonomy: string; slug: string }>
  /** The slugs of entries referred to by ID, by type. */
  entries: Map<string, Map<number, string>>
}

async function loadNames(
  db: Db,
  types: readonly ContentType[],
  taxonomies: readonly Taxonomy[],
): Promise<Names> {
  const names: Names = { terms: new Map(), entries: new Map() }
  for (const taxonomy of taxonomies) {
    for (const { id, slug } of await listTerms(db, taxonomy.id)) {
      names.terms.set(id, { taxonomy: taxonomy.slug, slug })
    }
  }
  const named = new Set(types.flatMap(({ slug }) => [...typesReferredTo(slug)]))
  for (const { id: typeId, slug: typeSlug } of types.filter(({ slug }) => named.has(slug))) {
    const entries = await listWrittenEntries(db, typeId)
    names.entries.set(typeSlug, new Map(entries.map(({ id, slug }) => [id, slug])))
  }
  return names
}

function entryDocument(
  entry: Entry,
  { type, termIds, names }: { type: ContentType; termIds: readonly number[]; names: Names },
): ContentDocument {
  const terms = Object.groupBy(
    termIds.flatMap((id) => names.terms.get(id) ?? []),
    (term) => term.taxonomy,
  )
  const slugs = Object.entries(terms).map(([taxonomy, list]) => [
    taxonomy,
    list?.map(({ slug }) => slug) ?? [],
  ])
  return {
    kind: 'entry',
    type: type.slug,
    slug: entry.slug,
    title: entry.title,
    status: entry.status,
    ...timingOf(entry),
    terms: inOrder(Object.fromEntries(slugs)),
    fields: presentValues(fieldsInFiles(type), dataInFiles(type.slug, entry.data, names.entries)),
    body: normalizeBody(entry.body),
  }
}
