import type { Config } from '../../config.ts'
import { findNeededRewrite } from '../../privacy/erasure-store.ts'
import { createCleanUp } from './clean-up.ts'
import { createErasures, type ErasuresOptions } from './erasures.ts'

/** Creates the workers that erase people and purge removed data from the database file. */
export function openRemoving(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  parts: Omit<ErasuresOptions, 'cleanUp'> & Pick<Parameters<typeof createCleanUp>[0], 'searchIndex'>,
) {
  const findNeeded = () => findNeededRewrite(parts.db)
  const cleanUp = createCleanUp({ ...parts, databaseUrl, dataDir, findNeededRewrite: findNeeded })
  return { cleanUp, erasures: createErasures({ ...parts, cleanUp }) }
}
