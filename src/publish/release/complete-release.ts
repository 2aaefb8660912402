import { existsSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncPathSync } from '../../lib/sync-path.ts'
import type { SiteContent } from '../../site/content/site-content.ts'
import { STATIC_HOST_REDIRECTS } from '../addresses/moved-addresses.ts'
import type { ReleasePlan } from '../plan/plan-release.ts'
import type { Bundle } from '../render/bundle.ts'
import type { PageShare } from '../render/share-work.ts'
import { createSiteWriter, FLUSHED_ONE_BY_ONE, type SiteWriter } from '../render/site-writer.ts'
import { addSiteFiles } from './add-site-files.ts'
import { flushFolders, flushWhole } from './flush-release.ts'
import { copyAssets, type Release, readPages } from './release.ts'
import { readPictures } from './release-parts.ts'
import { type BrokenLink, verifyRelease } from './verify-release.ts'
import { recordFiles } from './whole-folder.ts'

interface Completion {
  dataDir: string
  content: SiteContent
  plan: ReleasePlan
  shares: readonly PageShare[]
  bundle: Bundle
}

/**
 * Makes a release of rendered pages whole: the pages that stay as they were, assets, sitemaps and the other files. Looks
 * it over, and returns when all of it is on disk.
 */
export async function completeRelease(
  unfinished: Release,
  { dataDir, content, plan, shares, bundle }: Completion,
): Promise<{ brokenLinks: BrokenLink[]; copiedPages: number }> {
  const kept = await Promise.all(shares.map((share) => share.keep()))
  const linkFiles = await Promise.all(shares.map((share) => share.links()))
  const writer = createSiteWriter(unfinished.siteDir)
  const pictures = readPictures(unfinished)
  const listed = readPages(unfinished).filter(({ isListed }) => isListed)
  const parts = { dataDir, content, pictures, listed, clientDir: bundle.clientDir }
  const added = await addSiteFiles(writer, unfinished, parts)
  const copiedPages = kept.reduce((sum, one) => sum + one.copied, 0)
  await copyAssets(bundle.clientDir, unfinished)
  const pages = plan.added + plan.changed + plan.unchanged
  const brokenLinks = verifyRelease(unfinished, { pages, linkFiles })
  const copied = copiedPages + added.copied
  await recordFiles(unfinished.dir, { recursive: false })
  await flush(unfinished, { plan, shares, writer, copied })
  await rm(join(unfinished.dir, 'parts'), { recursive: true })
  return { brokenLinks, copiedPages }
}

// A few files are flushed one by one, because the whole file system may have a lot to write for others.
async function flush(
  unfinished: Release,
  {
    plan,
    shares,
    writer,
    copied,
  }: Pick<Completion, 'plan' | 'shares'> & { writer: SiteWriter; copied: number },
) {
  if (plan.added + plan.changed + plan.renderedSame + copied > FLUSHED_ONE_BY_ONE)
    return flushWhole(unfinished.dir)
  await Promise.all(shares.map((share) => share.flush()))
  writer.flush()
  for (const folder of [unfinished.dir, join(unfinished.siteDir, '_astro')])
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (entry.isFile()) syncPathSync(join(folder, entry.name))
  const redirects = join(unfinished.siteDir, STATIC_HOST_REDIRECTS)
  if (existsSync(redirects)) syncPathSync(redirects)
  flushFolders(unfinished.dir)
}
