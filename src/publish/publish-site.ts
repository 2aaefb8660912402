import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withFileLock } from '../db/file-lock.ts'
import type { Db } from '../db/schema.ts'
import type { Progress } from '../lib/progress.ts'
import { isNothing } from './changes/scope.ts'
import { findBase, type Ledger, openPlanLedger, withLedger } from './ledger/ledger-store.ts'
import { removeFormerLiveContent } from './live/live-content.ts'
import { openScheduledContent } from './live/scheduled-content.ts'
import { leaveAsItIs, makeRelease, planOfNothing } from './make-release.ts'
import { removeUnusedPictures } from './pictures/share-pictures.ts'
import { compareSite } from './plan/compare-site.ts'
import type { PageChange, ReleasePlan } from './plan/plan-release.ts'
import { findUnpublishedSync, forgetSync } from './plan/unpublished-sync.ts'
import { withTeam } from './plan/with-team.ts'
import { publishLock } from './publish-lock.ts'
import { type PublishOutcome, recordPublish, type Starter } from './record-publish.ts'
import { findCurrentRelease, removeOldReleases } from './release/release.ts'
import { isHeldBack } from './release/roll-back.ts'
import { type Bundle, ensureBundle } from './render/bundle.ts'

export interface PlanOptions {
  /** Where the program's sources and node_modules are. */
  projectDir: string
  dataDir: string
  siteUrl: string
  /** Render every page again, changed or not. */
  full?: boolean | undefined
  /** Compare every page, whatever was saved since the last publish, and every file. */
  check?: boolean | undefined
  /** Lets other processes see the same content and help; without it this process does all. */
  databaseUrl?: string | undefined
  /** Folders of shards, whose pages need not be rendered again. */
  shards?: readonly string[] | undefined
  /** How many processes; as many as there are processors and enough to do, unless said. */
  jobs?: number | undefined
}

export interface PublishOptions extends PlanOptions {
  now: () => Date
  progress: Progress
  /** For the history; a command unless said otherwise. */
  starter?: Starter | undefined
}

/**
 * Brings the public site up to date: renders what changed, makes the next release and switches to it. A schedule
 * changes its own entries only. One at a time; a second call waits. When anything fails the current release stays.
 */
export async function publishSite(db: Db, options: PublishOptions): Promise<PublishOutcome> {
  const bundle = await findTemplates(options)
  return withFileLock(publishLock(options.dataDir), () => publishLocked(db, options, bundle))
}

/** The same, unless the site was rolled back and nobody has published since: then undefined. */
export async function publishUnlessHeldBack(
  db: Db,
  options: PublishOptions,
): Promise<PublishOutcome | undefined> {
  const { dataDir } = options
  const bundle = await findTemplates(options)
  return withFileLock(publishLock(dataDir), async () =>
    (await isHeldBack(db, dataDir)) ? undefined : publishLocked(db, options, bundle),
  )
}

// A schedule takes those of the live site.
async function findTemplates({ projectDir, starter }: PublishOptions): Promise<Bundle | undefined> {
  return starter?.startedBy === 'schedule' ? undefined : ensureBundle(projectDir)
}

async function publishLocked(db: Db, options: PublishOptions, bundle?: Bundle): Promise<PublishOutcome> {
  const { dataDir } = options
  const sync = bundle && findUnpublishedSync(dataDir)
  const outcome = await recordPublish(db, options, (progress) =>
    publish(db, { ...options, progress }, bundle),
  )
  forgetSync(dataDir, sync)
  return outcome
}

/**
 * What a publish would change; nothing is written. The templates' bundle is built when there is none yet. `onChange` is
 * called with every page that differs.
 */
export async function planSite(
  db: Db,
  { onChange, ...options }: PlanOptions & { onChange?: (change: PageChange) => void },
): Promise<ReleasePlan> {
  const bundle = await ensureBundle(options.projectDir)
  const { dataDir, full, shards } = options
  const dir = await mkdtemp(join(tmpdir(), 'signpost-plan-'))
  const release = findCurrentRelease(dataDir)
  const ledger = openPlanLedger(dataDir, dir, release)
  const before = { ledger, release, facts: findBase(ledger, release) }
  try {
    return await withTeam(db, { ...options, before, bundle, now: new Date() }, async (team, wanted) => {
      if (before.facts && isNothing(wanted.scope)) return planOfNothing(before.facts)
      const comparison = { ...wanted, before, full, shards, siteDir: undefined, onPages() {} }
      const { plan, stage } = await compareSite(team, comparison)
      if (onChange) for (const change of stage.listChanges()) onChange(change)
      return plan
    })
  } finally {
    ledger.close()
    await rm(dir, { recursive: true, force: true })
  }
}

async function publish(db: Db, options: PublishOptions, bundle?: Bundle): Promise<PublishOutcome> {
  const { dataDir, projectDir, databaseUrl } = options
  await removeOldReleases(dataDir)
  const source = await openSource(db, { projectDir, dataDir, databaseUrl, now: options.now() }, bundle)
  try {
    const outcome = await withLedger(dataDir, (ledger) => makeFrom(db, options, { ...source, ledger }))
    if (outcome.kind === 'published') await removeOldReleases(dataDir)
    if (outcome.scope !== 'changes') await removeUnusedPictures(dataDir)
    removeFormerLiveContent(dataDir, outcome.release)
    return outcome
  } finally {
    await source.close()
  }
}

/** What pages are made of. */
interface Source {
  db: Db
  databaseUrl: string | undefined
  bundle: Bundle
  problems: string[]
  /** The moment whose content is published. */
  now: Date
  /** It is the live site, with what a schedule changes. */
  isScheduled: boolean
  close(): Promise<void>
}

async function openSource(
  db: Db,
  { databaseUrl, ...live }: Pick<PublishOptions, 'projectDir' | 'dataDir' | 'databaseUrl'> & { now: Date },
  bundle?: Bundle,
): Promise<Source> {
  const { now } = live
  if (!bundle) return { ...(await openScheduledContent(db, live)), now, isScheduled: true }
  return { db, databaseUrl, bundle, problems: [], now, isScheduled: false, async close() {} }
}

async function makeFrom(
  db: Db,
  options: PublishOptions,
  { ledger, ...source }: Source & { ledger: Ledger },
): Promise<PublishOutcome> {
  const { dataDir, siteUrl, jobs, full, check, shards } = options
  const { problems, now } = source
  const release = findCurrentRelease(dataDir)
  const before = { ledger, release, facts: findBase(ledger, release) }
  const isHeld = await isHeldBack(db, dataDir)
  const question = { ...{ siteUrl, jobs, full, check, shards, isHeld }, ...source, before }
  return withTeam(source.db, question, async (team, wanted) => {
    const { facts } = before
    if (release && facts && isNothing(wanted.scope)) return leaveAsItIs(wanted.scope, { release, facts })
    return makeRelease(db, options, { ...wanted, ledger, before, team, problems, now })
  })
}
