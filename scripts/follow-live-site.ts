import type { Kysely } from 'kysely'
import type { Config } from '../src/config.ts'
import type { Schema } from '../src/db/schema.ts'
import { openFileStore } from '../src/files/open-file-store.ts'
import { describeOutlet } from '../src/messages/server/outlets.ts'
import { listOutlets } from '../src/publish/outlets/outlet-store.ts'
import { openTargets } from '../src/publish/outlets/outlet-targets.ts'
import { runOutlets } from '../src/publish/outlets/run-outlets.ts'
import { shownOutlets } from '../src/publish/outlets/shown-outlets.ts'
import { openSharedSite } from '../src/publish/shared/shared-site.ts'

/**
 * Updates external copies after a command has switched the live site. Failures are reported but don't affect the
 * live site: the server or the next command tries again.
 */
export async function followLiveSite(db: Kysely<Schema>, config: Config): Promise<void> {
  const { dataDir, filePlace } = config
  const targets = openTargets(config, { files: openFileStore(filePlace, { dataDir }) })
  if (!targets) return
  const { kind } = await runOutlets(
    { db, dataDir, shared: openSharedSite(config), targets },
    { now: () => new Date() },
  )
  if (kind === 'busy') return
  for (const outlet of shownOutlets(await listOutlets(db), config)) {
    const text = describeOutlet(outlet)
    if (outlet.status === 'failed') console.error(text)
    else if (kind === 'done') console.log(text)
  }
}
