import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Db } from '../db/schema.ts'
import { useDueDrafts } from '../entries/history/scheduled-draft.ts'
import type { Progress } from '../lib/progress.ts'
import { findLogEnd } from './changes/change-store.ts'
import type { KeptTrees } from './changes/kept-trees.ts'
import { isNothing } from './changes/scope.ts'
import { leaveAsItIs, planOfNothing } from './leave-release.ts'
import { findBase, type Ledger, openPlanLedger, withLedger } from './ledger/ledger-store.ts'
import { removeFormerLiveContent } from './live/live-content.ts'
import { makeRelease } from './make-release.ts'
import { openSource, partOf, type Source } from './open-source.ts'
import { removeUnusedPictures } from './pictures/share-pictures.ts'
import { type Before, compareSite } from './plan/compare-site.ts'
import { findDueMoment } from './plan/find-due-moment.ts'
import { isSameSite, type PageChange, type ReleasePlan } from './plan/plan-release.ts'
import { findUnpublishedSync, forgetSync } from './plan/unpublished-sync.ts'
import { withTeam } from './plan/with-team.ts'
import { markLivePreviews } from './previews/mark-live-previews.ts'
import { checkApproved } from './previews/page-hashes.ts'
import { markPreviewPublished } from './previews/preview-store.ts'
import { ownPublishHooks, withPublishHooks } from './publish-hooks.ts'
import { withPublishTurn, withYieldingTurn } from './publish-turn.ts'
import { type PublishOutcome, recordPublish, type Starter } from './record-publish.ts'
import { startNextFolder } from './release/next-folder.ts'
import { findCurrentRelease, removeOldReleases } from './release/release.ts'
import { checkRolledBack, findLastRollbackId, isHeldBack } from './release/roll-back.ts'
import { type Bundle, ensureBundle } from './render/bundle.ts'
import { tidyReleases } from './shared/share-release.ts'
import type { SharedSite } from './shared/shared-site.ts'

export interface PlanOptions {
  /** Folder with the program's sources and node_modules. */
  projectDir: string
  dataDir: string
  siteUrl: string
  /** Undefined if a single server runs the site. */
  shared?: SharedSite | undefined
  /** Renders every page again, changed or not. */
  full?: boolean | undefined
  /** Compares every page, whatever was saved since the last publish, and the bytes of every file. */
  check?: boolean | undefined
  /** Lets other processes share the content and the work; without it, this process works alone. */
  databaseUrl?: string | undefined
  /** Folders of shards, whose pages don't need to be rendered again. */
  shards?: readonly string[] | undefined
  /** Number of processes. Default: one per processor, if there is enough to do. */
  jobs?: number | undefined
}

export interface PublishOptions extends PlanOptions {
  now: () => Date
  progress: Progress
  /** Publishes nothing if something was saved after this row of the change log. */
  lastChangeId?: number | undefined
  /** For a process that publishes often. */
  trees?: KeptTrees | undefined
  /** For the history. Default: a command. */
  starter?: Starter | undefined
}

/**
 * Brings the public site up to date: renders changed pages, makes the next release, and switches to it. A schedule
 * changes only its own entries. Runs one at a time; further calls wait. If anything fails, the current release
 * stays. A rollback after the request also stays: then the publish fails.
 */
export async function publishSite(db: Db, options: PublishOptions): Promise<PublishOutcome> {
  const lastRollbackId = await findLastRollbackId(db, options)
  const starter = { startedBy: 'command' as const, lastRollbackId, ...options.starter }
  const bundle = await findTemplates(options)
  return withPublishTurn(db, options, () => publishLocked(db, { ...options, starter }, bundle))
}

/**
 * Does the same, unless the site was rolled back and nobody has published since, or another server did the scheduled
 * work; then returns undefined.
 */
export async function publishUnlessHeldBack(
  db: Db,
  options: PublishOptions,
): Promise<PublishOutcome | undefined> {
  const bundle = await findTemplates(options)
  return withPublishTurn(db, options, async () =>
    (await isHeldBack(db, options)) || (await wasDoneElsewhere(db, options))
      ? undefined
      : publishLocked(db, options, bundle),
  )
}

// All servers notice a due schedule at the same time.
async function wasDoneElsewhere(db: Db, { starter, now, ...place }: PublishOptions): Promise<boolean> {
  if (!place.shared || starter?.startedBy !== 'schedule') return false
  const due = await findDueMoment(db, place, now())
  return due === undefined || due > now().toISOString()
}

/** Findings and repairs of a check of the whole site. */
export interface SiteFindings {
  /** Pages whose files were damaged. */
  damaged: number
  /** Pages that didn't match their saved content. */
  outdated: number
  /** Other files were damaged, such as sitemaps. */
  hasDamagedFiles: boolean
}

const NOTHING_FOUND: SiteFindings = { damaged: 0, outdated: 0, hasDamagedFiles: false }

/**
 * Compares every page and file of the live site, byte by byte, with what it should be, and repairs it. The reference is
 * the content that the site was made from, or the saved content if nothing has changed since, so unpublished changes
 * stay unpublished. Finds nothing if there is no site or it was rolled back. Returns undefined if it yielded to another
 * server's publish.
 */
export async function checkSite(
  db: Db,
  options: Pick<
    PublishOptions,
    'projectDir' | 'dataDir' | 'siteUrl' | 'shared' | 'databaseUrl' | 'now' | 'progress'
  >,
): Promise<SiteFindings | undefined> {
  const bundle = await ensureBundle(options.projectDir)
  return withYieldingTurn(db, options, async () => {
    if (!findCurrentRelease(options.dataDir) || (await isHeldBack(db, options))) return NOTHING_FOUND
    const alone = { ...options, jobs: 1 }
    const { id } = await findLogEnd(db)
    const isPublished = isSameSite(await planSite(db, alone))
    // Tomorrow's check covers what is saved from now on.
    const lastChangeId = isPublished ? id : undefined
    const checking = { ...alone, check: true, lastChangeId, starter: { startedBy: 'schedule' as const } }
    const { kind, plan } = await publishLocked(db, checking, isPublished ? bundle : undefined)
    return {
      damaged: plan.renderedSame,
      outdated: isPublished ? plan.added + plan.changed + plan.removed : 0,
      hasDamagedFiles: kind === 'published' && isSameSite(plan),
    }
  })
}

// Schedules and selected changes use the live site's.
async function findTemplates({ projectDir, starter }: PublishOptions): Promise<Bundle | undefined> {
  return partOf(starter) ? undefined : ensureBundle(projectDir)
}

async function publishLocked(db: Db, options: PublishOptions, bundle?: Bundle): Promise<PublishOutcome> {
  const { dataDir, check, starter: { approved } = {} } = options
  const sync = bundle && findUnpublishedSync(dataDir)
  // Before the time that the history records: drafts dated later would be due again.
  const begun = options.now()
  const outcome = await recordPublish(db, options, async (progress) => {
    await checkRolledBack(db, options)
    // Exactly the approved pages are published.
    if (bundle && !check && !approved) await useDueDrafts(db, { now: begun })
    // A check only repairs what is live.
    const hooks = check ? {} : ownPublishHooks()
    return withPublishHooks(hooks, () => publish(db, { ...options, progress }, bundle))
  })
  const now = options.now()
  if (approved) await markPreviewPublished(db, approved.previewId, { now })
  if (outcome.kind === 'published') await markLivePreviews(db, { dataDir, release: outcome.release, now })
  forgetSync(dataDir, sync)
  return outcome
}

/**
 * Finds the changes that a publish would make, without writing anything. Builds the template bundle if there is none
 * yet. Calls `onChange` with every page that differs.
 */
export async function planSite(
  db: Db,
  { onChange, ...options }: PlanOptions & { onChange?: (change: PageChange) => void },
): Promise<ReleasePlan> {
  const bundle = await ensureBundle(options.projectDir)
  const { dataDir, shards } = options
  await using folder = await mkdtempDisposable(join(tmpdir(), 'signpost-plan-'))
  const release = findCurrentRelease(dataDir)
  using ledger = openPlanLedger(dataDir, folder.path, release)
  const before = { ledger, release, facts: findBase(ledger, release) }
  return await withTeam(db, { ...options, before, bundle, now: new Date() }, async (team, wanted) => {
    if (before.facts && isNothing(wanted.scope)) return planOfNothing(before.facts)
    // Nothing is rendered, so a page differs only if its content does, also in a plan of all pages.
    const comparison = { ...wanted, before, shards, siteDir: undefined, onPages() {} }
    const { plan, stage } = await compareSite(team, comparison)
    if (onChange) for (const change of stage.listChanges()) onChange(change)
    return plan
  })
}

async function publish(db: Db, options: PublishOptions, bundle?: Bundle): Promise<PublishOutcome> {
  const { dataDir, shared, full } = options
  await removeOldReleases(dataDir)
  const outcome = await withLedger(dataDir, async (ledger) => {
    const made = await publishWith(db, options, { ledger, bundle })
    if (shared && made.kind === 'published')
      await tidyReleases(db, shared, { dataDir, ledger, release: made.release, full })
    return made
  })
  if (outcome.kind === 'published') {
    await removeOldReleases(dataDir)
    startNextFolder(dataDir, outcome.plan)
  }
  if (outcome.scope !== 'changes') await removeUnusedPictures(dataDir)
  removeFormerLiveContent(dataDir, outcome.release)
  return outcome
}

async function publishWith(
  db: Db,
  options: PublishOptions,
  { ledger, bundle }: { ledger: Ledger; bundle: Bundle | undefined },
): Promise<PublishOutcome> {
  const release = findCurrentRelease(options.dataDir)
  const before = { ledger, release, facts: findBase(ledger, release), readsFiles: options.check }
  const source = await openSource(db, options, { bundle, facts: before.facts })
  try {
    return await makeFrom(db, options, { ...source, before })
  } finally {
    await source.close()
  }
}

async function makeFrom(
  db: Db,
  options: PublishOptions,
  { before, ...source }: Source & { before: Before },
): Promise<PublishOutcome> {
  const { siteUrl, jobs, full, check, shards, lastChangeId } = options
  const { problems, now } = source
  const isHeld = await isHeldBack(db, options)
  // Other content has trees of its own.
  const trees = source.partial ? undefined : options.trees
  const question = { ...{ siteUrl, jobs, full, check, shards, isHeld, trees }, ...source, before }
  return withTeam(source.db, question, async (team, wanted) => {
    const { release, facts, ledger } = before
    // Called once the compared content is fixed, so that nothing saved before that is missed.
    const isOvertaken = lastChangeId !== undefined && (await findLogEnd(db)).id !== lastChangeId
    const isLeft = isNothing(wanted.scope) || isOvertaken
    if (release && facts && isLeft) {
      checkApproved(options.starter?.approved, [])
      return leaveAsItIs(wanted.scope, { release, facts, plan: planOfNothing(facts), problems: [] })
    }
    return makeRelease(db, options, { ...wanted, ledger, before, team, problems, now })
  })
}
