import type { Kysely } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import { findAddressProblems } from '../../entries/addresses/entry-addresses.ts'
import { Failure } from '../../lib/messages.ts'
import { problemTexts } from '../../messages/command-line/problems.ts'
import { changeContent } from '../../versions/content-turn-store.ts'
import { bindStoredSecrets } from '../bind-stored-secrets.ts'
import { listWaitingPaths, replaceConflicts } from '../conflicts/conflict-store.ts'
import { type Conflict, conflictsOf, toStoredConflicts, versionOf } from '../conflicts/describe-conflicts.ts'
import { isChange } from '../conflicts/hold-dependents.ts'
import { holdPlans } from '../conflicts/hold-plans.ts'
import { replaceFileErrors } from '../file-error-store.ts'
import { inReadingOrder, type Mistake } from '../parsing/mistake.ts'
import type { ParsedFile } from '../parsing/parsed-file.ts'
import { readContent } from '../parsing/read-content.ts'
import { readPictures } from '../parsing/read-pictures.ts'
import { applyPlans, countChanges, type SyncChanges } from './apply-plans.ts'
import { checkStages } from './check-stages.ts'
import { findWarnings } from './find-warnings.ts'
import { followRenames } from './follow-renames.ts'
import { nameRenamed } from './name-renamed.ts'
import { withoutOlderFiles } from './older-files.ts'
import { findMistakes, planContent, usedFiles } from './plan-content.ts'
import { isHeld, type PathPlan } from './plan-paths.ts'
import { listOrphans, storePictures } from './store-pictures.ts'
import type { SyncOptions } from './sync-options.ts'

/** Result of a sync. `warnings` didn't stop it. `isSiteChanged`: there may be something to publish. */
interface Synced {
  changes: SyncChanges
  isSiteChanged: boolean
  warnings: Mistake[]
}

export type SyncResult =
  | ({ kind: 'synced' } & Synced)
  | { kind: 'mistakes'; mistakes: Mistake[] }
  /** Files whose row changed too, and files that depend on them: these stay unchanged. All others are synced. */
  | ({ kind: 'conflicts'; conflicts: Conflict[]; waiting: Conflict[] } & Synced)
  /** The file or the row changed after the person decided. */
  | { kind: 'outdated' }

/**
 * Updates the database from the content files by the three-way rule of contract §3, in one transaction. If any file
 * has an error, only the errors are stored. A conflict and everything that depends on it stay unchanged until it is
 * resolved; a row is renamed even so if a file lists its former slug. Throws if there is no content folder.
 */
export async function syncContent(db: Kysely<Schema>, options: SyncOptions): Promise<SyncResult> {
  const texts = await readContent(db, options)
  const pictures = await readPictures(db, options.contentDir)
  if (!options.dryRun) await storePictures(pictures, options)
  const files = [...texts, ...pictures.files]
  const folder = { files, isEmpty: texts.length === 0, pictures: pictures.names, held: new Set<string>() }
  const orphans = await listOrphans(db, pictures.files)
  const result = await attempt(db, folder, options)
  // A sweep may have deleted orphans with the same bytes before rows referred to them.
  if (!options.dryRun) await storePictures({ ...pictures, files: orphans }, options)
  await recordErrors(db, result, options)
  return result
}

// A sync of one file says nothing about the errors in others.
async function recordErrors(
  db: Kysely<Schema>,
  result: SyncResult,
  { server, only, dryRun }: SyncOptions,
): Promise<void> {
  if (dryRun || only !== undefined) return
  const mistakes = result.kind === 'mistakes' ? result.mistakes : []
  await db.transaction().execute((trx) => replaceFileErrors(trx, mistakes, { server }))
}

async function attempt(db: Kysely<Schema>, folder: Folder, options: SyncOptions): Promise<SyncResult> {
  try {
    return await changeContent(db, (trx) => syncFiles(trx, folder, options))
  } catch (error) {
    if (error instanceof AddressTaken) return attemptWithout(db, { folder, error, options })
    if (error instanceof TakenBack) return error.result
    throw error
  }
}

// An address may be taken only because of a conflict. If the files alone clash in the same way, they are wrong.
async function attemptWithout(
  db: Kysely<Schema>,
  { folder, error, options }: { folder: Folder; error: AddressTaken; options: SyncOptions },
): Promise<SyncResult> {
  const { mistakes, paths } = error
  const held = new Set([...folder.held, ...paths])
  const byFiles = {
    prefer: 'file' as const,
    only: undefined,
    basedOn: undefined,
    dryRun: true,
    inspect: undefined,
  }
  const asFiles = await attempt(db, { ...folder, held: new Set() }, { ...options, ...byFiles })
  if (asFiles.kind !== 'synced' || held.size === folder.held.size) return { kind: 'mistakes', mistakes }
  return attempt(db, { ...folder, held }, options)
}

/** Rolls back the transaction, because an entry would have another's address. */
class AddressTaken extends Error {
  readonly mistakes: Mistake[]
  /** Files that could wait. */
  readonly paths: string[]

  constructor(mistakes: Mistake[], paths: string[]) {
    super('An address is taken')
    this.mistakes = mistakes
    this.paths = paths
  }
}

/** Rolls back the transaction after showing its result. */
class TakenBack extends Error {
  readonly result: SyncResult

  constructor(result: SyncResult) {
    super('The sync is taken back')
    this.result = result
  }
}

/** Files of a content folder. */
interface Folder {
  files: readonly ParsedFile[]
  /** No entry, form, or setting. */
  isEmpty: boolean
  /** Names of the files of `pictures/`, including invalid ones. */
  pictures: ReadonlySet<string>
  /** Paths of files whose addresses are still used by conflicts. */
  held: ReadonlySet<string>
}

async function syncFiles(db: Db, given: Folder, options: SyncOptions): Promise<SyncResult> {
  const { files, remember } = await withoutOlderFiles(db, given.files, options)
  const folder = { ...given, files, pictures: withPictures(given.pictures, files) }
  const { isEmpty, held } = folder
  const now = options.now.toISOString()
  await bindStoredSecrets(db, options)
  const asked = await findAsked(db, options)
  if (!asked) await followRenames(db, files, { now })
  const planned = await planContent(db, files, options)
  if (isEmpty) refuseToEmpty(planned, options)
  const found = [...findMistakes(folder, planned), ...(await checkStages(db, planned))]
  const mistakes = await nameRenamed(db, onlyAsked(found, asked))
  if (mistakes.length > 0) throw new TakenBack({ kind: 'mistakes', mistakes: inReadingOrder(mistakes) })
  refuseUnknownPath(planned, options)
  const outdated = findOutdated(planned, options)
  const plans = outdated ?? (await holdPlans(db, planned, { ...folder, asked, held }))
  await replaceConflicts(db, onlyAsked(toStoredConflicts(plans, { ...options, now }), asked), { asked })
  if (outdated) return { kind: 'outdated' }
  const changes = await applyPlans(db, plans, options)
  await remember(plans)
  await refuseTakenAddresses(db, plans)
  const isSiteChanged = countChanges(changes) > 0
  const warnings = await findWarnings(db, onlyAsked(usedFiles(files, plans), asked))
  const result = toResult({ changes, isSiteChanged, warnings }, onlyAsked(plans, asked))
  if (!options.dryRun) return result
  await options.inspect?.(db)
  throw new TakenBack(result)
}

// Pictures synced by another server aren't in the folder.
function withPictures(names: ReadonlySet<string>, files: readonly ParsedFile[]): ReadonlySet<string> {
  const all = files.flatMap(({ document }) => (document?.kind === 'picture' ? document.name : []))
  return new Set([...names, ...all])
}

// A file that a person decided about is synced with those that depended on it.
async function findAsked(db: Db, { only }: SyncOptions): Promise<ReadonlySet<string> | undefined> {
  return only === undefined ? undefined : new Set([only, ...(await listWaitingPaths(db))])
}

function onlyAsked<T extends { path: string }>(
  items: readonly T[],
  asked: ReadonlySet<string> | undefined,
): T[] {
  return items.filter(({ path }) => !asked || asked.has(path))
}

// The current two sides, shown again if the person decided about others.
function findOutdated(plans: readonly PathPlan[], { only, basedOn }: SyncOptions): PathPlan[] | undefined {
  const plan = plans.find(({ path }) => path === only)
  if (basedOn === undefined || (plan && versionOf(plan) === basedOn)) return undefined
  return plan && plan.decision !== 'agree' ? [{ ...plan, decision: 'conflict' }] : []
}

function toResult(synced: Synced, plans: readonly PathPlan[]): SyncResult {
  const [conflicts, waiting] = [conflictsOf(plans, 'conflict'), conflictsOf(plans, 'wait')]
  if (conflicts.length + waiting.length === 0) return { kind: 'synced', ...synced }
  return { kind: 'conflicts', conflicts, waiting, ...synced }
}

// An unmounted folder or a mistyped CONTENT_DIR must not remove a whole site.
function refuseToEmpty(plans: readonly PathPlan[], { contentDir }: SyncOptions) {
  const removed = plans.filter(({ decision }) => decision === 'remove').length
  if (removed === 0) return
  throw new Failure(problemTexts, 'contentGone', contentDir, removed)
}

// A mistyped path would settle nothing. A file with mistakes has no plan either, so these come first. A person who
// decided about a version sees that it is outdated.
function refuseUnknownPath(plans: readonly PathPlan[], { only, basedOn }: SyncOptions) {
  if (only === undefined || basedOn !== undefined || plans.some(({ path }) => path === only)) return
  throw new Failure(problemTexts, 'fileUnknown', only)
}

// An entry's address is known only once types and entries match the files.
async function refuseTakenAddresses(db: Db, plans: readonly PathPlan[]) {
  const problems = await findAddressProblems(db)
  if (problems.length === 0) return
  const pathOf = ({ typeSlug, slug }: { typeSlug: string; slug: string }) => `${typeSlug}/${slug}.md`
  const mistakes = problems.map((problem): Mistake => {
    const fault = { code: 'address_wrong' as const, params: { rule: problem.fault } }
    return { path: pathOf(problem), line: 1, fault }
  })
  if (!plans.some(isHeld)) throw new TakenBack({ kind: 'mistakes', mistakes })
  const taking = new Set(
    problems.flatMap((problem) => [problem, ...(problem.owner ? [problem.owner] : [])].map(pathOf)),
  )
  const paths = plans.filter((plan) => isChange(plan) && taking.has(plan.path)).map(({ path }) => path)
  throw new AddressTaken(mistakes, paths)
}
