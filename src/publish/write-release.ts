import { copyFile, link, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Page } from '../site/page.ts'
import { pageFile } from './page-file.ts'
import type { Release } from './release.ts'

const WRITES_AT_ONCE = 32

/** Writes files into an unfinished release, several at a time; folders are made once each. */
export interface ReleaseWriter {
  /** Throws when the template gave nothing. */
  writePage(page: Page, html: string): Promise<void>
  writeFile(path: string, text: string): Promise<void>
  /** Takes a page over from an earlier release: the same file under a second name, a copy where links are impossible. */
  keepPage(path: string, from: Release): Promise<void>
  /** Resolves when everything is written; throws the first error. */
  finish(): Promise<void>
}

export function createReleaseWriter(release: Release): ReleaseWriter {
  const folders = new Map<string, Promise<unknown>>()
  const underWay = new Set<Promise<void>>()
  const errors: unknown[] = []

  async function target(file: string): Promise<string> {
    const path = join(release.siteDir, file)
    const folder = dirname(path)
    if (!folders.has(folder)) folders.set(folder, mkdir(folder, { recursive: true }))
    await folders.get(folder)
    return path
  }

  // Never rejects by itself: errors are kept for the next call, so that none goes unnoticed or unhandled.
  async function enqueue(work: Promise<void>) {
    const tracked: Promise<void> = work
      .catch((error) => void errors.push(error))
      .finally(() => underWay.delete(tracked))
    underWay.add(tracked)
    if (underWay.size >= WRITES_AT_ONCE) await Promise.race(underWay)
    throwFirstError()
  }

  function throwFirstError() {
    if (errors.length > 0) throw errors[0]
  }

  return {
    writePage(page, html) {
      if (html.trim() === '') throw new Error(`The template of ${page.path} gave an empty page`)
      return enqueue(target(pageFile(page.path)).then((path) => writeFile(path, html)))
    },
    writeFile: (path, text) => enqueue(target(path.slice(1)).then((file) => writeFile(file, text))),
    keepPage(path, from) {
      const file = pageFile(path)
      return enqueue(target(file).then((to) => linkOrCopy(join(from.siteDir, file), to)))
    },
    finish: async () => {
      await Promise.all(underWay)
      throwFirstError()
    },
  }
}

async function linkOrCopy(from: string, to: string) {
  try {
    await link(from, to)
  } catch (error) {
    if (!CANNOT_LINK.has(String((error as NodeJS.ErrnoException).code))) throw error
    await copyFile(from, to)
  }
}

const CANNOT_LINK = new Set(['EPERM', 'EXDEV', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP'])
