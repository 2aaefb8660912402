import type { Db } from '../../db/schema.ts'
import { trashTerms } from '../../entries/terms/delete-term.ts'
import { rulesOf } from '../../entries/types/builtin/registry.ts'
import { toContentTypeValues } from '../../entries/types/content-type-definition.ts'
import {
  deleteContentType,
  findContentType,
  insertContentType,
  listContentTypes,
  updateContentType,
} from '../../entries/types/content-type-store.ts'
import { findForm, saveForm } from '../../forms/form-store.ts'
import { recordForm } from '../../forms/history/record-form.ts'
import type { Environment } from '../../lib/environment-values.ts'
import type { Progress } from '../../lib/progress.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { savePicture } from '../../pictures/picture-store.ts'
import { trashPicture } from '../../pictures/trash-picture.ts'
import { recordSettings } from '../../site/settings/record-settings.ts'
import { deleteSiteSettings, saveSiteSettings } from '../../site/settings/site-settings-store.ts'
import { countSubmissions } from '../../submissions/retention/retention-store.ts'
import { trashForm } from '../../submissions/trash-form.ts'
import { saveTaxonomy } from '../../taxonomies/save-taxonomy.ts'
import { deleteTaxonomy, findTaxonomy } from '../../taxonomies/taxonomy-store.ts'
import type { Saving } from '../../versions/version.ts'
import { saveWebhooks } from '../../webhooks/definition/save-webhook-store.ts'
import type {
  ContentDocument,
  ContentTypeDocument,
  EntryDocument,
  FormDocument,
  PictureDocument,
} from '../document.ts'
import { fillWebhook } from '../parsing/webhook-texts.ts'
import { removeEntry, writeEntries } from './apply-entries.ts'

export interface ApplyOptions {
  environment: Environment
  secretBox: SecretBox
  now: string
  progress: Progress
}

/**
 * Writes the rows in `written` and deletes those in `removed`. Referenced rows come first: types, then taxonomies,
 * forms, entries, and entries that inherit. Call it inside a transaction.
 */
export async function applyChanges(
  db: Db,
  { written, removed }: { written: readonly ContentDocument[]; removed: readonly ContentDocument[] },
  options: ApplyOptions,
): Promise<void> {
  const total = written.length + removed.length
  let done = 0
  const count = (steps: number) => {
    done += steps
    options.progress.update(done, total)
  }
  for (const kind of ['picture', 'content_type', 'taxonomy', 'form', 'site'] as const) {
    for (const document of written.filter((one) => one.kind === kind)) {
      await writeDocument(db, document, options)
      count(1)
    }
  }
  for (const [type, documents] of entriesByType(written)) {
    await writeEntries(db, type, documents, options)
    count(documents.length)
  }
  for (const document of entriesFirst(removed)) {
    await removeDocument(db, document, options)
    count(1)
  }
}

function entriesByType(written: readonly ContentDocument[]): [string, EntryDocument[]][] {
  const entries = written.filter((document) => document.kind === 'entry')
  const byType = [...Map.groupBy(entries, (entry) => entry.type)]
  return byType.sort(([a], [b]) => Number(inherits(a)) - Number(inherits(b)))
}

function inherits(type: string): boolean {
  return rulesOf(type).inherits !== undefined
}

// The remaining rows delete their entries with them.
function entriesFirst(removed: readonly ContentDocument[]): ContentDocument[] {
  return removed.toSorted((a, b) => Number(b.kind === 'entry') - Number(a.kind === 'entry'))
}

function byFile({ now }: Pick<ApplyOptions, 'now'>): Saving {
  return { now, by: { source: 'file' } }
}

async function writeDocument(db: Db, document: ContentDocument, options: ApplyOptions): Promise<void> {
  switch (document.kind) {
    case 'site':
      return recordSettings(db, () => saveSiteSettings(db, document.settings, options), byFile(options))
    case 'content_type':
      return writeContentType(db, document)
    case 'taxonomy': {
      const typeIds = new Map((await listContentTypes(db)).map((type) => [type.slug, type.id]))
      const { slug, definition } = document
      const saving = byFile(options)
      const removeTerms = (ids: readonly number[]) => trashTerms(db, slug, ids, saving)
      return saveTaxonomy(db, slug, definition, { typeIds, removeTerms, saving })
    }
    case 'form':
      return writeForm(db, document, options)
    case 'entry':
      return writeEntries(db, document.type, [document], options)
    case 'picture':
      return writePicture(db, document, options)
  }
}

async function writeContentType(db: Db, { slug, definition }: ContentTypeDocument) {
  const existing = await findContentType(db, slug)
  if (existing) await updateContentType(db, existing.id, toContentTypeValues(definition))
  else await insertContentType(db, slug, toContentTypeValues(definition))
}

async function writeForm(db: Db, { slug, definition, webhooks }: FormDocument, options: ApplyOptions) {
  const form = await recordForm(db, slug, () => saveForm(db, slug, definition, options), byFile(options))
  if (!form) throw new Error(`The form ${slug} was not stored`)
  const filled = webhooks.map((webhook) => fillWebhook(webhook, options.environment))
  await saveWebhooks(db, form.id, filled, options)
}

// Its bytes are in the picture store before the sync starts.
async function writePicture(db: Db, document: PictureDocument, options: ApplyOptions) {
  const { name, bytes, alt, focal_point: focalPoint = null, crop = null, tags } = document
  await savePicture(db, { name, ...bytes, alt, focalPoint, crop, tags: tags ?? [] }, byFile(options))
}

// Answers keep their form: with submissions, it is archived, and its file restores it.
async function removeForm(db: Db, { slug, definition }: FormDocument, options: ApplyOptions) {
  const form = await findForm(db, slug)
  if (!form) return
  const archive = () => saveForm(db, slug, { ...definition, status: 'archived' }, options)
  if ((await countSubmissions(db, form.id)) > 0) await recordForm(db, slug, archive, byFile(options))
  else if (!form.isBuiltin) await trashForm(db, form, byFile(options))
}

async function removeDocument(db: Db, document: ContentDocument, options: ApplyOptions): Promise<void> {
  switch (document.kind) {
    case 'site':
      return recordSettings(db, () => deleteSiteSettings(db), byFile(options))
    case 'content_type': {
      const type = await findContentType(db, document.slug)
      return type && deleteContentType(db, type.id)
    }
    case 'taxonomy': {
      const taxonomy = await findTaxonomy(db, document.slug)
      return taxonomy && deleteTaxonomy(db, taxonomy.id)
    }
    case 'form':
      return removeForm(db, document, options)
    case 'entry':
      return removeEntry(db, document, options)
    case 'picture':
      return trashPicture(db, document.name, byFile(options))
  }
}
