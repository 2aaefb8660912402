import { existsSync } from 'node:fs'
import { mkdir, mkdtempDisposable, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Db } from '../../db/schema.ts'
import { Failure } from '../../lib/messages.ts'
import type { Progress } from '../../lib/progress.ts'
import { publishFailures, publishStep } from '../../messages/server/publishing.ts'
import type { SharePicture } from '../../site/pages/share-picture.ts'
import { listShownPictures } from '../../site/pictures/shown-pictures.ts'
import type { SelectedChange } from '../changes/change-store.ts'
import { isNothing, type Scope } from '../changes/scope.ts'
import { findBase, type Ledger, openPlanLedger } from '../ledger/ledger-store.ts'
import { openSource, partOf } from '../open-source.ts'
import { countPictures } from '../pictures/count-pictures.ts'
import { addEntryPictures, makeEntryPictures } from '../pictures/entry-pictures.ts'
import { addPictures } from '../pictures/share-pictures.ts'
import { addSiteIcon } from '../pictures/site-icons.ts'
import { type Before, compareSite, type Wanted } from '../plan/compare-site.ts'
import { withTeam } from '../plan/with-team.ts'
import { withReleases } from '../publish-turn.ts'
import { pageFile } from '../release/page-file.ts'
import { findCurrentRelease, type Release } from '../release/release.ts'
import { isHeldBack } from '../release/roll-back.ts'
import { SiteWriter } from '../release/site-writer.ts'
import { ensureBundle } from '../render/bundle.ts'
import { createProgressFile, findLastPublishId } from '../render/progress-file.ts'
import type { Team } from '../render/run-shares.ts'
import { storeFolder } from '../shared/folder-pack.ts'
import type { SitePlace } from '../shared/shared-site.ts'
import { type ChangedPage, PAGES_LISTED, writeLaterLists } from './changed-pages.ts'
import { hashPages } from './page-hashes.ts'
import { countKinds, type PageKinds, sortByKind } from './page-kinds.ts'
import { withTitles } from './page-titles.ts'
import { previewFolder, previewPlace } from './preview-folder.ts'

/** Content of a preview. */
export interface PreviewRequest {
  /** Names its folder. */
  key: string
  /** The selected changes, some of them drafts; without them, everything saved. */
  only?: readonly SelectedChange[] | undefined
  /** Keys of the pages to list first. */
  first?: readonly string[] | undefined
}

/** A preview's pages as made. */
export interface StagedPreview {
  /** The live release. */
  releaseId: string
  /** The last row of the change log that it includes. */
  changeId: number
  pagesHash: string
  /** The first pages that differ. */
  changes: ChangedPage[]
  /** Number of pages that differ. */
  pageCount: number
  kinds: PageKinds
}

interface PreviewOptions extends PreviewRequest, SitePlace {
  projectDir: string
  siteUrl: string
  databaseUrl?: string | undefined
  now: () => Date
}

/** Renders the pages that differ from the live site into a separate folder. A removed page is an empty file there. */
export async function stagePreview(db: Db, options: PreviewOptions): Promise<StagedPreview> {
  const { dataDir, only, projectDir, key, now } = options
  const bundle = only ? undefined : await ensureBundle(projectDir)
  const starter = { startedBy: 'admin' as const, only }
  return withReleases(db, options, () => {
    const file = { publishId: findLastPublishId(dataDir) ?? 0, preview: key, now }
    const progress = createProgressFile(dataDir, file)
    progress.phase(publishStep('comparing'))
    return withBefore(dataDir, async (before) => {
      const source = await openSource(db, { ...options, starter }, { bundle, facts: before.facts })
      const { siteUrl } = options
      const isHeld = await isHeldBack(db, options)
      const partial = partOf(starter)
      try {
        return await withTeam(source.db, { ...source, siteUrl, isHeld, before, partial }, (team, wanted) =>
          stage(team, wanted, { ...options, before, progress }),
        )
      } finally {
        await source.close()
      }
    })
  })
}

type Known = Before & { ledger: Ledger; release: Release }

async function withBefore<T>(dataDir: string, work: (before: Known) => Promise<T>): Promise<T> {
  const release = findCurrentRelease(dataDir)
  if (!release) throw new Failure(publishFailures, 'nothingLive')
  await using folder = await mkdtempDisposable(join(tmpdir(), 'signpost-preview-'))
  using ledger = openPlanLedger(dataDir, folder.path, release)
  return await work({ ledger, release, facts: findBase(ledger, release) })
}

type Staging = PreviewOptions & { before: Known; progress: Progress }

async function stage(team: Team, wanted: Wanted, options: Staging): Promise<StagedPreview> {
  const { before, dataDir, shared, key, progress } = options
  const { scope } = wanted
  const releaseId = before.release.id
  const siteDir = previewFolder(dataDir, { key, releaseId })
  // A stopped server may have left some.
  await rm(siteDir, { recursive: true, force: true })
  await mkdir(siteDir, { recursive: true })
  const facts = { releaseId, changeId: wanted.position.id }
  if (before.facts && isNothing(scope))
    return {
      ...facts,
      changes: [],
      pageCount: 0,
      kinds: {},
      pagesHash: hashPages([]),
    }
  const expected = scope.kind === 'all' ? (before.facts?.pages ?? 0) : scope.entryIds.length
  const onPages = (done: number) => progress.update(done, Math.max(done, expected))
  const compared = await compareSite(team, { ...wanted, before, siteDir, onlyPages: true, onPages })
  const writer = new SiteWriter(siteDir)
  await addNewPictures(team, compared.stage.listDrawings(), { ...options, writer, scope })
  progress.phase(publishStep('listing'))
  const found = [...compared.stage.listChanges()].filter(({ change }) => change !== 'same')
  const pagesHash = hashPages(found)
  const sorted = sortByKind(found, new Set(options.first))
  const changes = sorted.map(({ change, path, key }) => ({ change, path, key }))
  for (const { change, path } of changes) if (change === 'removed') writer.write(pageFile(path), '')
  await writeLaterLists(siteDir, changes)
  if (shared) await storeFolder(shared.files, siteDir, previewPlace({ key, releaseId }))
  const first = changes.slice(0, PAGES_LISTED)
  // A removed page has its title on the live site.
  const listed = await withTitles(first, [siteDir, before.release.siteDir])
  return { ...facts, changes: listed, pageCount: changes.length, kinds: countKinds(found), pagesHash }
}

// Pictures of unchanged pages come from the live site.
async function addNewPictures(
  { db, content }: Team,
  drawings: readonly SharePicture[],
  { dataDir, shared, before, progress, writer, scope }: Staging & { writer: SiteWriter; scope: Scope },
) {
  const live = before.release
  const pictures = await listShownPictures(db, content, scope.kind === 'all' ? undefined : scope.entryIds)
  const onPicture = countPictures(progress, drawings.length + pictures.size)
  await addPictures(drawings, { dataDir, writer, live, onPicture })
  await makeEntryPictures(db, { dataDir, shared, pictures, live, onPicture })
  const write = (file: string, bytes: string | Buffer) => writer.write(file, bytes)
  const keep = (file: string, from: string) =>
    existsSync(join(live.siteDir, file)) ? 'linked' : writer.keep(file, from)
  addEntryPictures(pictures, { dataDir, writer: { write, keep } })
  if (scope.kind === 'all') await addSiteIcon(db, content, { dataDir, shared, writer: { write, keep } })
}
