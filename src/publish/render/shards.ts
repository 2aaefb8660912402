import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Db } from '../../db/schema.ts'
import { countShownEntries } from '../../entries/entry-schedule-store.ts'
import { makeFolder } from '../../lib/make-folder.ts'
import { listPageRanges } from '../../site/pages/list-pages.ts'
import { ledgerFile, openLedger } from '../ledger/ledger-store.ts'
import { savePages } from '../ledger/page-store.ts'
import { Stage } from '../ledger/stage-store.ts'
import type { PublishOptions } from '../publish-site.ts'
import { listOutput, otherFiles } from '../static-host/output-folder.ts'
import { ensureBundle } from './bundle.ts'
import { SHARD_SITE } from './rendered-pages.ts'
import { countJobs, openTeam, runShares } from './run-shares.ts'

/** One of several equal parts of a site, counted from 1. */
export interface Shard {
  number: number
  count: number
}

/**
 * Renders one part of the site into a folder, for a publish on another machine. Requires the same database, program,
 * and `siteUrl`. Returns the number of rendered pages. Throws if the folder contains something else.
 */
export async function renderShard(
  db: Db,
  options: Omit<PublishOptions, 'dataDir'>,
  { shard, folder }: { shard: Shard; folder: string },
): Promise<number> {
  const { siteUrl, databaseUrl, now, progress } = options
  const bundle = await ensureBundle(options.projectDir)
  const moment = now()
  const expected = Math.ceil((await countShownEntries(db, moment)) / shard.count)
  const jobs = countJobs(expected, options.jobs)
  await clearEarlierShard(folder)
  makeFolder(folder)
  using ledger = openLedger(ledgerFile(folder))
  await using team = await openTeam(db, { siteUrl, databaseUrl, now: moment, jobs })
  try {
    const fresh = {
      ...{
        full: true,
        readsFiles: false,
        previous: undefined,
        unknown: undefined,
        changes: [],
        rendered: [],
      },
      ...{
        templateFingerprint: bundle.fingerprint,
        templateParts: bundle.parts,
        ledgerFile: ledger.name,
        siteDir: join(folder, SHARD_SITE),
      },
    }
    const stage = new Stage(ledger)
    let done = 0
    const ranges = await listPageRanges(team.db, team.content)
    const mine = ranges.filter((_, range) => range % shard.count === shard.number - 1)
    await runShares(await team.start(fresh, ledger, bundle.folder), mine, (outcome) => {
      stage.add(outcome)
      done += outcome.pages.length
      progress.update(done, Math.max(done, expected))
    })
    savePages(ledger)
    return done
  } finally {
    progress.finish()
  }
}

async function clearEarlierShard(folder: string): Promise<void> {
  const names = await listOutput(folder)
  const ledger = basename(ledgerFile(folder))
  const known = [SHARD_SITE, ledger, `${ledger}-wal`, `${ledger}-shm`]
  if (names.length > 0 && !(names.includes(ledger) && names.every((name) => known.includes(name))))
    throw otherFiles(folder)
  await rm(folder, { recursive: true, force: true })
}
