import type { Kysely } from 'kysely'
import { type Config, readConfig } from '../src/config.ts'
import { syncContent } from '../src/content-files/syncing/sync-content.ts'
import type { SyncOptions } from '../src/content-files/syncing/sync-options.ts'
import { migrate } from '../src/db/migrate.ts'
import type { Db, Schema } from '../src/db/schema.ts'
import { openSecretBox } from '../src/db/secret-key-store.ts'
import { createRingBox } from '../src/lib/key-ring.ts'
import { SITE_DIR } from '../src/lib/program/folders.ts'
import { createProgress } from '../src/lib/progress.ts'
import { describeNotice } from '../src/messages/admin/notices.ts'
import { contentTexts, publishTexts } from '../src/messages/command-line/content.ts'
import { usages, usageTexts } from '../src/messages/command-line/usage.ts'
import { openPictureFiles } from '../src/pictures/picture-files.ts'
import { findNotices } from '../src/publish/notices/find-notices.ts'
import type { PageChange, ReleasePlan } from '../src/publish/plan/plan-release.ts'
import { planSite, publishSite, publishUnlessHeldBack } from '../src/publish/publish-site.ts'
import type { PublishOutcome, Starter } from '../src/publish/record-publish.ts'
import type { Release } from '../src/publish/release/release.ts'
import { ensureBundle } from '../src/publish/render/bundle.ts'
import { refuseNoShards } from '../src/publish/render/rendered-pages.ts'
import { renderShard, type Shard } from '../src/publish/render/shards.ts'
import { openSharedSite, serverOfContent } from '../src/publish/shared/shared-site.ts'
import { policyOfOwnPages } from '../src/publish/static-host/own-policy.ts'
import { copyRelease } from '../src/publish/static-host/static-copy.ts'
import { readState } from '../src/publish/static-host/static-copy-state.ts'
import { askServer } from '../src/publish/warm/command-socket.ts'
import { securityHeaders } from '../src/server/http/security-headers.ts'
import { findSiteSettings } from '../src/site/settings/site-settings-store.ts'
import { joinPolicies } from '../src/site/tags/inline-policy.ts'
import { policyOfTags } from '../src/site/tags/site-tags.ts'
import { SECURITY_TEXT_PATH, securityText } from '../src/site/well-known/security-text.ts'
import { runCommand, WrongUsage } from './command-line.ts'
import { followLiveSite } from './follow-live-site.ts'
import { withCurrentDatabase, withDatabase, withUntouchedDatabase } from './open-database.ts'
import { reportCauses } from './report-causes.ts'
import { withNotes } from './report-notes.ts'
import { listClosest, reportQuality } from './report-quality.ts'
import { reportSync } from './report-sync.ts'

const STARTERS = ['command', 'start'] as const
const MAX_JOBS = 64
const OPTIONS = {
  full: { type: 'boolean', default: false },
  jobs: { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
  out: { type: 'string' },
  shard: { type: 'string' },
  to: { type: 'string' },
  join: { type: 'string', multiple: true },
  // The arguments used by a starting server.
  'started-by': { type: 'string', default: 'command' },
} as const

interface BuildOptions {
  full: boolean
  jobs: number | undefined
  starter: Starter
  /** Folder that static hosts publish from. */
  outDir: string | undefined
  /** Folders written with `--shard`. */
  shards: string[] | undefined
}

/** Command-line options that select the kind of build. */
interface Given {
  dryRun: boolean
  out?: string | undefined
  shard?: string | undefined
  to?: string | undefined
  join?: string[] | undefined
}

await runCommand(
  { usage: usages.build, options: OPTIONS },
  async ({ full, jobs, 'dry-run': dryRun, ...rest }) => {
    const config = readConfig(undefined, { isReadOnly: dryRun })
    const options = {
      full,
      jobs: jobs === undefined ? undefined : parseJobs(jobs),
      starter: parseStarter(rest['started-by']),
      outDir: rest.out,
      shards: rest.join,
    }
    refuseContradictions({ dryRun, ...rest })
    refuseNoShards(rest.join ?? [])
    if (rest.out !== undefined) await readState(rest.out)
    const shard = rest.shard === undefined ? undefined : parseShard(rest.shard, rest.to)
    await withNotes(SITE_DIR, async () => {
      if (shard) await buildShard(config, options, shard)
      else if (dryRun) await withUntouchedDatabase(config.databaseUrl, (db) => planBuild(db, config, options))
      else await withDatabase(config.databaseUrl, (db) => build(db, config, options))
    })
  },
)

function refuseContradictions({ dryRun, out, shard, to, join }: Given) {
  const alone = dryRun ? '--dry-run' : shard === undefined ? undefined : '--shard'
  const others = Object.entries({ out, join, shard: dryRun ? shard : undefined })
  const [second] = others.find(([, value]) => value !== undefined) ?? []
  if (alone && second) throw new WrongUsage(usageTexts.notTogether(`--${second}`, alone))
  if (to !== undefined && shard === undefined) throw new WrongUsage(usageTexts.needs('--to', '--shard'))
}

function parseJobs(text: string): number {
  const jobs = Number(text)
  if (Number.isInteger(jobs) && jobs >= 1 && jobs <= MAX_JOBS) return jobs
  throw new WrongUsage(usageTexts.jobsInvalid(MAX_JOBS))
}

function parseShard(text: string, folder: string | undefined): { shard: Shard; folder: string } {
  const [, number, count] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(text)?.map(Number) ?? []
  if (!number || !count || number > count) throw new WrongUsage(usageTexts.shardInvalid)
  if (folder === undefined) throw new WrongUsage(usageTexts.shardWithoutFolder)
  return { shard: { number, count }, folder }
}

// The content comes from the database, because all machines must see the same.
async function buildShard(config: Config, { jobs }: BuildOptions, part: { shard: Shard; folder: string }) {
  await withCurrentDatabase(config.databaseUrl, async (db) => {
    const progress = createProgress(publishTexts.rendering)
    const { siteUrl, databaseUrl } = config
    const now = () => new Date()
    const options = { projectDir: SITE_DIR, siteUrl, databaseUrl, jobs, now, progress }
    const pages = await renderShard(db, options, part)
    console.log(publishTexts.shardReady(pages, part.folder))
  })
}

function parseStarter(text: string): Starter {
  const startedBy = STARTERS.find((starter) => starter === text)
  if (!startedBy) throw new WrongUsage(usageTexts.starterInvalid(STARTERS.join(', ')))
  return { startedBy }
}

async function build(db: Kysely<Schema>, config: Config, options: BuildOptions) {
  await migrate(db)
  await openSecretBox(db, config.secretKeys)
  const left = await syncAndReport(db, config, options)
  await publish(db, config, options)
  if (options.starter.startedBy === 'command') await followLiveSite(db, config)
  if (left && options.starter.startedBy === 'start') console.error(left)
  else if (left) throw new Error(left)
}

async function syncAndReport(db: Kysely<Schema>, config: Config, { starter }: BuildOptions) {
  const { contentDir, dataDir, contentSync } = config
  if (contentSync === 'off' && starter.startedBy === 'start') return undefined
  return reportSync(db, await syncContent(db, syncOptions(config)), { contentDir, dataDir, dryRun: false })
}

async function publish(db: Kysely<Schema>, config: Config, options: BuildOptions) {
  const startedAt = performance.now()
  const outcome = await publishHereOrInServer(db, config, options)
  if (!outcome) return console.log(publishTexts.heldBack)
  const { kind, release, plan, brokenLinks, copiedPages, problems } = outcome
  for (const problem of problems) console.log(problem)
  reportQuality(plan)
  for (const notice of await findNotices(db)) console.log(describeNotice(notice))
  for (const { page, target } of brokenLinks) console.log(publishTexts.brokenLink(page, target))
  if (copiedPages > 0) console.log(publishTexts.copied(copiedPages))
  reportCauses(plan)
  const tell = kind === 'published' ? publishTexts.published : publishTexts.nothingToPublish
  console.log(tell(summaryOf(plan), ((performance.now() - startedAt) / 1_000).toFixed(1)))
  if (options.outDir !== undefined) await writeCopy(db, release, options.outDir, config)
}

// A running server already has in memory what a small publish needs. It may not see the folders of shards.
async function publishHereOrInServer(
  db: Db,
  { dataDir, siteUrl, databaseUrl, filePlace }: Config,
  { full, jobs, shards, starter }: BuildOptions,
): Promise<PublishOutcome | undefined> {
  const progress = createProgress(publishTexts.rendering)
  const site = { projectDir: SITE_DIR, dataDir, siteUrl, databaseUrl }
  if (starter.startedBy === 'command' && !shards) {
    const outcome = await askServer(site, { ...starter, full, jobs }, progress)
    if (outcome) return outcome
  }
  const start = starter.startedBy === 'start' ? publishUnlessHeldBack : publishSite
  const shared = openSharedSite({ ...site, filePlace })
  return start(db, { ...site, shared, full, jobs, shards, starter, now: () => new Date(), progress })
}

async function writeCopy(
  db: Db,
  release: Release,
  outDir: string,
  { dataDir, siteUrl, securityContact: contact }: Pick<Config, 'dataDir' | 'siteUrl' | 'securityContact'>,
) {
  const security = contact && securityText({ contact, siteUrl }, new Date())
  const tags = policyOfTags((await findSiteSettings(db)).tags)
  const { added, changed, removed } = await copyRelease(release, {
    dataDir,
    outDir,
    siteUrl,
    headers: securityHeaders({ siteUrl, tags: joinPolicies([tags, policyOfOwnPages(release, { dataDir })]) }),
    ...(security && { texts: new Map([[SECURITY_TEXT_PATH.slice(1), security]]) }),
  })
  const counts = { added: added.length, changed: changed.length, removed: removed.length }
  console.log(publishTexts.exported(outDir, counts))
}

// Plans the pages on the database as the sync would leave it, before the sync is rolled back.
async function planBuild(db: Kysely<Schema>, config: Config, { full }: BuildOptions) {
  await ensureBundle(SITE_DIR)
  let plan: ReleasePlan | undefined
  const result = await syncContent(db, {
    ...syncOptions(config),
    dryRun: true,
    async inspect(synced) {
      const { dataDir, siteUrl } = config
      plan = await planSite(synced, {
        dataDir,
        siteUrl,
        projectDir: SITE_DIR,
        full,
        onChange: printChange,
      })
    },
  })
  const { contentDir, dataDir } = config
  const left = await reportSync(db, result, { contentDir, dataDir, dryRun: true })
  if (plan) {
    reportCauses(plan)
    listClosest(plan)
    console.log(publishTexts.wouldPublish(summaryOf(plan)))
  }
  if (left) throw new Error(left)
}

function syncOptions(config: Config): SyncOptions {
  return {
    server: serverOfContent(config),
    contentDir: config.contentDir,
    pictureFiles: openPictureFiles(config.dataDir, openSharedSite(config)?.files),
    environment: process.env,
    secretBox: createRingBox(config.secretKeys),
    now: new Date(),
    progress: createProgress(contentTexts.syncing),
  }
}

function printChange({ change, path }: PageChange) {
  console.log(`${change.padEnd(8)} ${path}`)
}

function summaryOf(plan: ReleasePlan): string {
  return publishTexts.pages(plan, plan.unchanged)
}
