import { opendir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Db } from '../../db/schema.ts'
import type { Release } from '../release/release.ts'
import { previewFolder } from './preview-folder.ts'
import { listUnpublishedPreviews, markPreviewPublished } from './preview-store.ts'

const MOST_COMPARED = 50

/** Marks previews as published if a release has exactly their pages, whether they were approved or not. */
export async function markLivePreviews(
  db: Db,
  { dataDir, release, now }: { dataDir: string; release: Release; now: Date },
): Promise<void> {
  const previews = await listUnpublishedPreviews(db, { now, limit: MOST_COMPARED })
  for (const { id, tokenSha256: key, releaseId, readyAt } of previews)
    if (readyAt !== null && (await hasPages(release, previewFolder(dataDir, { key, releaseId }))))
      await markPreviewPublished(db, id, { now })
}

// Stops at the first page that differs. Another server may have made the preview.
async function hasPages({ siteDir }: Release, folder: string): Promise<boolean> {
  let count = 0
  const files = await opendir(folder, { recursive: true }).catch(() => undefined)
  for await (const file of files ?? []) {
    if (!file.name.endsWith('.html')) continue
    const path = join(file.parentPath, file.name)
    // A removed page is an empty file.
    const live = await readFile(join(siteDir, relative(folder, path))).catch(() => Buffer.alloc(0))
    if (!live.equals(await readFile(path))) return false
    count += 1
  }
  return count > 0
}
