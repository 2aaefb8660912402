import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { PageRange } from '../../site/pages/list-pages.ts'
import { pageFile } from '../release/page-file.ts'
import { type Release, releaseFile } from '../release/release.ts'
import { readSlice } from '../render/part-file.ts'
import { type KnownRange, readRanges } from './known-ranges.ts'
import { indexPages, type KnownPage, type PageIndex } from './page-index.ts'
import { type PageRecord, parseRecord, readRecords } from './page-record.ts'

/** The pages of the current release, read as far as they are asked for. */
export type KnownPages = ReturnType<typeof openKnownPages>

export function openKnownPages(release: Release | undefined) {
  const ranges = release && readRanges(release)
  let near: PageIndex | undefined
  let all: PageIndex | undefined

  return {
    range: (range: PageRange): KnownRange | undefined => ranges?.(range),
    /** Reads the pages that a range had: most that it has now are among them. */
    open(range: KnownRange | undefined): PageRecord[] {
      const records = range ? recordsOf(readSlice(range.pages)) : []
      near = indexPages(records)
      return records
    },
    find(path: string): KnownPage | undefined {
      if (!release) return undefined
      const known = near?.find(path)
      if (known) return known
      all ??= indexPages(readRecords(releaseFile(release, 'pages.tsv')))
      return all.find(path)
    },
    /** Whether the page's file is there with all its bytes. */
    isIntact({ path, size }: Pick<PageRecord, 'path' | 'size'>): boolean {
      if (!release) return false
      const file = join(release.siteDir, pageFile(path))
      return statSync(file, { throwIfNoEntry: false })?.size === size
    },
  }
}

/** Since when a page has these bytes (their hash), by the first of the releases in which its record can be read. */
export function openMoments(
  releases: readonly Release[],
): (path: string, bytesHash: string) => string | undefined {
  const files = releases
    .map((release) => releaseFile(release, 'pages.tsv'))
    .filter((file) => existsSync(file))
  const indexes: PageIndex[] = []
  return (path, bytesHash) => {
    for (const [number, file] of files.entries()) {
      indexes[number] ??= indexPages(readRecords(file))
      const known = indexes[number].find(path)
      if (known) return known.bytesHash === bytesHash ? known.modifiedAt : undefined
    }
    return undefined
  }
}

function recordsOf(text: string): PageRecord[] {
  return text.split('\n').flatMap((line) => parseRecord(line) ?? [])
}
