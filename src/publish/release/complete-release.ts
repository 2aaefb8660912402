import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Db } from '../../db/schema.ts'
import { Failure } from '../../lib/messages.ts'
import { ownPageFailures } from '../../messages/server/own-pages.ts'
import type { Picture } from '../../pictures/picture.ts'
import type { SiteContent } from '../../site/content/site-content.ts'
import { MOVED_FILES } from '../addresses/moved-addresses.ts'
import { listNamedFiles, saveFiles } from '../ledger/file-store.ts'
import { type Ledger, listChangesSince } from '../ledger/ledger-store.ts'
import { listPicturePaths, listUnusedPictures, openKnownPages } from '../ledger/page-store.ts'
import type { Stage } from '../ledger/stage-store.ts'
import { addEntryPictures } from '../pictures/entry-pictures.ts'
import { addPictures } from '../pictures/share-pictures.ts'
import type { Before, Compared } from '../plan/compare-site.ts'
import { formatChange } from '../plan/plan-release.ts'
import type { Bundle } from '../render/bundle.ts'
import type { SitePlace } from '../shared/shared-site.ts'
import { addSiteFiles } from './add-site-files.ts'
import { flushWhole } from './flush-release.ts'
import { pageFile, pagePath } from './page-file.ts'
import type { UnfinishedRelease } from './release.ts'
import { createSiteParts, type SiteParts } from './site-parts.ts'
import { bringFile, FLUSHED_ONE_BY_ONE, type SiteWriter } from './site-writer.ts'
import { writeSitemaps } from './sitemaps.ts'
import { type BrokenLink, verifyRelease } from './verify-release.ts'

interface Filling extends Before {
  stage: Pick<Stage, 'isTouched'>
  writer: SiteWriter
}

/**
 * Adds files of the previous release to an unfinished one that already has its new pages: all files, or those that
 * differ from the release whose folder is reused. Returns how many pages had to be copied instead of linked.
 */
export function fillRelease(
  unfinished: UnfinishedRelease,
  { ledger, release, facts, stage, writer }: Filling,
): number {
  if (!release || !facts) return 0
  const { pages, files } = listChangesSince(ledger, unfinished.spareOf)
  const take = (file: string) => bringFile(writer, file, release)
  for (const file of files) take(file)
  return pages.filter((path) => !stage.isTouched(path) && take(pageFile(path)) === 'copied').length
}

/** Other files of a site that depend on the compared pages. */
export interface Moves {
  /** Parts of the sitemaps. */
  parts: readonly number[]
  /** Paths of pictures that pages no longer use. */
  pictures: readonly string[]
}

interface Completion extends SitePlace {
  db: Db
  content: SiteContent
  bundle: Bundle
  before: Before
  compared: Compared
  writer: SiteWriter
  /** Targets of addresses without a page; undefined if they didn't change. */
  moved: ReadonlyMap<string, string | Buffer> | undefined
  moves: Moves | undefined
  copiedPages: number
  /** Pictures on the compared pages, whose files are made. */
  pictures: ReadonlyMap<string, Picture>
  /** Files of pictures that no page shows any more, if only some pages were compared. */
  unused: readonly string[]
  /** Gets the warnings about the site's own components. */
  problems: string[]
  /** Called after each picture, and once all files are added. */
  onPicture: () => void
  onFiles: () => void
}

/**
 * Completes a release that has its pages: adds assets, sitemaps, and the other files, verifies it, and resolves when
 * everything is on disk.
 */
export async function completeRelease(
  unfinished: UnfinishedRelease,
  completion: Completion,
): Promise<BrokenLink[]> {
  const { writer, moved, moves, compared, before, copiedPages } = completion
  const { ledger } = before
  const { plan, stage } = compared
  for (const { change, path } of stage.listChanges()) if (change === 'removed') writer.remove(pageFile(path))
  const parts = createSiteParts(unfinished, { writer, before, isWhole: moves === undefined })
  if (moved) for (const [file, text] of moved) parts.write(file, text)
  if (moves) await addMoves(parts, moves, completion)
  else await addAll(parts, unfinished, completion)
  completion.onFiles()
  const { siteUrl } = completion.content
  writeSitemaps(parts, ledger, { siteUrl, listed: compared.facts.listed, moved: moves?.parts })
  const { copied, written, removed } = parts.finish()
  saveFiles(ledger, { written, removed })
  let changes = ''
  for (const change of stage.listChanges()) changes += formatChange(change)
  writer.write('../changes.tsv', changes)
  const documents = countDocuments(ledger)
  // Only compared pages can be missing or superfluous.
  const expected = plan.added + plan.changed + plan.unchanged - stage.countOtherFiles() + documents
  const pages = moves ? undefined : expected
  const brokenLinks = verifyRelease(unfinished, { pages, links: stage.listLinks() })
  const large = plan.added + plan.changed + plan.renderedSame + copiedPages + copied > FLUSHED_ONE_BY_ONE
  if (large || writer.isLarge) await flushWhole(unfinished.dir)
  writer.flush()
  return brokenLinks
}

async function addAll(
  parts: SiteParts,
  unfinished: UnfinishedRelease,
  {
    db,
    dataDir,
    shared,
    content,
    bundle,
    before,
    compared,
    moved,
    pictures,
    problems,
    onPicture,
  }: Completion,
) {
  if (!moved) for (const file of MOVED_FILES) parts.carry(file)
  addAssets(parts, bundle.clientDir)
  for (const path of listPicturePaths(before.ledger)) parts.carry(path.slice(1))
  const drawings = compared.stage.listDrawings()
  const clientDir = bundle.clientDir
  const live = before.release
  const place = { dataDir, shared, clientDir, live, onPicture }
  problems.push(...(await addSiteFiles(parts, unfinished, { db, content, drawings, pictures, ...place })))
}

async function addMoves(
  parts: SiteParts,
  moves: Moves,
  { dataDir, before, compared, pictures, unused, onPicture }: Completion,
) {
  await addPictures(compared.stage.listDrawings(), {
    ...{ dataDir, writer: parts, live: before.release, onPicture },
  })
  addEntryPictures(pictures, { dataDir, writer: parts })
  for (const path of listUnusedPictures(before.ledger, moves.pictures)) parts.remove(path.slice(1))
  for (const file of unused) parts.remove(file)
}

// The admin's assets are left out.
function addAssets(parts: SiteParts, clientDir: string) {
  for (const entry of readdirSync(clientDir, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name).slice(clientDir.length + 1)
    if (entry.isFile() && !file.startsWith('_admin/')) parts.write(file, readFileSync(join(clientDir, file)))
  }
}

/**
 * Returns how many HTML files of a site aren't pages: those in `public`. Throws if one of its files has the address of
 * a page, which it would replace.
 */
export function countDocuments(ledger: Ledger): number {
  const pages = openKnownPages(ledger)
  const files = listNamedFiles(ledger)
  for (const file of files) {
    const path = pagePath(file)
    if (pages.find(path)) throw new Failure(ownPageFailures, 'fileTaken', file, path)
  }
  return files.filter((file) => file.endsWith('.html')).length
}
