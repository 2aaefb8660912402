import { statSync } from 'node:fs'
import type { Kysely } from 'kysely'
import type { Config } from '../config.ts'
import { findDamage, isStandby } from '../db/check-integrity.ts'
import { connectDatabase } from '../db/connect.ts'
import { PROMPT } from '../db/deadlines.ts'
import { listMigrations, refuseNewerDatabase } from '../db/migrate.ts'
import { findRemovals } from '../db/removals-store.ts'
import { MAX_REWRITE_BYTES } from '../db/rewrite-file.ts'
import type { Schema } from '../db/schema.ts'
import { findKeyProblem } from '../db/secret-key-store.ts'
import { isMissing } from '../lib/is-missing.ts'
import type { KeyRing } from '../lib/key-ring.ts'
import { findCurrentRelease } from '../publish/release/release.ts'
import { type Finding, failed, ok, warning } from './finding.ts'

const NAME = 'Database'
const ANYBODY = 0o007

/** Whether it is there, answers, is sound, and fits this program. None is made. */
export async function checkDatabase({ databaseUrl, dataDir, secretKeys }: Config): Promise<Finding> {
  const file = databaseUrl.startsWith('file:') ? databaseUrl.slice('file:'.length) : undefined
  if (file && isMissing(file)) return explainNone(file, dataDir)
  let db: Kysely<Schema> | undefined
  try {
    db = connectDatabase(databaseUrl, { deadlines: PROMPT })
    const finding = await examineDatabase(db, secretKeys)
    if (finding.state !== 'ok' || !file) return finding
    return findReaders(file) ?? (await findRemains(db, file)) ?? finding
  } catch (error) {
    return failed(NAME, (error as Error).message)
  } finally {
    await db?.destroy()
  }
}

// Whoever started the program then would have an empty inbox and not know why.
function explainNone(file: string, dataDir: string): Finding {
  if (!findCurrentRelease(dataDir)) return warning(NAME, `There is none at ${file} yet: npm start makes it`)
  return failed(
    NAME,
    `There is none at ${file}, although a site was published: check DATABASE_URL, or stop the server and bring it back with npm run restore; npm start would make an empty one`,
  )
}

// Older programs made the file as everybody's to read.
function findReaders(file: string): Finding | undefined {
  if ((statSync(file).mode & ANYBODY) === 0) return undefined
  return warning(
    NAME,
    `Everybody on this machine can read ${file}: stop the server and run chmod 600 ${file}*`,
  )
}

// A server rewrites smaller files by itself.
async function findRemains(db: Kysely<Schema>, file: string): Promise<Finding | undefined> {
  const removals = await findRemovals(db)
  if (!removals || removals.rewritten > 0 || removals.removed === 0) return undefined
  if (statSync(file).size <= MAX_REWRITE_BYTES) return undefined
  return warning(NAME, `${file} still contains deleted data: stop the server and run npm run vacuum`)
}

async function examineDatabase(db: Kysely<Schema>, secretKeys: KeyRing): Promise<Finding> {
  const damage = await findDamage(db)
  if (damage) return failed(NAME, `It is damaged (${damage}): stop the server and restore the last backup`)
  if (await isStandby(db))
    return failed(NAME, 'It takes no writes: let DATABASE_URL lead to the primary, not to a standby')
  return checkRevision(db, secretKeys)
}

async function checkRevision(db: Kysely<Schema>, secretKeys: KeyRing): Promise<Finding> {
  try {
    await refuseNewerDatabase(db)
  } catch (error) {
    return failed(NAME, (error as Error).message)
  }
  const migrations = await listMigrations(db)
  const pending = migrations.filter(({ appliedAt }) => !appliedAt)
  if (pending.length > 0)
    return warning(
      NAME,
      `${pending.length} migrations are pending: npm start applies them, make a backup first`,
    )
  const keyProblem = await findKeyProblem(db, secretKeys)
  if (keyProblem) return failed(NAME, keyProblem)
  return ok(NAME, `sound, at ${migrations.at(-1)?.name}`)
}
