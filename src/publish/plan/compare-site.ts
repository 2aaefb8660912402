import type { Db } from '../../db/schema.ts'
import { listNamesById } from '../../entries/entry-lookup-store.ts'
import { chunksOf } from '../../lib/in-parts.ts'
import type { SiteContent } from '../../site/content/site-content.ts'
import { listPageRanges, type PageRange } from '../../site/pages/list-pages.ts'
import { changeMark } from '../../site/sources/entry-marks.ts'
import { listPageSources, type PageSource } from '../../site/sources/page-sources.ts'
import type { LogPosition } from '../changes/change-store.ts'
import type { ChangeScope, Scope } from '../changes/scope.ts'
import { listOwnSources, listSources } from '../ledger/file-store.ts'
import type { Ledger, ReleaseFacts } from '../ledger/ledger-store.ts'
import { Stage } from '../ledger/stage-store.ts'
import { addQuality, NO_QUALITY, type QualitySummary, withClosestOf } from '../quality-summary.ts'
import type { Release } from '../release/release.ts'
import type { Bundle } from '../render/bundle.ts'
import { contentForOwnPages, readsOfSources, sourcesOfReads } from '../render/own-reads.ts'
import { runShares, type Team } from '../render/run-shares.ts'
import type { PageShare, ShareOptions } from '../render/share-work.ts'
import {
  AGAIN,
  compareSources,
  explainRemoval,
  FIRST,
  FULL,
  type PlanCause,
  type SourceChange,
  withPageNames,
} from './plan-causes.ts'
import type { ReleasePlan } from './plan-release.ts'

/** Release to compare with. */
export interface Before {
  ledger: Ledger
  /** The current release. */
  release: Release | undefined
  /** The ledger's record of it; undefined for an unknown release. */
  facts: ReleaseFacts | undefined
  /** Compares its files by bytes instead of only by size. */
  readsFiles?: boolean | undefined
}

/** Content for a new release. */
export interface Wanted {
  bundle: Bundle
  /** See `programOf`. */
  program: string
  /** Position of the log when the content was read. */
  position: LogPosition
  /** True for the live content with what a schedule or a person publishes. */
  partial?: 'schedule' | 'selected' | undefined
  /** Changes of the log after the live release that are included, if it is based on the live content. */
  ahead?: ReleaseFacts['ahead']
  scope: Scope
}

export interface Comparison extends Wanted {
  before: Before
  full?: boolean | undefined
  shards?: readonly string[] | undefined
  /** Folder for rendered pages; without it, none are rendered. */
  siteDir: string | undefined
  /** Notes neither the links of rendered pages nor why pages differ. */
  onlyPages?: boolean | undefined
  onPages: (done: number) => void
}

/** Differences between the site and the current release. */
export interface Compared {
  plan: ReleasePlan
  stage: Stage
  shares: readonly PageShare[]
  sources: readonly PageSource[]
  /** Sources of the next release. */
  facts: Omit<ReleaseFacts, 'liveBytes'>
}

/** Compares the pages in a scope with the current release and renders those that differ. */
export async function compareSite(team: Team, comparison: Comparison): Promise<Compared> {
  const { bundle, before, scope, full = false, onPages } = comparison
  const { ledger } = before
  const isWhole = scope.kind === 'all'
  const shown = isWhole ? [...sourcesOf(team.content, bundle)] : scope.sources
  const known = isWhole ? await sourcesOfOwnPages(team, ledger) : []
  const now = { sources: [...shown, ...known], full, content: team.content }
  const changes = isWhole ? findChanges(before, now) : [...scope.changes]
  const shares = await team.start(optionsOf(comparison, changes), ledger, bundle.folder)
  const stage = new Stage(ledger)
  let quality = NO_QUALITY
  let done = 0
  const own = bundle.hasOwnPages ? [{ kind: 'own' as const }] : []
  const ranges = isWhole ? [...own, ...(await listPageRanges(team.db, team.content))] : rangesOf(scope)
  const sources = [...shown]
  await runShares(shares, ranges, (outcome) => {
    stage.add(outcome)
    sources.push(...outcome.reads)
    quality = addQuality(quality, outcome.quality)
    done += outcome.pages.length
    onPages(done)
  })
  if (isWhole)
    for (const { path, key } of stage.findRemoved()) stage.explain(path, explainRemoval(key, changes))
  const causes = await nameCauses(team.db, stage.listCauses())
  return { stage, shares, sources, ...sumUp(team.content, comparison, { stage, quality, causes }) }
}

async function nameCauses(db: Db, causes: PlanCause[]): Promise<PlanCause[]> {
  const names = await listNamesById(
    db,
    causes.flatMap(({ entryId }) => entryId ?? []),
  )
  return withPageNames(causes, new Map([...names].map(([id, { name }]) => [id, name])))
}

function optionsOf(
  { bundle, before, full = false, shards: rendered = [], siteDir, onlyPages }: Comparison,
  changes: SourceChange[],
): ShareOptions {
  const { ledger, release, facts, readsFiles = false } = before
  return {
    ...{ templateFingerprint: bundle.fingerprint, templateParts: bundle.parts },
    ...{ full, changes, rendered, siteDir, onlyPages, readsFiles, ledgerFile: ledger.name },
    ...{ previous: facts && release, unknown: facts ? undefined : release },
  }
}

function rangesOf({ entryIds, hasOverviews }: ChangeScope): PageRange[] {
  const entries = chunksOf(entryIds).map((ids) => ({ kind: 'some' as const, entryIds: ids }))
  return [...(hasOverviews ? [{ kind: 'overviews' as const }] : []), ...entries]
}

function sumUp(
  { layout, drawsPlaces, archives, shownAt }: SiteContent,
  { before, scope, program, position, partial, ahead }: Comparison,
  { stage, quality, causes }: { stage: Stage; quality: QualitySummary; causes: PlanCause[] },
): Pick<Compared, 'plan' | 'facts'> {
  const counts = stage.count()
  const now = stage.countNow()
  const { facts } = before
  // Other changes were left out, so they count as saved after the release.
  const seen = partial && facts
  const moment = { position: seen?.position ?? position, shownAt: seen?.shownAt ?? shownAt.toISOString() }
  if (scope.kind === 'all' || !facts) {
    const { pages, bytes, listed } = now
    const known = { areas: layout.areas, drawsPlaces, hasArchives: archives.length > 0 }
    return {
      plan: { ...counts, causes, quality },
      facts: {
        ...{ program, ...known, pages, bytes, listed, quality },
        ...moment,
        ...(seen && ahead && { ahead }),
      },
    }
  }
  const was = stage.countBefore()
  const others = { pages: facts.pages - was.pages, bytes: facts.bytes - was.bytes }
  const all = withClosestOf(
    {
      ...facts.quality,
      unlisted: facts.quality.unlisted + was.listed - now.listed,
      closest: quality.closest,
    },
    facts.quality,
    stage.listQualities(),
  )
  const [pages, bytes] = [others.pages + now.pages, others.bytes + now.bytes]
  const listed = facts.listed - was.listed + now.listed
  return {
    plan: { ...counts, unchanged: counts.unchanged + others.pages, bytes, causes, quality: all },
    facts: {
      ...facts,
      ...moment,
      ahead: (seen && ahead) ?? [],
      pages,
      bytes,
      listed,
      quality: all,
    },
  }
}

// Current values; the earlier ones are in the ledger.
function sourcesOfOwnPages({ db, content }: Team, ledger: Ledger): Promise<PageSource[]> {
  return sourcesOfReads(contentForOwnPages(db, content), readsOfSources(listOwnSources(ledger).keys()))
}

/** Everything shown by several pages, including the templates. */
function* sourcesOf(content: SiteContent, { fingerprint, parts }: Bundle): Generator<PageSource> {
  const own = Object.keys(parts).length > 0 ? JSON.stringify(parts) : ''
  yield { key: 'template', label: 'templates', hash: own ? changeMark([fingerprint, own]) : fingerprint }
  yield* listPageSources(content)
}

function findChanges(
  { ledger, release, facts }: Before,
  { sources, full, content }: { sources: readonly PageSource[]; full: boolean; content: SiteContent },
): SourceChange[] {
  if (!facts) return [release ? AGAIN : FIRST]
  const changes = compareSources(listSources(ledger), sources, (id) => content.locations.byId.has(id))
  return full ? [FULL, ...changes] : changes
}
