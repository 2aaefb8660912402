import { appendFileSync } from 'node:fs'
import type { SiteContent } from '../../site/content/site-content.ts'
import { listPageSources, type PageSource } from '../../site/pages/page-sources.ts'
import type { SharePicture } from '../../site/pages/share-picture.ts'
import type { PageQuality } from '../../site/quality/page-quality.ts'
import { SameAddress } from '../addresses/same-address.ts'
import { writeRanges } from '../plan/known-ranges.ts'
import { pathHash } from '../plan/page-index.ts'
import { linesOf, type PageRecord, readRecords } from '../plan/page-record.ts'
import {
  explainRemoval,
  formatSource,
  nameSinglePage,
  type PlanCause,
  type SourceChange,
} from '../plan/plan-causes.ts'
import {
  formatChange,
  type PageChange,
  parseChange,
  type ReleasePlan,
  sumOutcomes,
  withRemoved,
} from '../plan/plan-release.ts'
import { createPartFile, joinSlices } from '../render/part-file.ts'
import { JOINED, type JoinedPart, type RangeOutcome } from '../render/share-work.ts'
import { type Release, type ReleaseFile, releaseFile } from './release.ts'

const FILES: Record<JoinedPart, ReleaseFile> = {
  pages: 'pages.tsv',
  changes: 'changes.tsv',
  former: 'former.tsv',
  qualities: 'quality.jsonl',
  pictures: 'pictures.jsonl',
}

/** Everything that several pages show, the templates included. */
export function* listSources(content: SiteContent, templateFingerprint: string): Generator<PageSource> {
  yield { key: 'template', label: 'templates', hash: templateFingerprint }
  yield* listPageSources(content)
}

/** Writes what the pages of a release are made of, for the next plan to say what is different. */
export function writeSources(release: Pick<Release, 'dir'>, sources: Iterable<PageSource>): void {
  const file = createPartFile(releaseFile(release, 'sources.tsv'))
  for (const source of sources) file.append(formatSource(source))
  file.close()
}

/**
 * Puts the parts of a release together: its pages, how they differ, the former addresses they name. Pages that the
 * release before had and this one has not are found here. Throws `SameAddress`.
 */
export function joinParts(
  release: Pick<Release, 'dir'>,
  outcomes: readonly RangeOutcome[],
  { before, changes }: { before: Release | undefined; changes: readonly SourceChange[] },
): ReleasePlan {
  for (const part of JOINED) {
    const slices = outcomes.map((outcome) => outcome[part])
    joinSlices(releaseFile(release, FILES[part]), slices)
  }
  writeRanges(release, outcomes)
  refuseSameAddresses(release, outcomes)
  const sum = sumOutcomes(outcomes)
  const plan = before ? addRemoved(sum, { before, release, changes }) : sum
  const pathOf = (key: string) => findChangeOf(release, key)?.path
  return { ...plan, causes: plan.causes.map((cause) => nameSinglePage(cause, pathOf)) }
}

function findChangeOf(release: Pick<Release, 'dir'>, cause: string): PageChange | undefined {
  for (const line of linesOf(releaseFile(release, 'changes.tsv'))) {
    const change = parseChange(line)
    if (change.causes.includes(cause)) return change
  }
  return undefined
}

// Where no page got an address none is there twice.
function refuseSameAddresses(release: Pick<Release, 'dir'>, outcomes: readonly RangeOutcome[]) {
  if (outcomes.every(({ counts, handedOver }) => counts.added + handedOver === 0)) return
  const seen = new Set<number>()
  for (const { path } of readRecords(releaseFile(release, 'pages.tsv'))) {
    const hash = pathHash(path)
    if (seen.has(hash)) throw new SameAddress(path)
    seen.add(hash)
  }
}

function addRemoved(
  plan: ReleasePlan,
  {
    before,
    release,
    changes,
  }: { before: Release; release: Pick<Release, 'dir'>; changes: readonly SourceChange[] },
): ReleasePlan {
  const causes = new Map<string, PlanCause>()
  let removed = 0
  const file = releaseFile(release, 'changes.tsv')
  for (const { path, key } of pagesGone(before, release, plan)) {
    const reasons = explainRemoval(key, changes)
    const change = { change: 'removed' as const, path, key, causes: reasons.map((one) => one.key) }
    appendFileSync(file, formatChange(change))
    for (const reason of reasons) {
      const pages = (causes.get(reason.key)?.pages ?? 0) + 1
      causes.set(reason.key, { ...reason, pages })
    }
    removed++
  }
  return withRemoved(plan, [...causes.values()], removed)
}

// When nothing was added and the number is what it was, nothing is gone.
function pagesGone(before: Release, release: Pick<Release, 'dir'>, plan: ReleasePlan): Iterable<PageRecord> {
  const records = () => readRecords(releaseFile(before, 'pages.tsv'))
  const count = records().reduce((sum) => sum + 1, 0)
  if (count === plan.changed + plan.unchanged) return []
  const there = new Set(readRecords(releaseFile(release, 'pages.tsv')).map(({ path }) => pathHash(path)))
  return records().filter(({ path }) => !there.has(pathHash(path)))
}

/** The location pages whose quality differs from what the release before knew. */
export function readQualities(release: Pick<Release, 'dir'>): Iterable<PageQuality> {
  return linesOf(releaseFile(release, 'quality.jsonl')).map((line) => JSON.parse(line))
}

/** What is drawn for where the pages of a release are shared, each picture once. */
export function readPictures(release: Pick<Release, 'dir'>): SharePicture[] {
  const pictures = new Map<string, SharePicture>()
  for (const line of linesOf(releaseFile(release, 'pictures.jsonl'))) {
    const picture: SharePicture = JSON.parse(line)
    pictures.set(picture.path, picture)
  }
  return [...pictures.values()]
}
