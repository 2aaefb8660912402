import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { withFileLock } from '../db/file-lock.ts'
import type { Db } from '../db/schema.ts'
import { countShownEntries } from '../entries/entry-schedule-store.ts'
import type { Progress } from '../lib/progress.ts'
import { recordQuality } from '../site/quality/record-quality.ts'
import { savePublishedAddresses } from './addresses/published-address-store.ts'
import { findLinksToRemoved } from './addresses/removed-links.ts'
import { namingSameAddress } from './addresses/same-address.ts'
import { settleAddresses } from './addresses/settle-addresses.ts'
import { removeFormerLiveContent, writeLiveContent } from './live/live-content.ts'
import { openScheduledContent } from './live/scheduled-content.ts'
import { makeEntryPictures } from './pictures/entry-pictures.ts'
import { removeUnusedPictures } from './pictures/share-pictures.ts'
import { compareSite } from './plan/compare-site.ts'
import { linesOf } from './plan/page-record.ts'
import { isSameSite, type PageChange, parseChange, type ReleasePlan } from './plan/plan-release.ts'
import { findUnpublishedSync, forgetSync } from './plan/unpublished-sync.ts'
import { publishLock } from './publish-lock.ts'
import { recordPublish, type Starter } from './record-publish.ts'
import { completeRelease } from './release/complete-release.ts'
import { type EarlierReleases, findEarlierReleases } from './release/earlier-releases.ts'
import {
  finishRelease,
  type Release,
  releaseFile,
  removeOldReleases,
  startRelease,
  switchToRelease,
} from './release/release.ts'
import { readQualities } from './release/release-parts.ts'
import { isHeldBack } from './release/roll-back.ts'
import type { BrokenLink } from './release/verify-release.ts'
import { type Bundle, ensureBundle } from './render/bundle.ts'
import { countJobs, openTeam, type Team } from './render/run-shares.ts'

export interface PlanOptions {
  /** Where the program's sources and node_modules are. */
  projectDir: string
  dataDir: string
  siteUrl: string
  /** Render every page again, changed or not. */
  full?: boolean | undefined
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

export interface PublishOutcome {
  kind: 'published' | 'unchanged'
  release: Release
  plan: ReleasePlan
  /** Links of the rendered pages that lead nowhere. */
  brokenLinks: BrokenLink[]
  /** Pages that were copied because the disk cannot link. */
  copiedPages: number
  /** Why entries whose schedule is due are not in it. */
  problems: string[]
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
  const dir = await mkdtemp(join(tmpdir(), 'signpost-plan-'))
  const team = await startTeam(db, options, new Date())
  try {
    const earlier = await findEarlierReleases(options.dataDir)
    const { full, shards } = options
    const comparison = { ...earlier, bundle, full, shards, dir, siteDir: undefined, onPages() {} }
    const { plan } = await namingSameAddress(team, () => compareSite(team, comparison))
    if (onChange) for (const line of linesOf(releaseFile({ dir }, 'changes.tsv'))) onChange(parseChange(line))
    return plan
  } finally {
    await team.close()
    await rm(dir, { recursive: true, force: true })
  }
}

async function publish(db: Db, options: PublishOptions, bundle?: Bundle): Promise<PublishOutcome> {
  const { dataDir } = options
  await removeOldReleases(dataDir)
  const earlier = await findEarlierReleases(dataDir)
  const now = options.now()
  const { projectDir, databaseUrl } = options
  const source = await openSource(db, { projectDir, dataDir, databaseUrl, now }, bundle)
  const unfinished = await startRelease(dataDir, { now })
  try {
    const outcome = await makeRelease(db, options, { source, earlier, unfinished, now })
    removeFormerLiveContent(dataDir, outcome.release)
    if (outcome.kind === 'published') {
      await removeOldReleases(dataDir)
      await removeUnusedPictures(dataDir)
    }
    return outcome
  } finally {
    await source.close()
    await rm(unfinished.dir, { recursive: true, force: true })
  }
}

/** What pages are made of. */
interface Source {
  db: Db
  databaseUrl: string | undefined
  bundle: Bundle
  problems: string[]
  close(): Promise<void>
}

async function openSource(
  db: Db,
  { databaseUrl, ...live }: Pick<PublishOptions, 'projectDir' | 'dataDir' | 'databaseUrl'> & { now: Date },
  bundle?: Bundle,
): Promise<Source> {
  if (!bundle) return openScheduledContent(db, live)
  return { db, databaseUrl, bundle, problems: [], async close() {} }
}

interface Making {
  source: Source
  earlier: EarlierReleases
  unfinished: Release
  /** The moment whose content is published. */
  now: Date
}

async function makeRelease(db: Db, options: PublishOptions, making: Making): Promise<PublishOutcome> {
  const { source, now } = making
  const { siteUrl, jobs } = options
  const team = await startTeam(source.db, { siteUrl, databaseUrl: source.databaseUrl, jobs }, now)
  try {
    return await namingSameAddress(team, () => fillRelease(db, team, options, making))
  } finally {
    await team.close()
  }
}

async function fillRelease(
  db: Db,
  team: Team,
  options: PublishOptions,
  { source: { bundle, problems }, earlier, unfinished, now }: Making,
): Promise<PublishOutcome> {
  const { dataDir, progress, full, shards: rendered } = options
  const { before } = earlier
  const live = { dataDir, bundle: basename(bundle.folder), shownAt: now }
  const expected = await countShownEntries(db, now)
  progress.phase('Comparing and rendering pages')
  const onPages = (done: number) => progress.update(done, Math.max(done, expected))
  const { plan, shares, handedOver } = await compareSite(team, {
    ...earlier,
    bundle,
    full,
    shards: rendered,
    dir: unfinished.dir,
    siteDir: unfinished.siteDir,
    onPages,
  })
  progress.finish()
  // The release that was withdrawn had addresses of which the one before it knows nothing.
  const isMoved = plan.added + plan.removed + handedOver > 0 || (await isHeldBack(db, dataDir))
  const { unrecorded, isSame } = await settleAddresses(db, unfinished, { before, isMoved })
  if (before && isSame && isSameSite(plan)) {
    await savePublishedAddresses(db, unrecorded)
    await recordQuality(db, readQualities(unfinished), { shownAt: now })
    await writeLiveContent(team.db, { ...live, release: before })
    return { kind: 'unchanged', release: before, plan, brokenLinks: [], copiedPages: 0, problems }
  }
  progress.phase('Adding what stays the same, and checking all')
  await makeEntryPictures(db, { dataDir, pictures: team.content.pictures })
  const parts = { dataDir, content: team.content, plan, shares, bundle }
  const { brokenLinks, copiedPages } = await completeRelease(unfinished, parts)
  brokenLinks.push(...(await findLinksToRemoved(team, unfinished, brokenLinks)))
  const release = await finishRelease(dataDir, unfinished)
  // Before they are live: an address must never be forgotten.
  await savePublishedAddresses(db, unrecorded)
  await writeLiveContent(team.db, { ...live, release })
  await switchToRelease(dataDir, release)
  await recordQuality(db, readQualities(release), { shownAt: now })
  return { kind: 'published', release, plan, brokenLinks, copiedPages, problems }
}

async function startTeam(
  db: Db,
  { siteUrl, databaseUrl, jobs }: Pick<PlanOptions, 'siteUrl' | 'databaseUrl' | 'jobs'>,
  now: Date,
): Promise<Team> {
  const count = countJobs(await countShownEntries(db, now), jobs)
  return openTeam(db, { siteUrl, databaseUrl, now, jobs: count })
}
