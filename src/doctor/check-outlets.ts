import type { Config } from '../config.ts'
import { listOutlets } from '../publish/outlets/outlet-store.ts'
import { findCurrentRelease } from '../publish/release/release.ts'
import { type Finding, ok, warning } from './finding.ts'
import { withDatabase } from './with-database.ts'

const NAME = 'outlets'

/** Returns whether the copies of the site outside are those of the live release. */
export async function checkOutlets(config: Config): Promise<Finding> {
  const { dataDir, publicBucket, purge, indexnow } = config
  if (!publicBucket && !purge && !indexnow) return ok(NAME, 'outletsNotSet')
  return withDatabase(NAME, config, async (db) => {
    const outlets = await listOutlets(db)
    const failed = outlets.find(({ status }) => status === 'failed')
    if (failed) return warning(NAME, 'outletFailed', failed.failureMessage ?? failed.name)
    if (!publicBucket) return ok(NAME, 'outletsNotSet')
    const upload = outlets.find(({ name }) => name === 'upload')
    const isBehind = upload?.releaseId !== findCurrentRelease(dataDir)?.id
    return isBehind ? warning(NAME, 'outletsBehind') : ok(NAME, 'outletsCurrent', upload?.releaseId ?? '')
  })
}
