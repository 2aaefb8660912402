import * as fs from 'node:fs/promises'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Kysely } from 'kysely'
import { FileMigrationProvider, type MigrationResult, Migrator } from 'kysely/migration'
import { Failure } from '../lib/messages.ts'
import { problemTexts } from '../messages/command-line/problems.ts'
import { databaseFailures } from '../messages/server/database.ts'
import type { Schema } from './schema.ts'

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
  await refuseNewerDatabase(db)
  const migrator = createMigrator(db)
  const target = to === undefined ? undefined : await forwardTarget(db, to)
  const { error, results } = target ? await migrator.migrateTo(target) : await migrator.migrateToLatest()
  if (error) throw migrationError(error, results?.find((result) => result.status === 'Error')?.migrationName)
  return (results ?? []).filter(wasApplied).map((result) => result.migrationName)
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

/** Throws when the database has a revision that this program does not know. */
export async function refuseNewerDatabase(db: Kysely<Schema>) {
  const known = new Set(await migrationNames())
  const unknown = (await appliedNames(db)).filter((name) => !known.has(name))
  if (unknown.length === 0) return
  throw new Failure(problemTexts, 'databaseNewer', unknown.join(', '))
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
  const files = await fs.readdir(MIGRATIONS_FOLDER)
  return files
    .filter((file) => /\.[jt]s$/.test(file))
    .map((file) => file.slice(0, -'.ts'.length))
    .sort()
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

// Someone else may have gone further between the look at the database and the lock: then there is nothing to do,
// and Kysely reports the way back, which no migration has, as not executed.
function wasApplied(result: MigrationResult) {
  return result.direction === 'Up' && result.status === 'Success'
}

function migrationError(error: unknown, name: string | undefined) {
  if (!name) return error
  const reason = error instanceof Error ? error.message : String(error)
  return new Error(databaseFailures.migrationFailed(name, reason), { cause: error })
}
