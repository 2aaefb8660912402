import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { withFileLock } from '../db/file-lock.ts'
import type { Db } from '../db/schema.ts'
import { countShownEntries } from '../entries/entry-schedule-store.ts'
import type { Progress } from '../lib/progress.ts'
import { loadLayoutView } from '../site/layout-view.ts'
import { recordQuality } from '../site/quality/record-quality.ts'
import { siteFiles } from '../site/site-files.ts'
import { type Bundle, ensureBundle, loadRenderer, type RenderPage } from './bundle.ts'
import { hasSameMovedAddresses, writeMovedAddresses } from './moved-addresses.ts'
import { createPageAddresses, type PageAddresses } from './page-addresses.ts'
import { isSameSite, planRelease, type ReleasePlan } from './plan-release.ts'
import { savePublishedAddresses } from './published-address-store.ts'
import {
  copyAssets,
  findCurrentRelease,
  finishRelease,
  type PageManifest,
  type Release,
  readManifest,
  removeOldReleases,
  startRelease,
  switchToRelease,
} from './release.ts'
import { writeEmbeds } from './write-embeds.ts'
import { createReleaseWriter, type ReleaseWriter } from './write-release.ts'

export interface PublishOptions {
  /** Where the program's sources and node_modules are. */
  projectDir: string
  dataDir: string
  siteUrl: string
  /** Render every page again, changed or not. */
  full?: boolean
  now: () => Date
  progress: Progress
}

export type PublishOutcome =
  | { kind: 'unchanged'; release: Release; plan: ReleasePlan }
  | { kind: 'published'; release: Release; plan: ReleasePlan }

/**
 * Brings the public site up to date: renders what changed, makes the next release and switches to it. One at a time;
 * a second call waits. When anything fails the current release stays as it is.
 */
export async function publishSite(db: Db, options: PublishOptions): Promise<PublishOutcome> {
  const bundle = await ensureBundle(options.projectDir)
  return withFileLock(join(options.dataDir, 'publish.lock'), () => publish(db, options, bundle))
}

/** What a publish would change; nothing is written. The templates' bundle is built when there is none yet. */
export async function planSite(
  db: Db,
  {
    projectDir,
    dataDir,
    siteUrl,
    full = false,
  }: Pick<PublishOptions, 'projectDir' | 'dataDir' | 'siteUrl' | 'full'>,
): Promise<ReleasePlan> {
  const { fingerprint: templateFingerprint } = await ensureBundle(projectDir)
  return planRelease(db, { siteUrl, templateFingerprint, full, current: await currentPages(dataDir) })
}

async function currentPages(dataDir: string): Promise<PageManifest> {
  const release = findCurrentRelease(dataDir)
  return release ? readManifest(release) : new Map()
}

async function publish(db: Db, options: PublishOptions, bundle: Bundle): Promise<PublishOutcome> {
  const { dataDir } = options
  await removeOldReleases(dataDir)
  const before = findCurrentRelease(dataDir)
  const now = options.now()
  const unfinished = await startRelease(dataDir, { now })
  try {
    const writer = createReleaseWriter(unfinished)
    const addresses = createPageAddresses()
    const plan = await renderChanged(db, options, { bundle, writer, now, addresses })
    const { moved, unrecorded } = await addresses.settle(db)
    await writeMovedAddresses(unfinished, moved)
    if (before && isSameSite(plan) && (await hasSameMovedAddresses(before, unfinished))) {
      await savePublishedAddresses(db, unrecorded)
      await recordQuality(db, plan.quality)
      return { kind: 'unchanged', release: before, plan }
    }
    await addTheRest(db, options, { bundle, plan, before, unfinished, writer, now })
    const release = await finishRelease(dataDir, unfinished, plan.pages)
    // Before they are live: an address must never be forgotten.
    await savePublishedAddresses(db, unrecorded)
    await switchToRelease(dataDir, release)
    await recordQuality(db, plan.quality)
    await removeOldReleases(dataDir)
    return { kind: 'published', release, plan }
  } finally {
    await rm(unfinished.dir, { recursive: true, force: true })
  }
}

async function renderChanged(
  db: Db,
  options: PublishOptions,
  { bundle, writer, now, addresses }: Pick<Parts, 'bundle' | 'writer' | 'now'> & { addresses: PageAddresses },
) {
  const current = await currentPages(options.dataDir)
  const expected = await countShownEntries(db, now)
  let renderPage: RenderPage | undefined
  const plan = await planRelease(db, {
    siteUrl: options.siteUrl,
    now,
    addresses,
    templateFingerprint: bundle.fingerprint,
    current,
    full: options.full ?? false,
    onPage: (done) => options.progress.update(done, Math.max(done, expected)),
    async onChanged(page) {
      renderPage ??= await loadRenderer(bundle)
      await writer.writePage(page, await renderPage(page))
    },
  })
  options.progress.finish()
  return plan
}

interface Parts {
  bundle: Bundle
  plan: ReleasePlan
  before: Release | undefined
  unfinished: Release
  writer: ReleaseWriter
  /** The moment whose content is published. */
  now: Date
}

async function addTheRest(
  db: Db,
  options: PublishOptions,
  { bundle, plan, before, unfinished, writer, now }: Parts,
) {
  if (before) for (const path of plan.unchanged) await writer.keepPage(path, before)
  const layout = await loadLayoutView(db, { siteUrl: options.siteUrl, now })
  for (const [path, text] of siteFiles(layout, plan.listed)) await writer.writeFile(path, text)
  await writer.finish()
  await writeEmbeds(unfinished, plan.pages.keys(), writer, bundle)
  await writer.finish()
  await copyAssets(bundle.clientDir, unfinished)
}
