import { fileURLToPath } from 'node:url'
import type { Kysely } from 'kysely'
import { type Config, readConfig } from '../src/config.ts'
import { type SyncOptions, syncContent } from '../src/content-files/sync-content.ts'
import { migrate } from '../src/db/migrate.ts'
import type { Schema } from '../src/db/schema.ts'
import { openSecretBox } from '../src/db/secret-key-store.ts'
import { createProgress } from '../src/lib/progress.ts'
import { createSecretBox } from '../src/lib/secret-box.ts'
import { ensureBundle } from '../src/publish/bundle.ts'
import type { ReleasePlan } from '../src/publish/plan-release.ts'
import { planSite, publishSite } from '../src/publish/publish-site.ts'
import { runCommand } from './command-line.ts'
import { withDatabase, withUntouchedDatabase } from './open-database.ts'
import { reportQuality } from './report-quality.ts'
import { reportSync } from './report-sync.ts'

const PROJECT_DIR = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '')
const USAGE = 'npm run build [-- --full | --dry-run]'
const OPTIONS = {
  full: { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
} as const

await runCommand({ usage: USAGE, options: OPTIONS }, async ({ full, 'dry-run': dryRun }) => {
  const config = readConfig()
  if (dryRun) await withUntouchedDatabase(config.databaseUrl, (db) => planBuild(db, config, full))
  else await withDatabase(config.databaseUrl, (db) => build(db, config, full))
})

async function build(db: Kysely<Schema>, config: Config, full: boolean) {
  await migrate(db)
  await openSecretBox(db, config.secretKey)
  const result = await syncContent(db, syncOptions(config))
  reportSync(result, { contentDir: config.contentDir, dryRun: false })
  const startedAt = performance.now()
  const { kind, plan } = await publishSite(db, {
    full,
    projectDir: PROJECT_DIR,
    dataDir: config.dataDir,
    siteUrl: config.siteUrl,
    now: () => new Date(),
    progress: createProgress('Rendering pages'),
  })
  reportQuality(plan)
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
  console.log(
    `${kind === 'published' ? 'Published' : 'Nothing to publish'}: ${summaryOf(plan)} (${seconds} s)`,
  )
}

// The pages are planned on the database as the sync would leave it, before the sync is taken back.
async function planBuild(db: Kysely<Schema>, config: Config, full: boolean) {
  await ensureBundle(PROJECT_DIR)
  let plan: ReleasePlan | undefined
  const result = await syncContent(db, {
    ...syncOptions(config),
    dryRun: true,
    async inspect(synced) {
      plan = await planSite(synced, { ...config, projectDir: PROJECT_DIR, full })
    },
  })
  reportSync(result, { contentDir: config.contentDir, dryRun: true })
  if (!plan) return
  listChanges(plan)
  reportQuality(plan)
  console.log(`Would be published: ${summaryOf(plan)}`)
}

function syncOptions({ contentDir, secretKey }: Config): SyncOptions {
  return {
    contentDir,
    environment: process.env,
    secretBox: createSecretBox(secretKey),
    now: new Date(),
    progress: createProgress('Syncing content'),
  }
}

function listChanges({ added, changed, removed }: ReleasePlan) {
  for (const [word, paths] of Object.entries({ added, changed, removed })) {
    for (const path of paths) console.log(`${word.padEnd(8)} ${path}`)
  }
}

function summaryOf({ added, changed, removed, unchanged }: ReleasePlan): string {
  return `${added.length} pages added, ${changed.length} changed, ${removed.length} removed, ${unchanged.length} unchanged`
}
