import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { contentDigest } from '../../site/content/content-digest.ts'
import { type QualitySummary, withClosestOf } from '../quality-summary.ts'
import type { EarlierReleases } from '../release/earlier-releases.ts'
import { type Release, releaseFile } from '../release/release.ts'
import { joinParts, listSources, readQualities, writeSources } from '../release/release-parts.ts'
import type { Bundle } from '../render/bundle.ts'
import { runShares, type Team } from '../render/run-shares.ts'
import { AGAIN, compareSources, FULL, type SourceChange } from './plan-causes.ts'

export interface Comparison extends EarlierReleases {
  bundle: Bundle
  full?: boolean | undefined
  shards?: readonly string[] | undefined
  /** Where the lists go. */
  dir: string
  /** Where rendered pages go; without it none is rendered. */
  siteDir: string | undefined
  onPages: (done: number) => void
}

/** Compares every page with the current release, and renders those that differ. */
export async function compareSite(team: Team, comparison: Comparison) {
  const { bundle, before, remade, full = false, shards: rendered = [], dir, siteDir, onPages } = comparison
  const partsDir = join(dir, 'parts')
  await mkdir(partsDir)
  const { content } = team
  const changes = findChanges(team, { bundle, before, remade, full })
  writeSources({ dir }, listSources(content, bundle.fingerprint))
  const madeOf = before && readMadeOf(before)
  const digest = `${basename(bundle.folder)} ${bundle.fingerprint} ${contentDigest(content)}`
  const isContentSame = madeOf?.content === digest
  const shares = await team.start(
    {
      templateFingerprint: bundle.fingerprint,
      full,
      previous: before,
      remade,
      changes,
      isContentSame,
      rendered,
      partsDir,
      siteDir,
    },
    bundle.folder,
  )
  const outcomes = await runShares(team, shares, { onPages })
  const plan = joinParts({ dir }, outcomes, { before, changes })
  if (isContentSame) plan.quality = withClosestOf(plan.quality, madeOf.quality, readQualities({ dir }))
  writeMadeOf({ dir }, { content: digest, quality: plan.quality })
  return { plan, shares, handedOver: outcomes.reduce((sum, one) => sum + one.handedOver, 0) }
}

function findChanges(
  { content }: Team,
  { bundle, before, remade, full }: Pick<Comparison, 'bundle' | 'before' | 'remade' | 'full'>,
): SourceChange[] {
  if (remade.length > 0) return [AGAIN]
  const file = before && releaseFile(before, 'sources.tsv')
  const changes = compareSources(file, listSources(content, bundle.fingerprint))
  return full && before ? [FULL, ...changes] : changes
}

/** What a release was made of and found, as its `made-of.json` keeps it. */
export interface MadeOf {
  /** Of all content that several pages show, and of the program. */
  content: string
  quality: QualitySummary
}

function writeMadeOf(release: Pick<Release, 'dir'>, madeOf: MadeOf): void {
  writeFileSync(releaseFile(release, 'made-of.json'), `${JSON.stringify(madeOf)}\n`)
}

/** Undefined for a release of an older program. */
function readMadeOf(release: Release): MadeOf | undefined {
  const file = releaseFile(release, 'made-of.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}
