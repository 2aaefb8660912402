import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Config } from '../config.ts'
import { withFreeLock } from '../db/file-lock.ts'
import type { Schema } from '../db/schema.ts'
import { findKeyProblem } from '../db/secret-key-store.ts'
import { fixedRing } from '../lib/key-ring.ts'
import { Failure } from '../lib/messages.ts'
import { keyTexts } from '../messages/command-line/keys.ts'
import { machineOf } from '../publish/publish-lock.ts'
import { listServers } from '../server/servers/server-store.ts'
import { formerKeysPath, keepFormerKey, readKeyFile, writeKeyFile } from './key-file.ts'
import { SECRET_KEY_BYTES } from './key-variable.ts'
import { resealSecrets } from './reseal-secrets.ts'

interface Means {
  db: Kysely<Schema>
  config: Config
  now: Date
  /** Reports progress to the user. */
  tell(line: string): void
}

/**
 * Replaces the key: creates a new one beside it, or resumes with an existing new one, and encrypts everything with it.
 * Both are valid until `finishRotation`. Throws, with nothing changed, if the key is only in the environment, is not
 * the database's own, or other servers have their own file.
 */
export function rotateKey(means: Means): Promise<void> {
  return alone(means, async () => {
    const { config, tell } = means
    await refuseWrongKeys(means)
    if (config.secretKeyFile) await makeNewKey(means, config.secretKeyFile)
    else if (config.secretKeys().length === 1) throw new Failure(keyTexts, 'setInEnvironment')
    await reseal(means)
    tell(keyTexts.finishLater(howToFinish(config)))
  })
}

/**
 * Finishes the key rotation: encrypts remaining values and keeps the former key for backups. Does nothing if no
 * rotation is in progress.
 */
export function finishRotation(means: Means): Promise<void> {
  return alone(means, async () => {
    const { config, tell } = means
    const { secretKeyFile: path, dataDir, secretKeys } = config
    await refuseWrongKeys(means)
    if (secretKeys().length === 1) return tell(keyTexts.nothingToFinish)
    await reseal(means)
    if (path === undefined) return tell(capitalize(howToFinish(config)))
    const [newest, ...former] = readKeyFile(path)
    for (const key of former) keepFormerKey(dataDir, key)
    if (newest) writeKeyFile(path, [newest])
    tell(keyTexts.finished(path, formerKeysPath(dataDir)))
  })
}

/** Advice on finishing a rotation, as part of a sentence. */
export function howToFinish({ secretKeyFile }: Pick<Config, 'secretKeyFile'>): string {
  return secretKeyFile ? keyTexts.finishFile : keyTexts.finishEnvironment
}

async function alone({ config }: Means, work: () => Promise<void>) {
  const done = await withFreeLock(join(config.dataDir, 'secret.key.lock'), async () => {
    await work()
    return true
  })
  if (!done) throw new Failure(keyTexts, 'busy')
}

async function refuseWrongKeys({ db, config }: Means) {
  const problem = await findKeyProblem(db, config.secretKeys)
  if (problem) throw new Failure(keyTexts, 'unchanged', problem)
}

async function makeNewKey({ db, config, tell }: Means, path: string) {
  if (!existsSync(path)) throw new Failure(keyTexts, 'noFile', path)
  const keys = readKeyFile(path)
  if (keys.length > 1) return tell(keyTexts.continuing(path))
  await refuseOtherFiles(db, config)
  writeKeyFile(path, [randomBytes(SECRET_KEY_BYTES), ...keys])
  tell(keyTexts.created(path))
}

async function refuseOtherFiles(db: Kysely<Schema>, { dataDir }: Config) {
  const own = machineOf(dataDir)
  const others = (await listServers(db)).filter(({ machine }) => machine !== own)
  if (others.length === 0) return
  throw new Failure(keyTexts, 'otherFiles', others.map(({ machine }) => machine).join(', '))
}

async function reseal({ db, config, now, tell }: Means) {
  const { former, unreadable } = await resealSecrets(db, fixedRing(...config.secretKeys()), { now })
  tell(keyTexts.sealed(former))
  if (unreadable > 0) tell(keyTexts.unreadable(unreadable))
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
