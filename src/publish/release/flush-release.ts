import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { syncPathSync } from '../../lib/sync-path.ts'

/** Waits until every file and directory entry below a folder is on disk. */
export async function flushWhole(folder: string): Promise<void> {
  try {
    // One call for the whole file system instead of one for each of 100,000 files. Node has no function for it.
    await promisify(execFile)('sync', ['--file-system', folder])
  } catch {
    flushFiles(folder)
  }
  flushFolders(folder)
}

/** Waits until the directory entries below a folder are on disk. */
function flushFolders(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) flushFolders(join(folder, entry.name))
  syncPathSync(folder)
}

function flushFiles(folder: string) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) syncPathSync(join(entry.parentPath, entry.name))
}
