import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withFreeLock } from '../../db/file-lock.ts'
import { knowsRelease, ledgerFile, listChangesSince, openLedger, readFacts } from '../ledger/ledger-store.ts'
import type { ReleasePlan } from '../plan/plan-release.ts'
import { flushWhole } from './flush-release.ts'
import { pageFile } from './page-file.ts'
import { findCurrentRelease, listSpares, nameSpare, type Release, releaseAt } from './release.ts'
import { bringFile, SiteWriter } from './site-writer.ts'

const SCRIPT = fileURLToPath(new URL('./next-folder-process.ts', import.meta.url))
const UNFINISHED = '.next'
/** A publish links or removes this many files in a fraction of a second. */
const FEW_FILES = 5_000

/** Starts a process that prepares the folder of the next release of a large site, and does not wait for it. */
export function startNextFolder(
  dataDir: string,
  { added, changed, unchanged }: Pick<ReleasePlan, 'added' | 'changed' | 'unchanged'>,
): void {
  if (added + changed + unchanged <= FEW_FILES) return
  const preparing = spawn(process.execPath, [SCRIPT, dataDir], { detached: true, stdio: 'ignore' })
  // Without it, the next publish only takes longer.
  preparing.on('error', () => {}).unref()
}

/**
 * Prepares the folder of the next release: it gets the files of the live one, as links, so that the next publish adds only
 * what changes. Does nothing if few files differ, links are impossible, or another process is preparing it.
 */
export async function prepareNextFolder(dataDir: string, { fewFiles = FEW_FILES } = {}): Promise<void> {
  await withFreeLock(join(dataDir, 'next-folder.lock'), async () => {
    await removeUnfinished(dataDir)
    const live = findCurrentRelease(dataDir)
    const needed = live && (await findNeeded(dataDir, live))
    if (live && needed && needed.files.length > fewFiles) await prepare(dataDir, live, needed)
  })
}

interface Needed {
  /** Folder of an earlier release, to be brought up to date. */
  spare: Release | undefined
  /** Files that are missing, different, or superfluous in it. */
  files: string[]
}

// Undefined while a publish is between its last entry in the ledger and the switch.
async function findNeeded(dataDir: string, live: Release): Promise<Needed | undefined> {
  if (!existsSync(ledgerFile(dataDir))) return undefined
  using ledger = openLedger(ledgerFile(dataDir))
  if (!readFacts(ledger, live)) return undefined
  const spare = (await listSpares(dataDir)).find(({ id }) => knowsRelease(ledger, id))
  const { pages, files } = listChangesSince(ledger, spare?.id)
  return { spare, files: [...pages.map(pageFile), ...files] }
}

// A publish in the meantime makes its own folder, as it would without this.
async function prepare(dataDir: string, live: Release, { spare, files }: Needed) {
  const next = releaseAt(dataDir, live.id + UNFINISHED)
  try {
    if (spare) await rename(spare.dir, next.dir)
    else await mkdir(next.siteDir, { recursive: true })
    const writer = new SiteWriter(next.siteDir)
    for (const file of files) if (bringFile(writer, file, live) === 'copied') return
    await flushWhole(next.dir)
    await nameSpare(dataDir, next, live.id)
  } catch (error) {
    // A publish took the spare, or enough of them followed that the release is gone.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  } finally {
    await rm(next.dir, { recursive: true, force: true })
  }
}

async function removeUnfinished(dataDir: string) {
  const folder = join(dataDir, 'releases')
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((one) => one.endsWith(UNFINISHED)))
    await rm(join(folder, name), { recursive: true, force: true })
}
