import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connectSqlite } from '#src/db/connect.ts'
import { withFileLock } from '#src/db/file-lock.ts'
import { migrate } from '#src/db/migrate.ts'
import type { Schema } from '#src/db/schema.ts'

const PROJECT = join(import.meta.dirname, '../..')
// Deleted when packages are reinstalled.
const CACHE = join(PROJECT, 'node_modules/.cache')

// Everything that determines a migrated database.
const MADE_OF = ['migrations/*.ts', 'src/db/dialects.ts', 'node_modules/@electric-sql/pglite/package.json']

let fingerprint: string | undefined

/** Returns a SQLite file with every table, to copy. It is made once for all test files, because migrating is slow. */
export function migratedSqlite(): Promise<string> {
  return madeOnce('sqlite', async (file) => {
    const db = connectSqlite(file)
    await migrate(db)
    await db.destroy()
  })
}

/** Returns a PostgreSQL cluster with every table as a tar for PGlite, because creating one is most of its start. */
export function migratedCluster(): Promise<string> {
  return madeOnce('pglite', async (file) => {
    const { PGlite } = await import('@electric-sql/pglite')
    const { Kysely, PGliteDialect } = await import('kysely')
    const pglite = await PGlite.create()
    const db = new Kysely<Schema>({ dialect: new PGliteDialect({ pglite }) })
    await migrate(db)
    await writeFile(file, (await pglite.dumpDataDir('none')).stream())
    await db.destroy()
  })
}

async function madeOnce(name: string, make: (file: string) => Promise<void>): Promise<string> {
  const prefix = join(CACHE, `migrated-${name}-`)
  const file = prefix + migratedFingerprint()
  if (existsSync(file)) return file
  await withFileLock(`${join(CACHE, name)}.lock`, async () => {
    if (existsSync(file)) return
    for (const old of globSync(`${prefix}*`)) rmSync(old)
    await rm(`${file}.unfinished`, { force: true })
    await make(`${file}.unfinished`)
    await rename(`${file}.unfinished`, file)
  })
  return file
}

/** Changes with everything that determines a migrated database. 16 hex digits. */
export function migratedFingerprint(): string {
  fingerprint ??= fingerprintOf(MADE_OF)
  return fingerprint
}

function fingerprintOf(patterns: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of globSync([...patterns], { cwd: PROJECT }).sort())
    hash.update(`${file}\0`).update(readFileSync(join(PROJECT, file)))
  return hash.digest('hex').slice(0, 16)
}
