import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Config } from '../config.ts'
import { withFreeLock } from '../db/file-lock.ts'
import type { Schema } from '../db/schema.ts'
import { findKeyProblem } from '../db/secret-key-store.ts'
import { fixedRing } from '../lib/key-ring.ts'
import { machineOf } from '../publish/publish-lock.ts'
import { listServers } from '../server/servers/server-store.ts'
import { formerKeysPath, keepFormerKey, readKeyFile, writeKeyFile } from './key-file.ts'
import { SECRET_KEY_BYTES } from './key-variable.ts'
import { resealSecrets } from './reseal-secrets.ts'

const OF_ENVIRONMENT =
  'SECRET_KEY comes from the environment, where only you can replace it: set SECRET_KEY_PREVIOUS to its value and ' +
  'SECRET_KEY to a new one (openssl rand -base64 32), restart the server, and run npm run key:rotate again'
const WHEN = 'In 30 minutes, when open forms and sign-ins no longer carry the former key,'
const KEEP = 'Keep the former key as long as you keep backups made with it'

interface Means {
  db: Kysely<Schema>
  config: Config
  now: Date
  /** Tells the person what was done. */
  tell(line: string): void
}

/**
 * Replaces the key: makes a new one beside it, or goes on with one that was made before, and seals everything by it. Both
 * are valid until `finishRotation`. Throws, with nothing changed, when the key is in the environment alone, is not the
 * database's own, or other servers have a file of their own.
 */
export function rotateKey(means: Means): Promise<void> {
  return alone(means, async () => {
    const { config, tell } = means
    await refuseWrongKeys(means)
    if (config.secretKeyFile) await makeNewKey(means, config.secretKeyFile)
    else if (config.secretKeys().length === 1) throw new Error(OF_ENVIRONMENT)
    await reseal(means)
    tell(`${WHEN} ${howToFinish(config)}`)
  })
}

/** Ends the replacement: seals what is left, and puts the former key away for backups. Does nothing when none is under way. */
export function finishRotation(means: Means): Promise<void> {
  return alone(means, async () => {
    const { config, tell } = means
    const { secretKeyFile: path, dataDir, secretKeys } = config
    await refuseWrongKeys(means)
    if (secretKeys().length === 1)
      return tell('No key replacement is under way, so there is nothing to finish')
    await reseal(means)
    if (path === undefined) return tell(capitalize(howToFinish(config)))
    const [newest, ...former] = readKeyFile(path)
    for (const key of former) keepFormerKey(dataDir, key)
    if (newest) writeKeyFile(path, [newest])
    tell(
      `${path} holds the new key alone. The former one is in ${formerKeysPath(dataDir)}: delete it when no backup from before is left`,
    )
  })
}

/** What ends a replacement, as a part of a sentence. */
export function howToFinish({ secretKeyFile }: Pick<Config, 'secretKeyFile'>): string {
  if (secretKeyFile) return 'run npm run key:rotate -- --finish'
  return `remove SECRET_KEY_PREVIOUS and restart the server. ${KEEP}`
}

async function alone({ config }: Means, work: () => Promise<void>) {
  const done = await withFreeLock(join(config.dataDir, 'secret.key.lock'), async () => {
    await work()
    return true
  })
  if (!done) throw new Error('Another npm run key:rotate is at work; wait for it')
}

async function refuseWrongKeys({ db, config }: Means) {
  const problem = await findKeyProblem(db, config.secretKeys)
  if (problem) throw new Error(`${problem}. Nothing was changed`)
}

async function makeNewKey({ db, config, tell }: Means, path: string) {
  if (!existsSync(path)) throw new Error(`There is no ${path} yet; npm start makes it`)
  const keys = readKeyFile(path)
  if (keys.length > 1) return tell(`Going on with the new key of ${path}`)
  await refuseOtherFiles(db, config)
  writeKeyFile(path, [randomBytes(SECRET_KEY_BYTES), ...keys])
  tell(`Made a new key, the first line of ${path}. The former one stays valid`)
}

async function refuseOtherFiles(db: Kysely<Schema>, { dataDir }: Config) {
  const own = machineOf(dataDir)
  const others = (await listServers(db)).filter(({ machine }) => machine !== own)
  if (others.length === 0) return
  throw new Error(
    `${others.map(({ machine }) => machine).join(', ')} use this database with a secret.key of their own: give every server SECRET_KEY and SECRET_KEY_PREVIOUS instead. Nothing was changed`,
  )
}

async function reseal({ db, config, now, tell }: Means) {
  const { former, unreadable } = await resealSecrets(db, fixedRing(...config.secretKeys()), { now })
  tell(former > 0 ? `Sealed ${former} values with the new key` : 'Everything is sealed with the new key')
  if (unreadable > 0)
    tell(`${unreadable} values open with no key and stay as they are; npm run doctor names their webhooks`)
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
