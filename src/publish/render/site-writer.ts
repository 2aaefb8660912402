import { closeSync, copyFileSync, fstatSync, linkSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { syncPathSync } from '../../lib/sync-path.ts'
import { SameAddress } from '../addresses/same-address.ts'

const CANNOT_LINK = new Set(['EPERM', 'EXDEV', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])
/** More written files than these are cheaper to flush with their whole file system. */
export const FLUSHED_ONE_BY_ONE = 200

/** Writes files below the `site` folder of an unfinished release; folders are made once each. */
export type SiteWriter = ReturnType<typeof createSiteWriter>

export function createSiteWriter(siteDir: string) {
  const folders = new Set<string>()
  const written: string[] = []

  function target(file: string): string {
    const path = join(siteDir, file)
    const folder = dirname(path)
    if (!folders.has(folder)) mkdirSync(folder, { recursive: true })
    folders.add(folder)
    return path
  }

  return {
    /** Throws when there is such a file already. */
    write(file: string, bytes: string | Buffer): void {
      const path = target(file)
      try {
        writeNew(path, bytes)
      } catch (error) {
        refuseSecond(file, error)
      }
      if (written.length < FLUSHED_ONE_BY_ONE) written.push(path)
    },
    /** The same file under a second name, or a copy where links are impossible. Throws when there is one already. */
    keep(file: string, from: string): 'linked' | 'copied' {
      const path = target(file)
      const source = join(from, file)
      try {
        linkSync(source, path)
        return 'linked'
      } catch (error) {
        if (!CANNOT_LINK.has(String((error as NodeJS.ErrnoException).code))) return refuseSecond(file, error)
        copyFileSync(source, path)
        return 'copied'
      }
    },
    /** Waits until the written files are on disk, at most the first `FLUSHED_ONE_BY_ONE`. */
    flush(): void {
      for (const path of written) syncPathSync(path)
    },
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

// Two pages of one address would be one file.
function refuseSecond(file: string, error: unknown): never {
  if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  throw new SameAddress(`/${file.replace(/(?:^index)?\.html$/, '')}`)
}
