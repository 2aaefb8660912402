import { readConfig } from '../src/config.ts'
import { migrate } from '../src/db/migrate.ts'
import { findCurrentRelease, listReleases } from '../src/publish/release/release.ts'
import { type RollBackOutcome, rollBack } from '../src/publish/release/roll-back.ts'
import { runCommand, WrongUsage } from './command-line.ts'
import { withDatabase } from './open-database.ts'

const USAGE = 'npm run rollback [-- --to RELEASE | --list]'
const OPTIONS = { to: { type: 'string' }, list: { type: 'boolean', default: false } } as const

await runCommand({ usage: USAGE, options: OPTIONS }, async ({ to, list }) => {
  const { dataDir, databaseUrl } = readConfig(undefined, { isReadOnly: list })
  if (list && to !== undefined) throw new WrongUsage('--list and --to do not go together')
  if (list) return listAll(dataDir)
  await withDatabase(databaseUrl, async (db) => {
    await migrate(db)
    const now = new Date()
    console.log(describe(await rollBack(db, { dataDir, to, starter: { startedBy: 'command' }, now }), to))
  })
})

async function listAll(dataDir: string) {
  const current = findCurrentRelease(dataDir)
  const releases = await listReleases(dataDir)
  if (releases.length === 0) console.log('There is no release yet; npm run build makes one')
  for (const { id } of releases) console.log(id === current?.id ? `${id} (current)` : id)
}

function describe(outcome: RollBackOutcome, to: string | undefined): string {
  switch (outcome.kind) {
    case 'rolled_back':
      return `Rolled back from ${outcome.from.id} to ${outcome.release.id}. The site stays there until you publish: npm run build`
    case 'current':
      return `${outcome.release.id} is the current release already`
    case 'busy':
      throw new Error('A publish is under way; roll back when it is done')
    case 'no_release':
      throw new Error(
        to === undefined
          ? 'There is no earlier release to go back to'
          : `There is no release ${to}; npm run rollback -- --list shows those that are kept`,
      )
  }
}
