import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../../db/schema.ts'
import { countShownEntries } from '../../entries/entry-schedule-store.ts'
import { makeFolder } from '../../lib/make-folder.ts'
import type { PublishOptions } from '../publish-site.ts'
import { listOutput, otherFiles } from '../static-host/output-folder.ts'
import { ensureBundle } from './bundle.ts'
import { joinSlices } from './part-file.ts'
import { SHARD_PAGES, SHARD_SITE } from './rendered-pages.ts'
import { countJobs, openTeam, runShares } from './run-shares.ts'

// Lists that are joined at the end; the first that a shard makes.
const PARTS = 'parts'

/** One of so many equal parts of a site, counted from 1. */
export interface Shard {
  number: number
  count: number
}

/**
 * Renders one part of the site into a folder, for a publish on another machine to take its pages from. It needs the same
 * database, program and `siteUrl`. Says how many pages it rendered. Throws when the folder holds something else.
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
  const partsDir = join(folder, PARTS)
  makeFolder(partsDir)
  const team = await openTeam(db, { siteUrl, databaseUrl, now: moment, jobs })
  try {
    const fresh = {
      full: true,
      previous: undefined,
      remade: [],
      changes: [],
      isContentSame: false,
      rendered: [],
    }
    const work = { templateFingerprint: bundle.fingerprint, partsDir }
    const shares = await team.start({ ...fresh, ...work, siteDir: join(folder, SHARD_SITE) }, bundle.folder)
    const outcomes = await runShares(team, shares, {
      isMine: (range) => range % shard.count === shard.number - 1,
      onPages: (done) => progress.update(done, Math.max(done, expected)),
    })
    joinSlices(
      join(folder, SHARD_PAGES),
      outcomes.map(({ pages }) => pages),
    )
    return outcomes.reduce((sum, { counts }) => sum + counts.added, 0)
  } finally {
    await team.close()
    await rm(partsDir, { recursive: true, force: true })
    progress.finish()
  }
}

async function clearEarlierShard(folder: string): Promise<void> {
  const names = await listOutput(folder)
  const isShard = names.includes(SHARD_PAGES) || names.includes(PARTS)
  const known = [SHARD_PAGES, SHARD_SITE, PARTS]
  if (names.length > 0 && !(isShard && names.every((name) => known.includes(name)))) throw otherFiles(folder)
  await rm(folder, { recursive: true, force: true })
}
