import type { Db } from '../../db/schema.ts'
import { listDraftsWithPictures } from '../../entries/history/draft-pictures.ts'
import { listContentTypes } from '../../entries/types/content-type-store.ts'
import { phonesOf } from '../../site/settings/phones.ts'
import { picturesInSettings } from '../../site/settings/setting-pictures.ts'
import { type OpenBase, openBase } from '../base-documents.ts'
import { listContentFileBases } from '../content-file-store.ts'
import type { ContentDocument } from '../document.ts'
import { documentsFromDatabase } from '../documents-from-database.ts'
import { checkPhones } from '../parsing/check-phones.ts'
import { checkReferences } from '../parsing/check-references.ts'
import type { Mistake } from '../parsing/mistake.ts'
import { type ParsedFile, stemOf } from '../parsing/parsed-file.ts'
import { seedDocuments } from '../seed-documents.ts'
import { checkFaultyParts } from './check-faulty-parts.ts'
import { checkStoredSecrets } from './check-stored-secrets.ts'
import { type DraftDocument, protectDependents } from './dependent-rows.ts'
import { mergeEntries } from './merge-entries.ts'
import { mergeSettings } from './merge-settings.ts'
import { isHeld, isKept, type PathPlan, planPaths, worldAfter } from './plan-paths.ts'
import type { SyncOptions } from './sync-options.ts'

/** Files of a content folder. */
export interface Folder {
  files: readonly ParsedFile[]
  /** Names of the files of `pictures/`, including invalid ones. */
  pictures: ReadonlySet<string>
}

/** Plans the change for every path, by the three-way rule of contract §3. */
export async function planContent(
  db: Db,
  files: readonly ParsedFile[],
  options: SyncOptions,
): Promise<PathPlan[]> {
  const rows = await documentsFromDatabase(db)
  const bases = new Map<string, OpenBase>()
  for (const [path, base] of await listContentFileBases(db))
    bases.set(path, openBase(base, options.secretBox))
  const mayBeSeeds = files.some(({ path }) => rows.has(path) && !bases.has(path))
  const seeds = mayBeSeeds ? await seedDocuments() : new Map()
  const paths = planPaths({ files, rows, bases, seeds }, options)
  const drafts = removesPicture(paths) ? await listDraftDocuments(db) : []
  const planned = protectDependents(paths, options, drafts)
  return mergeEntries(mergeSettings(planned, options), options)
}

function removesPicture(plans: readonly PathPlan[]): boolean {
  return plans.some(({ decision, row }) => decision === 'remove' && row?.document.kind === 'picture')
}

async function listDraftDocuments(db: Db): Promise<DraftDocument[]> {
  const types = new Map((await listContentTypes(db)).map(({ id, slug }) => [id, slug]))
  const drafts = await listDraftsWithPictures(db)
  return drafts.map(({ entry: { typeId, slug }, names }) => ({
    type: types.get(typeId) ?? '',
    slug,
    pictures: names,
  }))
}

/** Finds mistakes in the files that a sync uses. They may refer to names defined on either side of a conflict. */
export function findMistakes({ files, pictures }: Folder, plans: readonly PathPlan[]): Mistake[] {
  const mistaken = new Set(files.filter(({ document }) => !document).map(({ path }) => stemOf(path)))
  const used = usedFiles(files, plans)
  const named = withoutFormerSelves(used, plans)
  // The country isn't known while the settings can't be read.
  const dialed = mistaken.has('site') ? used.filter(({ path }) => path === 'site.yaml') : used
  return [
    ...files.flatMap((file) => file.mistakes),
    ...mistakesByBoth(plans, (documents) => [
      ...checkReferences(named, documents, { mistaken, pictures }),
      ...checkPhones(dialed, { plans, documents }),
    ]),
    ...checkFaultyParts(used, plans),
    ...checkStoredSecrets(used, plans),
  ]
}

// In other files, only mistakes that remain whichever side of a conflict wins.
function mistakesByBoth(
  plans: readonly PathPlan[],
  check: (documents: ContentDocument[]) => Mistake[],
): Mistake[] {
  const byFiles = check(worldAfter(plans, { conflicts: 'file' }))
  const conflicts = new Set(plans.filter(isHeld).map(({ path }) => path))
  if (byFiles.length === 0 || conflicts.size === 0) return byFiles
  const byRows = check(worldAfter(plans, { conflicts: 'row' }))
  const both = new Set(byRows.map(({ path, line }) => `${path}:${line}`))
  return byFiles.filter(({ path, line }) => conflicts.has(path) || both.has(`${path}:${line}`))
}

/** The files that are synced or in conflict. A file that loses to its row may refer to something deleted. */
export function usedFiles(files: readonly ParsedFile[], plans: readonly PathPlan[]): ParsedFile[] {
  const unused = new Set(
    plans.filter((plan) => isKept(plan) || plan.decision === 'wait').map(({ path }) => path),
  )
  const merged = new Map(plans.map((plan) => [plan.path, plan.merged]))
  return files
    .filter(({ path }) => !unused.has(path))
    .map((file) => withoutReplaced(file, merged.get(file.path)))
}

// After a merge of settings, the form, pictures, and phone numbers may come from the row.
function withoutReplaced(file: ParsedFile, merged: ContentDocument | undefined): ParsedFile {
  if (merged?.kind !== 'site') return file
  const { default_form: form } = merged.settings
  const pictures = new Set(picturesInSettings(merged.settings).map(({ name }) => name))
  const numbers = new Set(phonesOf(merged.settings).map(({ number }) => number))
  const references = file.references.filter(
    (one) =>
      (one.to !== 'form' || one.slug === form) &&
      (one.to !== 'picture' || pictures.has(one.name)) &&
      (one.to !== 'phone' || numbers.has(one.number)),
  )
  return { ...file, references }
}

// An entry renamed in the admin has the former addresses that its edited file lists under the old slug. Only a
// person can say that these two are the same, so it becomes a conflict.
function withoutFormerSelves(files: readonly ParsedFile[], plans: readonly PathPlan[]): ParsedFile[] {
  const rowless = plans.filter(({ decision, row }) => decision === 'conflict' && !row)
  const paths = new Set(rowless.map(({ path }) => path))
  return files.map((file) => {
    if (!paths.has(file.path)) return file
    return { ...file, references: file.references.filter(({ to }) => to !== 'here') }
  })
}
