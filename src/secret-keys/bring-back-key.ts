import type { Config } from '../config.ts'
import type { Db } from '../db/schema.ts'
import { findKeyProblem } from '../db/secret-key-store.ts'
import { fixedRing } from '../lib/key-ring.ts'
import { keyTexts } from '../messages/command-line/keys.ts'
import { readFormerKeys, readKeyFile, writeKeyFile } from './key-file.ts'

/**
 * Makes a former key valid again beside the key of the file, for a restored database that has its secrets sealed by it.
 * Returns what to do next; undefined when the valid keys open the database, or none does.
 */
export async function bringBackKey(
  db: Db,
  { secretKeys, secretKeyFile, dataDir }: Pick<Config, 'secretKeys' | 'secretKeyFile' | 'dataDir'>,
): Promise<string | undefined> {
  if (!secretKeyFile || !(await findKeyProblem(db, secretKeys))) return undefined
  for (const key of readFormerKeys(dataDir)) {
    if (await findKeyProblem(db, fixedRing(key))) continue
    writeKeyFile(secretKeyFile, [...readKeyFile(secretKeyFile), key])
    return keyTexts.formerKeyBack(secretKeyFile)
  }
  return undefined
}
