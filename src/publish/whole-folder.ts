import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

const LIST = 'files.json'

/** Writes down the files of a folder with their sizes, for `isWholeFolder` to compare. */
export async function recordFiles(folder: string): Promise<void> {
  await writeFile(join(folder, LIST), JSON.stringify(await sizesOf(folder)))
}

/** Whether every file that was written down is there and has its size: a crash or a full disk cuts files short. */
export async function isWholeFolder(folder: string): Promise<boolean> {
  try {
    const recorded: Record<string, number> = JSON.parse(await readFile(join(folder, LIST), 'utf8'))
    const sizes = await sizesOf(folder)
    return Object.entries(recorded).every(([file, size]) => sizes[file] === size)
  } catch {
    return false
  }
}

async function sizesOf(folder: string): Promise<Record<string, number>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() && entry.name !== LIST)
    .map((entry) => join(entry.parentPath, entry.name))
  const sizes = await Promise.all(
    files.map(async (file) => [relative(folder, file), (await stat(file)).size]),
  )
  return Object.fromEntries(sizes)
}
