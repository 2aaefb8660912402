import { readConfig } from '../src/config.ts'
import { migrate } from '../src/db/migrate.ts'
import { openFileStore } from '../src/files/open-file-store.ts'
import { Failure } from '../src/lib/messages.ts'
import { createProgress } from '../src/lib/progress.ts'
import { usages, usageTexts } from '../src/messages/command-line/usage.ts'
import { outletTexts } from '../src/messages/server/outlets.ts'
import { openTargets } from '../src/publish/outlets/outlet-targets.ts'
import { planOutlets } from '../src/publish/outlets/plan-outlets.ts'
import { type RunOutcome, runOutlets } from '../src/publish/outlets/run-outlets.ts'
import { findCurrentRelease } from '../src/publish/release/release.ts'
import { openSharedSite } from '../src/publish/shared/shared-site.ts'
import { runCommand, WrongUsage } from './command-line.ts'
import { withDatabase } from './open-database.ts'

const OPTIONS = {
  'dry-run': { type: 'boolean', default: false },
  repair: { type: 'boolean', default: false },
  'allow-removals': { type: 'boolean', default: false },
} as const

await runCommand({ usage: usages.publishTo, options: OPTIONS }, async (given) => {
  const { 'dry-run': isDryRun, repair: isRepair, 'allow-removals': allowRemovals } = given
  if (isDryRun && allowRemovals) throw new WrongUsage(usageTexts.notTogether('--allow-removals', '--dry-run'))
  const config = readConfig(undefined, { isReadOnly: isDryRun })
  const { dataDir, databaseUrl, filePlace } = config
  const targets = openTargets(config, { files: openFileStore(filePlace, { dataDir }) })
  if (!targets) throw new Failure(outletTexts, 'nothingSet')
  if (!findCurrentRelease(dataDir)) throw new Failure(outletTexts, 'noRelease')
  const hasBucket = targets.bucket !== undefined
  if (isDryRun) {
    if (!hasBucket) return console.log(outletTexts.noBucket)
    const { written, removed } = await planOutlets({ dataDir, targets }, { isRepair })
    for (const key of written) console.log(`write   ${key}`)
    for (const key of removed) console.log(`remove  ${key}`)
    return console.log(outletTexts.wouldUpload(written.length, removed.length))
  }
  await withDatabase(databaseUrl, async (db) => {
    await migrate(db)
    const progress = createProgress(outletTexts.uploading)
    const onStep = (done: number, total: number) => progress.update(done, total)
    const options = { now: () => new Date(), isForced: true, isRepair, allowRemovals, onStep }
    const outcome = await runOutlets({ db, dataDir, shared: openSharedSite(config), targets }, options)
    progress.finish()
    tell(outcome, hasBucket)
  })
})

function tell({ kind, written, removed, told, others }: RunOutcome, hasBucket: boolean) {
  if (kind === 'busy') throw new Failure(outletTexts, 'busy')
  // Finding no differences is success; finding another server's site is not.
  if (kind === 'idle') throw new Failure(outletTexts, 'elsewhere')
  const isSame = written + removed === 0
  if (hasBucket) console.log(isSame ? outletTexts.upToDate : outletTexts.uploaded(written, removed))
  else if (told.purge + told.indexnow === 0) console.log(outletTexts.nothingToSend)
  if (others > 0) console.log(outletTexts.others(others))
  for (const [name, count] of Object.entries(told)) if (count > 0) console.log(outletTexts.told(name, count))
}
