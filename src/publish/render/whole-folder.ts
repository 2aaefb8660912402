import { statSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

const LIST = 'files.json'

/** Records all files below a folder with their sizes, for `isWholeFolder`. */
export async function recordFiles(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() && entry.name !== LIST)
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
  const sizes = Object.fromEntries(files.map((file) => [file, sizeOf(folder, file)]))
  await writeFile(join(folder, LIST), JSON.stringify(sizes))
}

/** Returns whether every recorded file exists with its size: a crash or a full disk truncates files. */
export async function isWholeFolder(folder: string): Promise<boolean> {
  try {
    const recorded: Record<string, number> = JSON.parse(await readFile(join(folder, LIST), 'utf8'))
    return Object.entries(recorded).every(([file, size]) => sizeOf(folder, file) === size)
  } catch {
    return false
  }
}

function sizeOf(folder: string, file: string): number {
  return statSync(join(folder, file)).size
}
