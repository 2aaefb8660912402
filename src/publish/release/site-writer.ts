import {
  closeSync,
  copyFileSync,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { isMissing } from '../../lib/is-missing.ts'
import { syncPathSync } from '../../lib/sync-path.ts'
import { shortHash } from '../../site/content/fingerprint.ts'

const CANNOT_LINK = new Set(['EPERM', 'EXDEV', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])
/** For more written files than this, flushing the whole file system is faster. */
export const FLUSHED_ONE_BY_ONE = 200

/** Adds files to a site. */
export interface SiteFiles {
  write(file: string, bytes: string | Buffer): void
  /** Adds the same file under a second name, or a copy if links are impossible. */
  keep(file: string, from: string): 'linked' | 'copied'
}

/**
 * Changes the files below the `site` folder of an unfinished release. An existing file is replaced and never written
 * to, because it may be linked to another release's.
 */
export class SiteWriter implements SiteFiles {
  readonly #siteDir: string
  readonly #folders = new Set<string>()
  readonly #changed = new Set<string>()
  readonly #written: string[] = []

  constructor(siteDir: string) {
    this.#siteDir = siteDir
  }

  write(file: string, bytes: string | Buffer): void {
    this.#place(file, (path) => writeNew(path, bytes))
    this.#noteWritten(file)
  }

  keep(file: string, from: string): 'linked' | 'copied' {
    const outcome = this.#place(file, (path) => linkOrCopy(join(from, file), path))
    if (outcome === 'copied') this.#noteWritten(file)
    return outcome
  }

  /** Deletes a file if it exists, and folders that become empty. */
  remove(file: string): void {
    const path = join(this.#siteDir, file)
    if (isMissing(path)) return
    rmSync(path)
    let folder = dirname(path)
    for (; folder !== this.#siteDir && isEmptied(folder); folder = dirname(folder)) {
      this.#folders.delete(folder)
      this.#changed.delete(folder)
    }
    this.#changed.add(folder)
  }

  /** True if enough files were written that flushing everything at once is faster. */
  get isLarge(): boolean {
    return this.#written.length > FLUSHED_ONE_BY_ONE
  }

  /**
   * Waits until the written files and all directory entries are on disk; with many files, only until the first are.
   */
  flush(): void {
    for (const path of this.#written.splice(0)) syncPathSync(path)
    for (const folder of this.#changed) syncPathSync(folder)
  }

  #place<Outcome>(file: string, make: (path: string) => Outcome): Outcome {
    const path = join(this.#siteDir, file)
    this.#makeFolder(dirname(path))
    try {
      return make(path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      rmSync(path)
      return make(path)
    }
  }

  // A new folder is an entry in its parent folder.
  #makeFolder(folder: string) {
    if (this.#folders.has(folder)) return
    const first = mkdirSync(folder, { recursive: true })
    for (let made = folder; first && made.length >= first.length; made = dirname(made))
      this.#changed.add(dirname(made))
    this.#folders.add(folder)
    this.#changed.add(folder)
  }

  #noteWritten(file: string) {
    if (!this.isLarge) this.#written.push(join(this.#siteDir, file))
  }
}

/** Gives a site this file of a release, or removes it where the release has none: then undefined. */
export function bringFile(
  writer: SiteWriter,
  file: string,
  { siteDir }: { siteDir: string },
): 'linked' | 'copied' | undefined {
  if (!isMissing(join(siteDir, file))) return writer.keep(file, siteDir)
  writer.remove(file)
  return undefined
}

/** Keeps a file of the live release under another path too; returns false if there is none. */
export function takeOver(
  file: string,
  { live, kept }: { live: { siteDir: string } | undefined; kept: string },
): boolean {
  if (!live || isMissing(join(live.siteDir, file))) return false
  mkdirSync(dirname(kept), { recursive: true })
  try {
    linkOrCopy(join(live.siteDir, file), kept)
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return true
}

function linkOrCopy(from: string, path: string): 'linked' | 'copied' {
  try {
    linkSync(from, path)
    return 'linked'
  } catch (error) {
    if (!CANNOT_LINK.has(String((error as NodeJS.ErrnoException).code))) throw error
    copyFileSync(from, path)
    return 'copied'
  }
}

function isEmptied(folder: string): boolean {
  try {
    rmdirSync(folder)
    return true
  } catch {
    return false
  }
}

function writeNew(path: string, bytes: string | Buffer) {
  const buffer = typeof bytes === 'string' ? Buffer.from(bytes) : bytes
  const descriptor = openSync(path, 'wx')
  try {
    for (let from = 0; from < buffer.length; ) from += writeSync(descriptor, buffer, from)
    if (fstatSync(descriptor).size !== buffer.length) throw new Error(`${path} was not written whole`)
  } finally {
    closeSync(descriptor)
  }
}

/** Returns whether there is a file with this size and, if given, this hash. */
export function isIntact(
  siteDir: string,
  { file, size, hash }: { file: string; size: number; hash: string },
): boolean {
  const path = join(siteDir, file)
  if (statSync(path, { throwIfNoEntry: false })?.size !== size) return false
  return hash === '' || shortHash(readFileSync(path)) === hash
}
