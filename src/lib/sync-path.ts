import { closeSync, fsyncSync, openSync } from 'node:fs'
import { open } from 'node:fs/promises'

/** Waits until a file, or the names in a folder, are on disk. */
export async function syncPath(path: string): Promise<void> {
  await using handle = await open(path)
  await handle.sync()
}

/** The same, blocking. */
export function syncPathSync(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
