import { basename } from 'node:path'
import { contentDigest } from '../../site/content/content-digest.ts'
import type { SiteContent } from '../../site/content/site-content.ts'
import { listPageSources, type PageSource } from '../../site/pages/page-sources.ts'
import { listSources } from '../ledger/file-store.ts'
import type { Ledger, ReleaseFacts } from '../ledger/ledger-store.ts'
import { Stage } from '../ledger/stage-store.ts'
import { addQuality, NO_QUALITY, withClosestOf } from '../quality-summary.ts'
import type { Release } from '../release/release.ts'
import type { Bundle } from '../render/bundle.ts'
import { runShares, type Team } from '../render/run-shares.ts'
import type { PageShare } from '../render/share-work.ts'
import { AGAIN, compareSources, explainRemoval, FIRST, FULL, type SourceChange } from './plan-causes.ts'
import type { ReleasePlan } from './plan-release.ts'

/** What a release is compared with. */
export interface Before {
  ledger: Ledger
  /** The current release. */
  release: Release | undefined
  /** What the ledger knows of it; undefined for a release that it does not know. */
  facts: ReleaseFacts | undefined
}

export interface Comparison {
  before: Before
  bundle: Bundle
  full?: boolean | undefined
  shards?: readonly string[] | undefined
  /** Where rendered pages go; without it none is rendered. */
  siteDir: string | undefined
  onPages: (done: number) => void
}

/** How the site differs from the current release. */
export interface Compared {
  plan: ReleasePlan
  stage: Stage
  shares: readonly PageShare[]
  sources: PageSource[]
  facts: ReleaseFacts
}

/** Compares every page with the current release, and renders those that differ. */
export async function compareSite(team: Team, comparison: Comparison): Promise<Compared> {
  const { bundle, before, full = false, shards: rendered = [], siteDir, onPages } = comparison
  const { ledger, release, facts } = before
  const sources = [...sourcesOf(team.content, bundle)]
  const changes = findChanges(before, { sources, full })
  const content = `${basename(bundle.folder)} ${bundle.fingerprint} ${contentDigest(team.content)}`
  const isContentSame = facts?.content === content
  const options = {
    ...{ templateFingerprint: bundle.fingerprint, full, changes, isContentSame, rendered, siteDir },
    ...{ previous: facts && release, unknown: facts ? undefined : release, ledgerFile: ledger.name },
  }
  const shares = await team.start(options, ledger, bundle.folder)
  const stage = new Stage(ledger)
  let quality = NO_QUALITY
  let done = 0
  await runShares(team, shares, {
    add(outcome) {
      stage.add(outcome)
      quality = addQuality(quality, outcome.quality)
      done += outcome.kept?.pages ?? outcome.pages.length
      onPages(done)
    },
  })
  for (const { path, key } of stage.findRemoved()) stage.explain(path, explainRemoval(key, changes))
  if (isContentSame) quality = withClosestOf(quality, facts.quality, stage.listQualities())
  const plan = { ...stage.count(), causes: stage.listCauses(), quality }
  return { plan, stage, shares, sources, facts: { content, quality } }
}

/** Everything that several pages show, the templates included. */
function* sourcesOf(content: SiteContent, { fingerprint }: Bundle): Generator<PageSource> {
  yield { key: 'template', label: 'templates', hash: fingerprint }
  yield* listPageSources(content)
}

function findChanges(
  { ledger, release, facts }: Before,
  { sources, full }: { sources: readonly PageSource[]; full: boolean },
): SourceChange[] {
  if (!facts) return [release ? AGAIN : FIRST]
  const changes = compareSources(listSources(ledger), sources)
  return full ? [FULL, ...changes] : changes
}
