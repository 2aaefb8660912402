import { readConfig } from '../src/config.ts'
import { migrate } from '../src/db/migrate.ts'
import { Failure } from '../src/lib/messages.ts'
import { publishTexts } from '../src/messages/command-line/content.ts'
import { usages, usageTexts } from '../src/messages/command-line/usage.ts'
import { findCurrentRelease, listReleases } from '../src/publish/release/release.ts'
import { type RollBackOutcome, rollBack } from '../src/publish/release/roll-back.ts'
import { openSharedSite } from '../src/publish/shared/shared-site.ts'
import { runCommand, WrongUsage } from './command-line.ts'
import { followLiveSite } from './follow-live-site.ts'
import { withDatabase } from './open-database.ts'

const OPTIONS = { to: { type: 'string' }, list: { type: 'boolean', default: false } } as const

await runCommand({ usage: usages.rollback, options: OPTIONS }, async ({ to, list }) => {
  const config = readConfig(undefined, { isReadOnly: list })
  const { dataDir, databaseUrl } = config
  if (list && to !== undefined) throw new WrongUsage(usageTexts.notTogether('--list', '--to'))
  if (list) return listAll(dataDir)
  await withDatabase(databaseUrl, async (db) => {
    await migrate(db)
    const now = new Date()
    const place = { dataDir, shared: openSharedSite(config) }
    console.log(describe(await rollBack(db, { ...place, to, starter: { startedBy: 'command' }, now }), to))
    await followLiveSite(db, config)
  })
})

async function listAll(dataDir: string) {
  const current = findCurrentRelease(dataDir)
  const releases = await listReleases(dataDir)
  if (releases.length === 0) console.log(publishTexts.noReleases)
  for (const { id } of releases) console.log(id === current?.id ? publishTexts.currentRelease(id) : id)
}

function describe(outcome: RollBackOutcome, to: string | undefined): string {
  switch (outcome.kind) {
    case 'rolled_back':
      return publishTexts.rolledBack(outcome.from.id, outcome.release.id)
    case 'current':
      return publishTexts.alreadyCurrent(outcome.release.id)
    case 'busy':
      throw new Failure(publishTexts, 'busy')
    case 'no_release':
      throw new Error(to === undefined ? publishTexts.noEarlierRelease : publishTexts.releaseUnknown(to))
  }
}
