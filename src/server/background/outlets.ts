import type { Kysely } from 'kysely'
import type { Config } from '../../config.ts'
import type { Schema } from '../../db/schema.ts'
import type { FileStore } from '../../files/file-store.ts'
import { createLoop, type Loop } from '../../lib/background/loop.ts'
import type { Log } from '../../lib/log.ts'
import { logTexts } from '../../messages/server/log.ts'
import { openTargets } from '../../publish/outlets/outlet-targets.ts'
import { runOutlets } from '../../publish/outlets/run-outlets.ts'
import { openSharedSite } from '../../publish/shared/shared-site.ts'

// Any process of any server may publish or roll back.
const LOOK_EVERY_MS = 3_000

interface OutletOptions {
  db: Kysely<Schema>
  config: Config
  files: FileStore
  now: () => Date
  log: Pick<Log, 'error'>
}

/** Copies each release to the public bucket and notifies CDN and search engines; undefined if none is configured. */
export function createOutlets({ db, config, files, now, log }: OutletOptions): Loop | undefined {
  const targets = openTargets(config, { files })
  if (!targets) return undefined
  const place = { dataDir: config.dataDir, shared: openSharedSite(config) }
  return createLoop({
    everyMs: LOOK_EVERY_MS,
    async turn(signal) {
      await runOutlets({ db, ...place, targets }, { now, signal })
    },
    failure: logTexts.outletsFailed,
    log,
  })
}
