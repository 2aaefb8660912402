import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { withFileLock } from '../db/file-lock.ts'
import type { Db } from '../db/schema.ts'
import { countShownEntries } from '../entries/entry-schedule-store.ts'
import type { Progress } from '../lib/progress.ts'
import { contentDigest } from '../site/content-digest.ts'
import { recordQuality } from '../site/quality/record-quality.ts'
import { type Bundle, ensureBundle } from './bundle.ts'
import { completeRelease } from './complete-release.ts'
import { type EarlierReleases, findEarlierReleases } from './earlier-releases.ts'
import { readMadeOf, writeMadeOf } from './made-of.ts'
import { linesOf } from './page-record.ts'
import { makeEntryPictures } from './pictures/entry-pictures.ts'
import { removeUnusedPictures } from './pictures/share-pictures.ts'
import { AGAIN, compareSources, FULL, type SourceChange } from './plan-causes.ts'
import { isSameSite, type PageChange, parseChange, type ReleasePlan } from './plan-release.ts'
import { publishLock } from './publish-lock.ts'
import { savePublishedAddresses } from './published-address-store.ts'
import { withClosestOf } from './quality-summary.ts'
import { recordPublish, type Starter } from './record-publish.ts'
import {
  finishRelease,
  type Release,
  releaseFile,
  removeOldReleases,
  startRelease,
  switchToRelease,
} from './release.ts'
import { joinParts, listSources, readQualities, writeSources } from './release-parts.ts'
import { findLinksToRemoved } from './removed-links.ts'
import { isHeldBack } from './roll-back.ts'
import { countJobs, openTeam, runShares, type Team } from './run-shares.ts'
import { namingSameAddress } from './same-address.ts'
import { settleAddresses } from './settle-addresses.ts'
import { findUnpublishedSync, forgetSync } from './unpublished-sync.ts'
import type { BrokenLink } from './verify-release.ts'

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
}

/**
 * Brings the public site up to date: renders what changed, makes the next release and switches to it. One at a time;
 * a second call waits. When anything fails the current release stays as it is.
 */
export async function publishSite(db: Db, options: PublishOptions): Promise<PublishOutcome> {
  const bundle = await ensureBundle(options.projectDir)
  const { dataDir } = options
  return withFileLock(publishLock(dataDir), async () => {
    const sync = findUnpublishedSync(dataDir)
    const outcome = await recordPublish(db, options, (progress) =>
      publish(db, { ...options, progress }, bundle),
    )
    forgetSync(dataDir, sync)
    return outcome
  })
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
    const comparison = { ...options, ...earlier, bundle, dir, siteDir: undefined, onPages() {} }
    const { plan } = await namingSameAddress(team, () => compare(team, comparison))
    if (onChange) for (const line of linesOf(releaseFile({ dir }, 'changes.tsv'))) onChange(parseChange(line))
    return plan
  } finally {
    await team.close()
    await rm(dir, { recursive: true, force: true })
  }
}

async function publish(db: Db, options: PublishOptions, bundle: Bundle): Promise<PublishOutcome> {
  const { dataDir } = options
  await removeOldReleases(dataDir)
  const earlier = await findEarlierReleases(dataDir)
  const now = options.now()
  const unfinished = await startRelease(dataDir, { now })
  try {
    const outcome = await makeRelease(db, options, { bundle, earlier, unfinished, now })
    if (outcome.kind === 'published') {
      await removeOldReleases(dataDir)
      await removeUnusedPictures(dataDir)
    }
    return outcome
  } finally {
    await rm(unfinished.dir, { recursive: true, force: true })
  }
}

interface Making {
  bundle: Bundle
  earlier: EarlierReleases
  unfinished: Release
  /** The moment whose content is published. */
  now: Date
}

async function makeRelease(db: Db, options: PublishOptions, making: Making): Promise<PublishOutcome> {
  const team = await startTeam(db, options, making.now)
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
  { bundle, earlier, unfinished, now }: Making,
): Promise<PublishOutcome> {
  const { dataDir, progress } = options
  const { before } = earlier
  const expected = await countShownEntries(db, now)
  progress.phase('Comparing and rendering pages')
  const onPages = (done: number) => progress.update(done, Math.max(done, expected))
  const { plan, shares, handedOver } = await compare(team, {
    ...options,
    ...unfinished,
    ...earlier,
    bundle,
    onPages,
  })
  progress.finish()
  // The release that was withdrawn had addresses of which the one before it knows nothing.
  const isMoved = plan.added + plan.removed + handedOver > 0 || (await isHeldBack(db, dataDir))
  const { unrecorded, isSame } = await settleAddresses(db, unfinished, { before, isMoved })
  if (before && isSame && isSameSite(plan)) {
    await savePublishedAddresses(db, unrecorded)
    await recordQuality(db, readQualities(unfinished), { shownAt: now })
    return { kind: 'unchanged', release: before, plan, brokenLinks: [], copiedPages: 0 }
  }
  progress.phase('Adding what stays the same, and checking all')
  await makeEntryPictures(db, { dataDir, pictures: team.content.pictures })
  const parts = { dataDir, content: team.content, plan, shares, bundle }
  const { brokenLinks, copiedPages } = await completeRelease(unfinished, parts)
  brokenLinks.push(...(await findLinksToRemoved(team, unfinished, brokenLinks)))
  const release = await finishRelease(dataDir, unfinished)
  // Before they are live: an address must never be forgotten.
  await savePublishedAddresses(db, unrecorded)
  await switchToRelease(dataDir, release)
  await recordQuality(db, readQualities(release), { shownAt: now })
  return { kind: 'published', release, plan, brokenLinks, copiedPages }
}

async function startTeam(db: Db, options: PlanOptions, now: Date): Promise<Team> {
  const jobs = countJobs(await countShownEntries(db, now), options.jobs)
  return openTeam(db, { siteUrl: options.siteUrl, databaseUrl: options.databaseUrl, now, jobs })
}

interface Comparison extends EarlierReleases {
  bundle: Bundle
  full?: boolean | undefined
  shards?: readonly string[] | undefined
  /** Where the lists go. */
  dir: string
  /** Where rendered pages go; without it none is rendered. */
  siteDir: string | undefined
  onPages: (done: number) => void
}

// Compares every page with the current release, and renders those that differ.
async function compare(team: Team, comparison: Comparison) {
  const { bundle, before, remade, full = false, shards: rendered = [], dir, siteDir, onPages } = comparison
  const partsDir = join(dir, 'parts')
  await mkdir(partsDir)
  const { content } = team
  const changes = findChanges(team, { bundle, before, remade, full })
  writeSources({ dir }, listSources(content, bundle.fingerprint))
  const madeOf = before && readMadeOf(before)
  const digest = `${basename(bundle.folder)} ${bundle.fingerprint} ${contentDigest(content)}`
  const isContentSame = madeOf?.content === digest
  const shares = await team.start(
    {
      templateFingerprint: bundle.fingerprint,
      full,
      previous: before,
      remade,
      changes,
      isContentSame,
      rendered,
      partsDir,
      siteDir,
    },
    bundle.folder,
  )
  const outcomes = await runShares(team, shares, { onPages })
  const plan = joinParts({ dir }, outcomes, { before, changes })
  if (isContentSame) plan.quality = withClosestOf(plan.quality, madeOf.quality, readQualities({ dir }))
  writeMadeOf({ dir }, { content: digest, quality: plan.quality })
  return { plan, shares, handedOver: sumOf(outcomes.map((one) => one.handedOver)) }
}

function findChanges(
  { content }: Team,
  { bundle, before, remade, full }: Pick<Comparison, 'bundle' | 'before' | 'remade' | 'full'>,
): SourceChange[] {
  if (remade.length > 0) return [AGAIN]
  const file = before && releaseFile(before, 'sources.tsv')
  const changes = compareSources(file, listSources(content, bundle.fingerprint))
  return full && before ? [FULL] : changes
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}
