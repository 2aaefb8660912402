import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

// One that is being made is not known by its link yet.
const MADE_WITHIN_MS = 60 * 60 * 1_000

/** Returns where the files of a preview are that the live site does not have. */
export function previewFolder(dataDir: string, key: string): string {
  return join(dataDir, 'previews', key, 'site')
}

/** Removes the files of a preview. */
export async function removePreview(dataDir: string, key: string): Promise<void> {
  await rm(join(dataDir, 'previews', key), { recursive: true, force: true })
}

/** Removes the files of all previews but these and the newest. */
export async function removePreviews(
  dataDir: string,
  { kept, now }: { kept: ReadonlySet<string>; now: Date },
): Promise<void> {
  const folder = join(dataDir, 'previews')
  for (const key of await readdir(folder).catch(() => [])) {
    if (kept.has(key)) continue
    const { mtimeMs } = await stat(join(folder, key))
    if (now.getTime() - mtimeMs > MADE_WITHIN_MS) await removePreview(dataDir, key)
  }
}
