import type { Kysely } from 'kysely'
import type { Db, Schema } from '../db/schema.ts'
import { findAddressProblems } from '../entries/entry-addresses.ts'
import { reconcileLocationServices } from '../entries/offer-service.ts'
import type { Environment } from '../lib/environment-values.ts'
import { type Progress, silentProgress } from '../lib/progress.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { phonesOf } from '../site/settings/phones.ts'
import { applyChanges } from './apply-changes.ts'
import { type OpenBase, openBase } from './base-documents.ts'
import { checkPhones } from './check-phones.ts'
import { checkReferences } from './check-references.ts'
import { checkStoredHeaders } from './check-stored-headers.ts'
import { listContentFileBases } from './content-file-store.ts'
import { protectDependents } from './dependent-rows.ts'
import type { ContentDocument } from './document.ts'
import { documentsFromDatabase } from './documents-from-database.ts'
import { findWarnings } from './find-warnings.ts'
import { followRenames } from './follow-renames.ts'
import { mergeSettings } from './merge-settings.ts'
import { inReadingOrder, type Mistake } from './mistake.ts'
import { type ParsedFile, stemOf } from './parsed-file.ts'
import { type PathPlan, planPaths, worldAfter } from './plan-paths.ts'
import type { Preference } from './plan-sync.ts'
import { readContent } from './read-content.ts'
import { type ReadPictures, readPictures } from './read-pictures.ts'
import { recordBases } from './record-bases.ts'
import { seedDocuments } from './seed-documents.ts'
import { syncPictures } from './sync-pictures.ts'

export interface SyncOptions {
  contentDir: string
  /** Where `${NAME}` in form files is looked up. */
  environment: Environment
  secretBox: SecretBox
  now: Date
  /** Says what would change, and changes nothing. */
  dryRun?: boolean | undefined
  /** Called in a dry run with the database as it would be, before all is taken back. */
  inspect?: ((db: Db) => Promise<void>) | undefined
  /** Settles conflicts. */
  prefer?: Preference | undefined
  progress?: Progress | undefined
}

/** What a sync did, as paths inside the content folder. */
export interface SyncChanges {
  added: string[]
  changed: string[]
  removed: string[]
  /** Rows that stay as they were left in the admin, deleted ones included. */
  kept: string[]
  locationServices: { added: number; removed: number }
}

/** A file and its row that both changed since they were last equal. */
interface Conflict {
  path: string
  message: string
}

export type SyncResult =
  /** `warnings` are for a person to look at; they stopped nothing. `isSiteChanged`: there may be something to publish. */
  | { kind: 'synced'; changes: SyncChanges; isSiteChanged: boolean; warnings: Mistake[] }
  | { kind: 'mistakes'; mistakes: Mistake[] }
  | { kind: 'conflicts'; conflicts: Conflict[] }

/**
 * Brings the database in line with the content files by the three-way rule of contract §3, in one transaction. With
 * any mistake, or a conflict that is not settled, nothing is written. Throws when there is no content folder.
 */
export async function syncContent(db: Kysely<Schema>, options: SyncOptions): Promise<SyncResult> {
  const files = await readContent(db, options)
  const pictures = await readPictures(db, options.contentDir)
  try {
    return await db.transaction().execute((trx) => syncFiles(trx, { files, pictures }, options))
  } catch (error) {
    if (error instanceof TakenBack) return error.result
    throw error
  }
}

/** Takes the transaction back after it has shown what comes out. */
class TakenBack extends Error {
  readonly result: SyncResult

  constructor(result: SyncResult) {
    super('The sync is taken back')
    this.result = result
  }
}

/** What stands in a content folder. */
interface Folder {
  files: readonly ParsedFile[]
  pictures: ReadPictures
}

async function syncFiles(db: Db, { files, pictures }: Folder, options: SyncOptions): Promise<SyncResult> {
  await followRenames(db, files, { now: options.now.toISOString() })
  const plans = await plan(db, files, options)
  if (files.length === 0) refuseToEmpty(plans, options)
  const mistakes = findMistakes({ files, pictures }, plans)
  if (mistakes.length > 0) throw new TakenBack({ kind: 'mistakes', mistakes: inReadingOrder(mistakes) })
  const conflicts = plans.filter(({ decision }) => decision === 'conflict')
  if (conflicts.length > 0) throw new TakenBack({ kind: 'conflicts', conflicts: conflicts.map(toConflict) })
  const changes = await apply(db, plans, options)
  const isPictureChanged = await syncPictures(db, pictures, { now: options.now.toISOString() })
  const clashes = await findAddressMistakes(db)
  if (clashes.length > 0) throw new TakenBack({ kind: 'mistakes', mistakes: clashes })
  const result: SyncResult = {
    kind: 'synced',
    changes,
    isSiteChanged: isPictureChanged || countChanges(changes) > 0,
    warnings: await findWarnings(db, usedFiles(files, plans)),
  }
  if (!options.dryRun) return result
  await options.inspect?.(db)
  throw new TakenBack(result)
}

// A folder that is not mounted, or a mistyped CONTENT_DIR, must not take a whole site down.
function refuseToEmpty(plans: readonly PathPlan[], { contentDir }: SyncOptions) {
  const removed = plans.filter(({ decision }) => decision === 'remove').length
  if (removed === 0) return
  throw new Error(
    `${contentDir} has no content files, and ${removed} were synced before: nothing was removed. Check CONTENT_DIR, or keep at least one file`,
  )
}

async function plan(db: Db, files: readonly ParsedFile[], options: SyncOptions): Promise<PathPlan[]> {
  const rows = await documentsFromDatabase(db)
  const bases = new Map<string, OpenBase>()
  for (const [path, base] of await listContentFileBases(db))
    bases.set(path, openBase(base, options.secretBox))
  const mayBeSeeds = files.some(({ path }) => rows.has(path) && !bases.has(path))
  const seeds = mayBeSeeds ? await seedDocuments() : new Map()
  return mergeSettings(protectDependents(planPaths({ files, rows, bases, seeds }, options), options), options)
}

function findMistakes({ files, pictures }: Folder, plans: readonly PathPlan[]): Mistake[] {
  const mistaken = new Set(files.filter(({ document }) => !document).map(({ path }) => stemOf(path)))
  const used = usedFiles(files, plans)
  const documents = worldAfter(plans)
  return [
    ...files.flatMap((file) => file.mistakes),
    ...pictures.mistakes,
    ...checkReferences(withoutFormerSelves(used, plans), documents, {
      mistaken,
      pictures: pictures.names,
    }),
    ...checkStoredHeaders(used, plans),
    // The country of the others is not known while the settings cannot be read.
    ...checkPhones(mistaken.has('site.yaml') ? used.filter(({ path }) => path === 'site.yaml') : used, {
      plans,
      documents,
    }),
  ]
}

// What a kept row replaces is not taken over, so it may name what is gone.
function usedFiles(files: readonly ParsedFile[], plans: readonly PathPlan[]): ParsedFile[] {
  const unused = new Set(plans.filter(({ decision }) => isKept(decision)).map(({ path }) => path))
  const merged = new Map(plans.map((plan) => [plan.path, plan.merged]))
  return files
    .filter(({ path }) => !unused.has(path))
    .map((file) => withoutReplaced(file, merged.get(file.path)))
}

// Of settings that were merged the form, the logo and the phone numbers may be those of the row.
function withoutReplaced(file: ParsedFile, merged: ContentDocument | undefined): ParsedFile {
  if (merged?.kind !== 'site') return file
  const { default_form: form, logo } = merged.settings
  const numbers = new Set(phonesOf(merged.settings).map(({ number }) => number))
  const references = file.references.filter(
    (one) =>
      (one.to !== 'form' || one.slug === form) &&
      (one.to !== 'picture' || one.name === logo) &&
      (one.to !== 'phone' || numbers.has(one.number)),
  )
  return { ...file, references }
}

// What was renamed in the admin has the former addresses that its edited file names under the old slug. That these two
// are one is a person's to say, as a conflict.
function withoutFormerSelves(files: readonly ParsedFile[], plans: readonly PathPlan[]): ParsedFile[] {
  const rowless = plans.filter(({ decision, row }) => decision === 'conflict' && !row)
  const paths = new Set(rowless.map(({ path }) => path))
  return files.map((file) => {
    if (!paths.has(file.path)) return file
    return { ...file, references: file.references.filter(({ to }) => to !== 'here') }
  })
}

// Which address an entry gets is known when types and entries are what the files say.
async function findAddressMistakes(db: Db): Promise<Mistake[]> {
  const problems = await findAddressProblems(db)
  return problems.map(({ typeSlug, slug, message }) => ({ path: `${typeSlug}/${slug}.md`, line: 1, message }))
}

function isKept(decision: PathPlan['decision']): boolean {
  return decision === 'keep' || decision === 'prefer_row'
}

async function apply(db: Db, plans: readonly PathPlan[], options: SyncOptions): Promise<SyncChanges> {
  const { environment, secretBox, progress = silentProgress } = options
  const now = options.now.toISOString()
  const written = plans.flatMap(
    ({ decision, file, merged }) => merged ?? (decision === 'write' && file ? file : []),
  )
  const removed = plans.flatMap(({ decision, row }) => (decision === 'remove' && row ? [row.document] : []))
  await applyChanges(db, { written, removed }, { environment, secretBox, now, progress })
  const locationServices = await reconcileLocationServices(db, { now })
  await recordBases(db, plans, { secretBox, now })
  progress.finish()
  return { ...summarize(plans), locationServices }
}

function summarize(plans: readonly PathPlan[]): Omit<SyncChanges, 'locationServices'> {
  const paths = (chosen: (plan: PathPlan) => boolean) => plans.filter(chosen).map(({ path }) => path)
  return {
    added: paths(({ decision, row }) => decision === 'write' && !row),
    changed: paths(
      ({ decision, row }) => decision === 'merge' || (decision === 'write' && row !== undefined),
    ),
    removed: paths(({ decision }) => decision === 'remove'),
    kept: paths(({ decision, file }) => isKept(decision) && file !== undefined),
  }
}

function countChanges({ added, changed, removed, locationServices }: SyncChanges): number {
  return [added, changed, removed].flat().length + locationServices.added + locationServices.removed
}

function toConflict({ path, file, row, reason }: PathPlan): Conflict {
  if (reason) return { path, message: reason }
  if (!file) return { path, message: 'the file was deleted, and its row was changed in the admin' }
  if (!row) return { path, message: 'the file was changed, and its row was deleted or renamed in the admin' }
  return { path, message: 'the file and its row in the admin differ, and both were changed' }
}
