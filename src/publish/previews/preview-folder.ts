import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { SitePlace } from '../shared/shared-site.ts'

/** Maximum time to make one. */
export const MADE_WITHIN_MS = 60 * 60 * 1_000

/** Names a preview's files. They are made again when another release goes live. */
export interface PreviewFiles {
  key: string
  /** The release that they were compared with. */
  releaseId: string
}

/** Returns the folder of a preview's files that the live site doesn't have. */
export function previewFolder(dataDir: string, { key, releaseId }: PreviewFiles): string {
  return join(dataDir, 'previews', key, releaseId)
}

/** Returns their place in the store that servers share. */
export function previewPlace({ key, releaseId }: PreviewFiles): string {
  return `previews/${key}/${releaseId}`
}

/** Removes the files of a preview, or only those for one release. */
export async function removePreview(
  { dataDir, shared }: SitePlace,
  key: string,
  releaseId = '',
): Promise<void> {
  await rm(join(dataDir, 'previews', key, releaseId), { recursive: true, force: true })
  await shared?.files.remove(releaseId === '' ? `previews/${key}` : previewPlace({ key, releaseId }))
}

/** Deletes the files of all previews except these and the newest. */
export async function removePreviews(
  place: SitePlace,
  { kept, now }: { kept: ReadonlySet<string>; now: Date },
): Promise<void> {
  const { dataDir, shared } = place
  for await (const { key, writtenAt } of shared?.files.list('previews') ?? []) {
    const isOld = now.getTime() - writtenAt.getTime() > MADE_WITHIN_MS
    if (isOld && !kept.has(key.split('/')[1] ?? '')) await shared?.files.remove(key)
  }
  const folder = join(dataDir, 'previews')
  for (const key of await readdir(folder).catch(() => [])) {
    if (kept.has(key)) continue
    const { mtimeMs } = await stat(join(folder, key))
    if (now.getTime() - mtimeMs > MADE_WITHIN_MS)
      await rm(join(folder, key), { recursive: true, force: true })
  }
}
