import { writeFileSync } from 'node:fs'
import type { PageRange } from '../../site/pages/list-pages.ts'
import type { QualitySummary } from '../quality-summary.ts'
import { type Release, releaseFile } from '../release/release.ts'
import type { Slice } from '../render/part-file.ts'
import type { RangeOutcome } from '../render/share-work.ts'
import { linesOf } from './page-record.ts'

type Span = [start: number, end: number]

/** What a release knows of a range of its pages: one line of `ranges.jsonl`. */
interface RangeRecord extends Pick<RangeOutcome, 'range' | 'mark' | 'bytes'> {
  count: number
  quality: Pick<QualitySummary, 'pages' | 'unlisted'>
  /** Of `pages.tsv` and `former.tsv`. */
  pages: Span
  former: Span
}

/** The same with the slices of that release's files. */
export interface KnownRange extends Omit<RangeRecord, 'pages' | 'former'> {
  pages: Slice
  former: Slice
}

/** Writes down which part of a release's lists came from which range. The outcomes are in the lists' order. */
export function writeRanges(release: Pick<Release, 'dir'>, outcomes: readonly RangeOutcome[]): void {
  let text = ''
  let pagesAt = 0
  let formerAt = 0
  for (const { range, mark, bytes, counts, quality, pages, former } of outcomes) {
    const [pagesEnd, formerEnd] = [pagesAt + lengthOf(pages), formerAt + lengthOf(former)]
    const record: RangeRecord = {
      range,
      mark,
      bytes,
      pages: [pagesAt, pagesEnd],
      former: [formerAt, formerEnd],
      count: Object.values(counts).reduce((sum, count) => sum + count, 0),
      quality: { pages: quality.pages, unlisted: quality.unlisted },
    }
    text += `${JSON.stringify(record)}\n`
    pagesAt = pagesEnd
    formerAt = formerEnd
  }
  writeFileSync(releaseFile(release, 'ranges.jsonl'), text)
}

function lengthOf({ start, end }: Slice): number {
  return end - start
}

/** The ranges of a release. */
export function readRanges(release: Release): (range: PageRange) => KnownRange | undefined {
  const known = new Map<string, RangeRecord>()
  for (const line of linesOf(releaseFile(release, 'ranges.jsonl'))) {
    const record: RangeRecord = JSON.parse(line)
    known.set(JSON.stringify(record.range), record)
  }
  const slice = (name: 'pages.tsv' | 'former.tsv', [start, end]: Span): Slice => ({
    file: releaseFile(release, name),
    start,
    end,
  })
  return (range) => {
    const record = known.get(JSON.stringify(range))
    if (!record) return undefined
    return { ...record, pages: slice('pages.tsv', record.pages), former: slice('former.tsv', record.former) }
  }
}
