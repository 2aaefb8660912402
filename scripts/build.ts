import { fileURLToPath } from 'node:url'
import type { Kysely } from 'kysely'
import { type Config, readConfig } from '../src/config.ts'
import { syncContent } from '../src/content-files/sync-content.ts'
import { connectDatabase } from '../src/db/connect.ts'
import { migrate } from '../src/db/migrate.ts'
import type { Schema } from '../src/db/schema.ts'
import { createProgress } from '../src/lib/progress.ts'
import { createSecretBox } from '../src/lib/secret-box.ts'
import type { ReleasePlan } from '../src/publish/plan-release.ts'
import { publishSite } from '../src/publish/publish-site.ts'
import { runCommand } from './command-line.ts'
import { reportSync } from './report-sync.ts'

const PROJECT_DIR = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '')
const USAGE = 'npm run build [-- --full] [-- --dry-run]'
const OPTIONS = {
  full: { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
} as const

const VERDICTS = { published: 'Published', unchanged: 'Nothing to publish', planned: 'Would be published' }

await runCommand({ usage: USAGE, options: OPTIONS }, async ({ full, 'dry-run': dryRun }) => {
  const config = readConfig()
  const db = connectDatabase(config.databaseUrl)
  try {
    await migrate(db)
    await sync(db, config, dryRun)
    await publish(db, config, { full, dryRun })
  } finally {
    await db.destroy()
  }
})

async function sync(db: Kysely<Schema>, { contentDir, secretKey }: Config, dryRun: boolean) {
  const result = await syncContent(db, {
    contentDir,
    environment: process.env,
    secretBox: createSecretBox(secretKey),
    now: new Date(),
    dryRun,
    progress: createProgress('Syncing content'),
  })
  reportSync(result, { contentDir, dryRun })
}

async function publish(db: Kysely<Schema>, config: Config, options: { full: boolean; dryRun: boolean }) {
  const startedAt = performance.now()
  const { kind, plan } = await publishSite(db, {
    ...options,
    projectDir: PROJECT_DIR,
    dataDir: config.dataDir,
    siteUrl: config.siteUrl,
    now: () => new Date(),
    progress: createProgress('Rendering pages'),
  })
  if (kind === 'planned') listChanges(plan)
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
  console.log(`${VERDICTS[kind]}: ${summaryOf(plan)} (${seconds} s)`)
}

function listChanges({ added, changed, removed }: ReleasePlan) {
  for (const [word, paths] of Object.entries({ added, changed, removed })) {
    for (const path of paths) console.log(`${word.padEnd(8)} ${path}`)
  }
}

function summaryOf({ added, changed, removed, unchanged }: ReleasePlan): string {
  return `${added.length} pages added, ${changed.length} changed, ${removed.length} removed, ${unchanged.length} unchanged`
}
