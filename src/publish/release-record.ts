import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findCurrentRelease, type Release } from './release.ts'

const SIZES = 'sizes.json'

/** Writes down how large the files are that a release keeps beside its site. */
export function recordSizes({ dir }: Pick<Release, 'dir'>): void {
  const files = readdirSync(dir, { withFileTypes: true }).filter((entry) => entry.isFile())
  const sizes = Object.fromEntries(files.map(({ name }) => [name, statSync(join(dir, name)).size]))
  writeFileSync(join(dir, SIZES), JSON.stringify(sizes))
}

/** The current release, unless files beside its site were cut short: then nothing can be compared with it. */
export function findComparableRelease(dataDir: string): Release | undefined {
  const release = findCurrentRelease(dataDir)
  return release && isRecordWhole(release) ? release : undefined
}

function isRecordWhole({ dir }: Release): boolean {
  // A program from before wrote nothing down.
  if (!existsSync(join(dir, SIZES))) return true
  try {
    const sizes: Record<string, number> = JSON.parse(readFileSync(join(dir, SIZES), 'utf8'))
    return Object.entries(sizes).every(([name, size]) => statSync(join(dir, name)).size === size)
  } catch {
    return false
  }
}
