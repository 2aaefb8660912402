import type { Config } from '../config.ts'
import { countSeals } from '../secret-keys/reseal-secrets.ts'
import { howToFinish } from '../secret-keys/rotate-key.ts'
import { checkKeyFile } from './check-machine.ts'
import { type Finding, warning } from './finding.ts'
import { withDatabase } from './with-database.ts'

const NAME = 'secretKey'

/** Returns whether the key is kept well and, while it is replaced, what still needs the former one. */
export async function checkSecretKeys(config: Config): Promise<Finding> {
  const ofFile = checkKeyFile(config)
  if (ofFile.state !== 'ok' || config.secretKeys().length === 1) return ofFile
  return withDatabase(NAME, config, async (db) => {
    const { former } = await countSeals(db, config.secretKeys)
    if (former > 0) return warning(NAME, 'keyStillNeeded', former)
    return warning(NAME, 'formerKeyUnused', howToFinish(config))
  })
}
