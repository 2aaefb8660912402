import * as fs from 'node:fs/promises'
import * as path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Kysely } from 'kysely'
import {
  FileMigrationProvider,
  type MigrationResult,
  type MigrationResultSet,
  Migrator,
} from 'kysely/migration'
import { Failure } from '../lib/messages.ts'
import { problemTexts } from '../messages/command-line/problems.ts'
import { databaseFailures } from '../messages/server/database.ts'
import { engineOf } from './dialects.ts'
import { buildIndex, type LargeIndex } from './postgres/build-index.ts'
import type { Schema } from './schema.ts'
import { findSchemaSupport, saveSchemaSupport } from './schema-support-store.ts'

/** The migration since which the database says what works with it. */
const SUPPORT = '0333_schema_support'
const LOCK_NOT_AVAILABLE = '55P03'
const MOST_LOCKED_MS = 600_000
const LOCKED_PAUSE_MS = 1_000
const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../migrations', import.meta.url))

export interface MigrationStatus {
  /** `0010_taxonomies` */
  name: string
  /** When it was applied, or undefined. */
  appliedAt: Date | undefined
}

/**
 * Applies the pending migrations up to `to` (a revision such as `0010`, or the latest) in one transaction: an
 * interrupted run leaves the database unchanged. Returns the names of those applied, oldest first. Throws when the
 * database is newer than this program, `to` is unknown, or a migration fails.
 */
export async function migrate(db: Kysely<Schema>, { to }: { to?: string } = {}): Promise<string[]> {
  // A newer program has migrated it, and this one may go on with it.
  if (await refuseNewerDatabase(db)) return []
  const target = to === undefined ? undefined : await forwardTarget(db, to)
  const applied = await applyPending(db, target)
  await finishMigrations(db)
  return applied
}

async function applyPending(db: Kysely<Schema>, target: string | undefined): Promise<string[]> {
  // Without the migrator's lock: a server that fell silent while holding it would keep all others from starting.
  if (await isUpToDate(db, target)) return []
  const migrator = createMigrator(db)
  const { error, results } = await untilUnlocked(() =>
    target ? migrator.migrateTo(target) : migrator.migrateToLatest(),
  )
  if (error) throw migrationError(error, results?.find((result) => result.status === 'Error')?.migrationName)
  return (results ?? []).filter(wasApplied).map((result) => result.migrationName)
}

async function isUpToDate(db: Kysely<Schema>, target: string | undefined): Promise<boolean> {
  const applied = new Set(await appliedNames(db))
  return (await migrationNames()).every(
    (name) => applied.has(name) || (target !== undefined && name > target),
  )
}

// Waits only briefly for a lock, because posts queue behind it, but repeatedly: another server may be migrating.
async function untilUnlocked(run: () => Promise<MigrationResultSet>): Promise<MigrationResultSet> {
  const giveUpAt = performance.now() + MOST_LOCKED_MS
  for (;;) {
    const results = await run()
    const isLocked = (results.error as { code?: string } | undefined)?.code === LOCK_NOT_AVAILABLE
    if (!isLocked || performance.now() > giveUpAt) return results
    await delay(LOCKED_PAUSE_MS)
  }
}

/** Parts of a migration beside its `up`. */
interface MigrationModule {
  /** True if programs from before don't work with the database afterwards; missing in those from before 0330. */
  contracts?: boolean
  /** Built after all migrations, while servers write. */
  indexes?: readonly LargeIndex[]
}

// At each start, because the last one may have ended between the migrations and this.
async function finishMigrations(db: Kysely<Schema>): Promise<void> {
  const names = new Set(await appliedNames(db))
  const support = names.has(SUPPORT) ? await findSchemaSupport(db) : undefined
  const latest = [...names].at(-1)
  if (support?.latest === latest && engineOf(db) === 'sqlite') return
  const files = (await migrationFiles()).sort().filter((file) => names.has(path.parse(file).name))
  const modules = await Promise.all(
    files.map(async (file) => {
      const module: MigrationModule = await import(pathToFileURL(path.join(MIGRATIONS_FOLDER, file)).href)
      return { name: path.parse(file).name, ...module }
    }),
  )
  if (support && latest && support.latest !== latest) {
    const contracting = modules.findLast(({ name, contracts }) => contracts && name > support.latest)?.name
    await saveSchemaSupport(db, { latest, contracting })
  }
  for (const index of modules.flatMap(({ indexes = [] }) => indexes))
    if (engineOf(db) === 'postgres') await buildIndex(db, index)
}

/** Lists every migration of this program with the time it was applied, oldest first. */
export async function listMigrations(db: Kysely<Schema>): Promise<MigrationStatus[]> {
  const migrations = await createMigrator(db).getMigrations()
  return migrations.map(({ name, executedAt }) => ({ name, appliedAt: executedAt }))
}

/** The newest revision applied, such as `0012_delivery_engine`, or undefined in an empty database. */
export async function findSchemaRevision(db: Kysely<Schema>): Promise<string | undefined> {
  return (await appliedNames(db)).at(-1)
}

function createMigrator(db: Kysely<Schema>) {
  const provider = new FileMigrationProvider({ fs, path, migrationFolder: MIGRATIONS_FOLDER })
  return new Migrator({ db, provider })
}

/**
 * Throws when a newer program has taken something from the database that this one needs. Returns whether a newer program
 * has migrated it without doing so.
 */
export async function refuseNewerDatabase(db: Kysely<Schema>): Promise<boolean> {
  const known = new Set(await migrationNames())
  const applied = await appliedNames(db)
  const unknown = applied.filter((name) => !known.has(name))
  if (unknown.length === 0) return false
  const support = applied.includes(SUPPORT) ? await findSchemaSupport(db) : undefined
  // A database without one of this program's migrations comes from another branch, so the effect of its last ones is
  // unknown.
  if (!support || support.latest !== applied.at(-1) || !applied.includes([...known].at(-1) ?? ''))
    throw new Failure(problemTexts, 'databaseNewer', unknown.join(', '))
  if (!known.has(support.revision))
    throw new Failure(problemTexts, 'databaseContracted', support.version, support.revision)
  return true
}

async function appliedNames(db: Kysely<Schema>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some((table) => table.name === 'kysely_migration')) return []
  const rows = await db
    .withTables<{ kysely_migration: { name: string } }>()
    .selectFrom('kysely_migration')
    .select('name')
    .orderBy('name')
    .execute()
  return rows.map((row) => row.name)
}

/** Every revision this program knows, oldest first. */
export async function migrationNames(): Promise<string[]> {
  return (await migrationFiles()).map((file) => file.slice(0, -'.ts'.length)).sort()
}

// In a package they are JavaScript.
async function migrationFiles(): Promise<string[]> {
  return (await fs.readdir(MIGRATIONS_FOLDER)).filter((file) => /\.[jt]s$/.test(file))
}

async function migrationNamed(revision: string): Promise<string> {
  const names = await migrationNames()
  const name = names.find((candidate) => candidate === revision || candidate.startsWith(`${revision}_`))
  if (name) return name
  throw new Failure(problemTexts, 'migrationUnknown', revision, names.join(', '))
}

// Migrations only go forward (§9.2): an applied revision that is not the newest cannot be a target.
async function forwardTarget(db: Kysely<Schema>, revision: string): Promise<string> {
  const target = await migrationNamed(revision)
  const newest = (await appliedNames(db)).at(-1)
  if (!newest || newest <= target) return target
  throw new Failure(problemTexts, 'migrationBack', newest, target)
}

// Another process may have migrated further before this one got the lock: then there is nothing to do, and Kysely
// reports the down migrations, which don't exist, as not executed.
function wasApplied(result: MigrationResult) {
  return result.direction === 'Up' && result.status === 'Success'
}

function migrationError(error: unknown, name: string | undefined) {
  if (!name) return error
  const reason = error instanceof Error ? error.message : String(error)
  return new Error(databaseFailures.migrationFailed(name, reason), { cause: error })
}
