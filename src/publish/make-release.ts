import { rm } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Db } from '../db/schema.ts'
import { countShownEntries } from '../entries/entry-schedule-store.ts'
import type { Progress } from '../lib/progress.ts'
import { publishSteps } from '../messages/server/publishing.ts'
import { recordQuality } from '../site/quality/record-quality.ts'
import { type PublishedAddress, savePublishedAddresses } from './addresses/published-address-store.ts'
import { findLinksToRemoved } from './addresses/removed-links.ts'
import { settleAddresses } from './addresses/settle-addresses.ts'
import { saveSources } from './ledger/file-store.ts'
import { beginRelease, findBase, knowsRelease, type Ledger } from './ledger/ledger-store.ts'
import { savePages } from './ledger/page-store.ts'
import { writeLiveContent } from './live/live-content.ts'
import { makeEntryPictures } from './pictures/entry-pictures.ts'
import { type Before, type Compared, compareSite } from './plan/compare-site.ts'
import { isSameSite } from './plan/plan-release.ts'
import type { PublishOutcome } from './record-publish.ts'
import { completeRelease, fillRelease } from './release/complete-release.ts'
import {
  abandonRelease,
  findCurrentRelease,
  finishRelease,
  listFolders,
  type Release,
  startRelease,
  switchToRelease,
  type UnfinishedRelease,
} from './release/release.ts'
import { isHeldBack } from './release/roll-back.ts'
import { hasWholeFiles } from './release/site-parts.ts'
import { SiteWriter } from './release/site-writer.ts'
import type { Bundle } from './render/bundle.ts'
import type { Team } from './render/run-shares.ts'

interface ReleaseOptions {
  dataDir: string
  full?: boolean | undefined
  shards?: readonly string[] | undefined
  progress: Progress
}

interface Making {
  ledger: Ledger
  team: Team
  bundle: Bundle
  problems: string[]
  /** The moment whose content is published. */
  now: Date
}

interface Work extends Making {
  before: Before
  unfinished: UnfinishedRelease
}

/** Makes the next release and switches to it, unless it would be the current one again. */
export async function makeRelease(db: Db, options: ReleaseOptions, making: Making): Promise<PublishOutcome> {
  const { ledger, now } = making
  const { dataDir, full = false } = options
  const release = findCurrentRelease(dataDir)
  const before = { ledger, release, facts: findBase(ledger, release) }
  const unfinished = await startRelease(dataDir, {
    now,
    mayReuse: (id) => !full && knowsRelease(ledger, id),
  })
  try {
    const outcome = await compareAndMake(db, options, { ...making, before, unfinished })
    if (outcome.kind === 'unchanged') await abandonRelease(dataDir, unfinished)
    return outcome
  } finally {
    await rm(unfinished.dir, { recursive: true, force: true })
  }
}

async function compareAndMake(db: Db, options: ReleaseOptions, work: Work): Promise<PublishOutcome> {
  const { ledger, before } = work
  const compared = await compare(db, options, work)
  const { plan, stage, sources } = compared
  // The release that was withdrawn had addresses of which the one before it knows nothing.
  const isMoved = stage.movesAddresses() || (await isHeldBack(db, options.dataDir))
  const isWhole = before.facts !== undefined && hasWholeFiles(before)
  const isSame = isWhole && isSameSite(plan)
  if (isSame && !isMoved) return leave(db, options, { ...work, compared, unrecorded: [] })
  const writing = beginRelease(ledger)
  try {
    const writer = new SiteWriter(work.unfinished.siteDir)
    const copiedPages = fillRelease(work.unfinished, { ...before, stage, writer })
    savePages(ledger)
    const settled = isMoved || !isWhole ? await settleAddresses(db, ledger) : undefined
    const unrecorded = settled?.unrecorded ?? []
    if (isSame && settled?.isSame) return await leave(db, options, { ...work, compared, unrecorded })
    saveSources(ledger, sources)
    const parts = { compared, unrecorded, writing, writer, copiedPages, moved: settled?.files }
    return await finish(db, options, { ...work, ...parts })
  } finally {
    writing.undo()
  }
}

async function compare(
  db: Db,
  { progress, full, shards }: ReleaseOptions,
  { team, before, bundle, unfinished, now }: Work,
): Promise<Compared> {
  const expected = await countShownEntries(db, now)
  progress.phase(publishSteps.comparing)
  const onPages = (done: number) => progress.update(done, Math.max(done, expected))
  const { siteDir } = unfinished
  const compared = await compareSite(team, { before, bundle, full, shards, siteDir, onPages })
  progress.finish()
  return compared
}

type Found = Work & { compared: Compared; unrecorded: readonly PublishedAddress[] }

// The current release stays.
async function leave(
  db: Db,
  { dataDir }: ReleaseOptions,
  { team, bundle, before, compared, unrecorded, problems, now: shownAt }: Found,
): Promise<PublishOutcome> {
  const { plan, stage } = compared
  const release = before.release as Release
  await savePublishedAddresses(db, unrecorded)
  await recordQuality(db, stage.listQualities(), { shownAt })
  await writeLiveContent(team.db, { dataDir, bundle: basename(bundle.folder), release, shownAt })
  return { kind: 'unchanged', release, plan, brokenLinks: [], copiedPages: 0, problems }
}

interface Finishing extends Found {
  writing: ReturnType<typeof beginRelease>
  writer: SiteWriter
  moved: ReadonlyMap<string, string | Buffer> | undefined
  copiedPages: number
}

async function finish(
  db: Db,
  { dataDir, progress }: ReleaseOptions,
  work: Finishing,
): Promise<PublishOutcome> {
  const { team, bundle, compared, unfinished, copiedPages, problems, now: shownAt } = work
  const { plan, stage, facts } = compared
  const { content } = team
  progress.phase(publishSteps.finishing)
  await makeEntryPictures(db, { dataDir, pictures: content.pictures })
  const brokenLinks = await completeRelease(unfinished, { ...work, dataDir, content })
  const gone = stage.listRemoved().map(({ path }) => path)
  brokenLinks.push(...(await findLinksToRemoved(team, unfinished, { gone, known: brokenLinks })))
  // Before they are live: an address must never be forgotten.
  await savePublishedAddresses(db, work.unrecorded)
  await writeLiveContent(team.db, { dataDir, bundle: basename(bundle.folder), release: unfinished, shownAt })
  const { id, spareOf } = unfinished
  const kept = (await listFolders(dataDir)).map((folder) => folder.id).filter((one) => one !== spareOf)
  work.writing.commit({ id, ...facts }, kept)
  const release = await finishRelease(dataDir, unfinished)
  await switchToRelease(dataDir, release)
  await recordQuality(db, stage.listQualities(), { shownAt })
  return { kind: 'published', release, plan, brokenLinks, copiedPages, problems }
}
