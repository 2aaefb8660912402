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

const NAME = 'database'
const ANYBODY = 0o007

/** Returns whether it is there, answers, is sound, and fits this program. None is made. */
export async function checkDatabase({ databaseUrl, dataDir, secretKeys }: Config): Promise<Finding> {
  const file = databaseUrl.startsWith('file:') ? databaseUrl.slice('file:'.length) : undefined
  if (file && isMissing(file)) return explainNone(file, dataDir)
  try {
    await using db = connectDatabase(databaseUrl, { deadlines: PROMPT })
    const finding = await examineDatabase(db, secretKeys)
    if (finding.state !== 'ok' || !file) return finding
    return findReaders(file) ?? (await findRemains(db, file)) ?? finding
  } catch (error) {
    return failed(NAME, 'unexpected', (error as Error).message)
  }
}

// Otherwise the program would start with an empty inbox and no reason.
function explainNone(file: string, dataDir: string): Finding {
  if (!findCurrentRelease(dataDir)) return warning(NAME, 'notThere', file)
  return failed(NAME, 'lost', file)
}

// Older programs made the file as everyone's to read.
function findReaders(file: string): Finding | undefined {
  if ((statSync(file).mode & ANYBODY) === 0) return undefined
  return warning(NAME, 'readable', file)
}

// A server rewrites smaller files on its own.
async function findRemains(db: Kysely<Schema>, file: string): Promise<Finding | undefined> {
  const removals = await findRemovals(db)
  if (!removals || removals.rewritten > 0 || removals.removed === 0) return undefined
  if (statSync(file).size <= MAX_REWRITE_BYTES) return undefined
  return warning(NAME, 'removedData', file)
}

async function examineDatabase(db: Kysely<Schema>, secretKeys: KeyRing): Promise<Finding> {
  const damage = await findDamage(db)
  if (damage) return failed(NAME, 'damaged', damage)
  if (await isStandby(db)) return failed(NAME, 'standby')
  return checkRevision(db, secretKeys)
}

async function checkRevision(db: Kysely<Schema>, secretKeys: KeyRing): Promise<Finding> {
  try {
    await refuseNewerDatabase(db)
  } catch (error) {
    return failed(NAME, 'unexpected', (error as Error).message)
  }
  const migrations = await listMigrations(db)
  const pending = migrations.filter(({ appliedAt }) => !appliedAt)
  if (pending.length > 0) return warning(NAME, 'pending', pending.length)
  const keyProblem = await findKeyProblem(db, secretKeys)
  if (keyProblem) return failed(NAME, 'unexpected', keyProblem)
  return ok(NAME, 'sound', `${migrations.at(-1)?.name}`)
}
