import { rm } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Db } from '../db/schema.ts'
import { countShownEntries } from '../entries/entry-schedule-store.ts'
import type { Progress } from '../lib/progress.ts'
import { publishStep } from '../messages/server/publishing.ts'
import { listShownPictures } from '../site/pictures/shown-pictures.ts'
import { recordQuality } from '../site/quality/record-quality.ts'
import { type PublishedAddress, savePublishedAddresses } from './addresses/published-address-store.ts'
import { findLinksToRemoved } from './addresses/removed-links.ts'
import { settleAddresses } from './addresses/settle-addresses.ts'
import type { Scope } from './changes/scope.ts'
import { endOf, leaveAsItIs } from './leave-release.ts'
import { saveSources } from './ledger/file-store.ts'
import {
  beginRelease,
  knowsRelease,
  type Ledger,
  type ReleaseFacts,
  saveFacts,
} from './ledger/ledger-store.ts'
import { savePages } from './ledger/page-store.ts'
import type { Stage } from './ledger/stage-store.ts'
import { continueLiveContent, writeLiveContent } from './live/live-content.ts'
import { countPictures } from './pictures/count-pictures.ts'
import { listUnusedFiles, makeEntryPictures, removeFormerPictures } from './pictures/entry-pictures.ts'
import { type Before, type Compared, compareSite, type Wanted } from './plan/compare-site.ts'
import { isSameSite } from './plan/plan-release.ts'
import { checkApproved } from './previews/page-hashes.ts'
import type { PublishOutcome, Starter } from './record-publish.ts'
import { completeRelease, fillRelease, type Moves } from './release/complete-release.ts'
import {
  abandonRelease,
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
import type { Team } from './render/run-shares.ts'
import { shareRelease } from './shared/share-release.ts'
import type { SharedSite, SitePlace } from './shared/shared-site.ts'

interface ReleaseOptions extends SitePlace {
  full?: boolean | undefined
  check?: boolean | undefined
  shards?: readonly string[] | undefined
  starter?: Pick<Starter, 'approved'> | undefined
  progress: Progress
}

interface Making extends Wanted {
  ledger: Ledger
  team: Team
  problems: string[]
  /** The time whose content is published. */
  now: Date
}

interface Work extends Making {
  before: Before
  unfinished: UnfinishedRelease
}

/** Makes the next release and switches to it, unless it would equal the current one. */
export async function makeRelease(
  db: Db,
  options: ReleaseOptions,
  { before, ...making }: Making & { before: Before },
): Promise<PublishOutcome> {
  const { ledger, now } = making
  const { dataDir, full = false } = options
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
  const { ledger, before, scope } = work
  const compared = await compare(db, options, work)
  const { plan, stage, sources } = compared
  checkApproved(options.starter?.approved, stage.listChanges())
  const isWhole = scope.kind === 'all'
  // The withdrawn release had addresses that the release before it doesn't know.
  const isMoved = stage.movesAddresses() || (await isHeldBack(db, options))
  const hasFiles = hasFilesOf(scope, before)
  const isSame =
    hasFiles && isSameSite(plan) && !isNewsToOthers(options, work) && (options.check || !stage.movesEntries())
  if (isSame && !isMoved) return leave(db, options, { ...work, compared, unrecorded: [] })
  const writing = beginRelease(ledger)
  try {
    const writer = new SiteWriter(work.unfinished.siteDir)
    const copiedPages = fillRelease(work.unfinished, { ...before, stage, writer })
    const moves = movesOf(scope, stage)
    savePages(ledger)
    const settled = isMoved || !hasFiles ? await settleAddresses(db, ledger) : undefined
    const unrecorded = settled?.unrecorded ?? []
    if (isSame && settled?.isSame) return await leave(db, options, { ...work, compared, unrecorded })
    saveSources(ledger, sources, { isWhole })
    const parts = { compared, unrecorded, writing, writer, copiedPages, moves, moved: settled?.files }
    return await finish(db, options, { ...work, ...parts })
  } finally {
    writing.undo()
  }
}

// Other servers learn only through a release that the saved changes made no difference. A check only repairs.
function isNewsToOthers(
  { shared, check }: ReleaseOptions,
  { before, position, program, scope, partial }: Work,
): boolean {
  if (!shared || check || (scope.kind === 'changes' && !partial)) return false
  return before.facts?.program !== program || before.facts.position.id !== position.id
}

// Files are checked only when all pages are compared.
function hasFilesOf({ kind }: Scope, before: Before): boolean {
  return before.facts !== undefined && (kind === 'changes' || hasWholeFiles(before))
}

function movesOf({ kind }: Scope, stage: Stage): Moves | undefined {
  if (kind === 'all') return undefined
  return { parts: stage.listMovedParts(), pictures: stage.listLeftPictures() }
}

async function compare(
  db: Db,
  { progress, full, shards }: ReleaseOptions,
  { team, before, unfinished, now, ...wanted }: Work,
): Promise<Compared> {
  const all = before.facts?.pages ?? (await countShownEntries(db, now))
  const expected = wanted.scope.kind === 'all' ? all : wanted.scope.entryIds.length
  progress.phase(publishStep('comparing'))
  const onPages = (done: number) => progress.update(done, Math.max(done, expected))
  const { siteDir } = unfinished
  const compared = await compareSite(team, { ...wanted, before, full, shards, siteDir, onPages })
  await Promise.all(compared.shares.map((share) => share.finish()))
  progress.finish()
  return compared
}

type Found = Work & { compared: Compared; unrecorded: readonly PublishedAddress[] }

// Keeps the current release.
async function leave(
  db: Db,
  { dataDir, shared }: ReleaseOptions,
  { team, ledger, bundle, before, compared, unrecorded, scope, partial, problems, now: shownAt }: Found,
): Promise<PublishOutcome> {
  const { plan, stage, facts } = compared
  const release = before.release as Release
  await savePublishedAddresses(db, unrecorded)
  await recordQuality(db, stage.listQualities(), { shownAt, isWhole: scope.kind === 'all' })
  // Otherwise the saved changes are looked at again: the live content's rows are those from before.
  if ((scope.kind === 'all' || partial) && !shared) {
    const live = { dataDir, bundle: basename(bundle.folder), release, shownAt }
    const liveBytes = await writeLiveContent(team.db, live)
    if (ledger.inTransaction) ledger.exec('rollback')
    saveFacts(ledger, release, { ...facts, liveBytes })
  }
  return leaveAsItIs(scope, { facts, release, plan, problems })
}

interface Finishing extends Found {
  writing: ReturnType<typeof beginRelease>
  writer: SiteWriter
  moved: ReadonlyMap<string, string | Buffer> | undefined
  /** Sitemaps and pictures affected by the compared pages; undefined if all pages were compared. */
  moves: Moves | undefined
  copiedPages: number
}

async function finish(
  db: Db,
  { dataDir, shared, progress }: ReleaseOptions,
  work: Finishing,
): Promise<PublishOutcome> {
  const { team, compared, unfinished, copiedPages, scope, problems, now: shownAt } = work
  const [{ plan, stage, facts }, { content }] = [compared, team]
  const isWhole = scope.kind === 'all'
  const pictures = await listShownPictures(team.db, content, isWhole ? undefined : scope.entryIds)
  const onPicture = countPictures(progress, pictures.size + stage.listDrawings().length)
  await makeEntryPictures(db, { dataDir, shared, pictures, live: work.before.release, onPicture })
  if (isWhole) await removeFormerPictures(dataDir, content.pictures)
  const unused = isWhole ? [] : listUnusedFiles(work.ledger, await listShownPictures(team.db, content))
  const onFiles = () => progress.phase(publishStep('finishing'))
  const parts = { ...work, db, dataDir, shared, content, pictures, unused, onPicture, onFiles }
  const brokenLinks = await completeRelease(unfinished, parts)
  const gone = stage.listRemoved().map(({ path }) => path)
  brokenLinks.push(...(await findLinksToRemoved(team, unfinished, { gone, known: brokenLinks })))
  // Recorded before they go live, because an address must never be forgotten.
  await savePublishedAddresses(db, work.unrecorded)
  const liveBytes = await keepLiveContent(dataDir, work)
  const { id } = unfinished
  const kept = (await listFolders(dataDir)).map((folder) => folder.id)
  work.writing.commit({ id, facts: { ...facts, liveBytes } }, kept)
  const release = await finishRelease(dataDir, unfinished)
  if (shared) await share(db, shared, { ...work, dataDir, release, facts: { ...facts, liveBytes } })
  await switchToRelease(dataDir, release)
  await recordQuality(db, stage.listQualities(), { shownAt, isWhole })
  return { ...endOf(scope, facts), kind: 'published', release, plan, brokenLinks, copiedPages, problems }
}

function share(
  db: Db,
  shared: SharedSite,
  {
    before,
    ...made
  }: Pick<Work, 'ledger' | 'before'> & { dataDir: string; release: Release; facts: ReleaseFacts },
) {
  const { release, facts } = before
  return shareRelease(db, shared, { ...made, parent: release && facts && { release, facts } })
}

async function keepLiveContent(
  dataDir: string,
  { team, bundle, unfinished: release, scope, before, now: shownAt }: Work,
): Promise<number> {
  const live = { dataDir, bundle: basename(bundle.folder), release, shownAt }
  const known = scope.kind === 'changes' && before.release && before.facts
  const continued = known
    ? await continueLiveContent(team.db, {
        ...live,
        ...{ before: before.release as Release, bytes: known.liveBytes, touched: scope.touched },
      })
    : undefined
  return continued ?? writeLiveContent(team.db, live)
}
