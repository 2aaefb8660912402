import { existsSync } from 'node:fs'
import type { Config } from '../config.ts'
import type { Db } from '../db/schema.ts'
import { findKeyProblem } from '../db/secret-key-store.ts'
import { fixedRing } from '../lib/key-ring.ts'
import { keyTexts } from '../messages/command-line/keys.ts'
import { readFormerKeys, readKeyFile, writeKeyFile } from './key-file.ts'

/**
 * Makes a former key valid again beside the file's key, for a restored database whose secrets it encrypted. Returns
 * what to do next; undefined if the valid keys decrypt the database, or no key does.
 */
export async function bringBackKey(
  db: Db,
  { secretKeys, secretKeyFile, dataDir }: Pick<Config, 'secretKeys' | 'secretKeyFile' | 'dataDir'>,
): Promise<string | undefined> {
  if (!secretKeyFile || !(await findKeyProblem(db, secretKeys))) return undefined
  for (const key of readFormerKeys(dataDir)) {
    if (await findKeyProblem(db, fixedRing(key))) continue
    writeKeyFile(secretKeyFile, [...(existsSync(secretKeyFile) ? readKeyFile(secretKeyFile) : []), key])
    return keyTexts.formerKeyBack(secretKeyFile)
  }
  return undefined
}
