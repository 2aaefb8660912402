import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { countRelations } from '#src/backups/backed-up-rows-store.ts'
import { claimBackup, findLastBackup, settleBackup } from '#src/backups/backup-turn-store.ts'
import { makePostgresBackup } from '#src/backups/make-postgres-backup.ts'
import { restoreBackup } from '#src/backups/restore-backup.ts'
import { restorePostgresBackup } from '#src/backups/restore-postgres-backup.ts'
import { readConfig } from '#src/config.ts'
import { connectDatabase } from '#src/db/connect.ts'
import type { Schema } from '#src/db/schema.ts'
import { checkBackups } from '#src/doctor/check-backups.ts'
import { openDiskFiles } from '#src/files/disk-files.ts'
import { openPictureFiles } from '#src/pictures/picture-files.ts'
import { makeSecretKey } from '#src/secret-keys/make-secret-key.ts'
import { createDailyBackups } from '#src/server/background/daily-backups.ts'
import { atEnd } from '../../support/at-end.ts'
import { temporaryFolder } from '../../support/database.ts'
import { aDesk } from '../../support/desk.ts'
import { storeForm } from '../../support/forms.ts'
import { needsPostgres, postgresDatabase } from '../../support/postgres-database.ts'
import { runScript, waitFor } from '../../support/running-site.ts'
import { said } from '../../support/said.ts'

const NOW = new Date('2026-11-21T10:00:00.000Z')
const FOLDER = 'a'.repeat(32)
const PICTURE = Buffer.from('a picture of the library')
const SHA256 = createHash('sha256').update(PICTURE).digest('hex')

/** A server with this database and a DATA_DIR of its own. */
function aServer(t: TestContext, databaseUrl: string) {
  const dataDir = temporaryFolder(t)
  const db = connectDatabase(databaseUrl)
  atEnd(t, () => db.destroy())
  const secretKey = Buffer.alloc(32, 'a key of this site')
  const files = openDiskFiles(dataDir)
  return { db, source: { databaseUrl, dataDir, files, pictureFiles: openPictureFiles(dataDir), secretKey } }
}

async function rowsOf(db: Kysely<Schema>): Promise<Set<string>> {
  const tables = (await db.introspection.getTables({ withInternalKyselyTables: true })).map(
    ({ name }) => name,
  )
  const rows = new Set<string>()
  for (const table of tables) {
    const found = await sql`select * from ${sql.table(table)}`.execute(db)
    for (const row of found.rows) rows.add(`${table} ${JSON.stringify(row)}`)
  }
  return rows
}

test(
  'a backup made while leads arrive restores completely and is refused where it must be',
  needsPostgres,
  async (t) => {
    const { db, source } = aServer(t, (await postgresDatabase(t, { isMigrated: true })).url)
    await storeForm(db, 'quote', { fields: [{ name: 'name', label: 'Name' }] })
    const send = (name: string) => aDesk(db).accept('quote', { name })
    await send('Ann')
    const about = {
      field_name: 'photo',
      name: 'roof.png',
      type: 'image/png',
      size: 9,
      created_at: NOW.toISOString(),
    }
    await db
      .insertInto('uploads')
      .values({ ...about, submission_id: 1, folder: FOLDER, file: '1' })
      .execute()
    await source.files.write(`uploads/${FOLDER}/1`, new Blob(['of a visitor']))
    await source.pictureFiles.write(SHA256, PICTURE)
    const picture = { name: 'roof.jpg', sha256: SHA256, width: 1, height: 1, size: 24 }
    const moments = { created_at: NOW.toISOString(), updated_at: NOW.toISOString() }
    await db
      .insertInto('library_pictures')
      .values({ ...picture, ...moments })
      .execute()
    const before = await rowsOf(db)

    const file = join(source.dataDir, 'backups/one.db')
    let isMaking = true
    const making = makePostgresBackup(source, { file, now: NOW }).finally(() => {
      isMaking = false
    })
    for (let sent = 0; isMaking; sent++) await send(`Ben ${sent}`)
    assert.deepEqual(await making, { file, uploads: 1 })
    const after = await rowsOf(db)
    assert.ok(after.size > before.size)
    assert.deepEqual(await readdir(join(source.dataDir, 'backups')), ['one.db'])
    await assert.rejects(makePostgresBackup(source, { file, now: NOW }), /already exists/)

    const empty = await postgresDatabase(t)
    const { db: copy, source: target } = aServer(t, empty.url)
    const bytes = await readFile(file)
    const damaged = Buffer.from(bytes)
    damaged.fill(0xff, bytes.length / 2, bytes.length / 2 + 100)
    for (const [content, expected] of [
      [damaged, /damaged/],
      [bytes.subarray(0, bytes.length - 4096), /damaged/],
    ] as const) {
      await writeFile(`${file}.bad`, content)
      await assert.rejects(restorePostgresBackup(target, { file: `${file}.bad` }), expected)
    }
    const stranger = { ...target, secretKey: Buffer.alloc(32, 'another key') }
    await assert.rejects(
      restorePostgresBackup(stranger, { file }),
      /another SECRET_KEY.* SECRET_KEY_PREVIOUS to that server’s key\. Nothing/,
    )
    const databasePath = join(target.dataDir, 'signpost.db')
    const sqlite = restoreBackup({ ...target, databasePath }, { file, keepDir: target.dataDir, now: NOW })
    await assert.rejects(sqlite, /is a backup of a PostgreSQL database/)
    await assert.rejects(restorePostgresBackup(source, { file }), /is not empty: it has \d+ tables/)
    assert.equal(await countRelations(copy), 0)

    assert.equal(await restorePostgresBackup(target, { file }), NOW.toISOString())
    const restored = await rowsOf(copy)
    assert.deepEqual([...before.difference(restored)], [])
    assert.deepEqual([...restored.difference(after)], [])
    assert.equal(await readFile(join(target.dataDir, 'uploads', FOLDER, '1'), 'utf8'), 'of a visitor')
    assert.deepEqual(await target.pictureFiles.read(SHA256), PICTURE)
    // IDs go on where they were.
    await aDesk(copy).accept('quote', { name: 'Cleo' })
    assert.ok((await rowsOf(copy)).size > restored.size)
    await truncate(file, 0)
    await assert.rejects(restorePostgresBackup(target, { file }), /not a Signpost backup/)
  },
)

test(
  'a restored database has no daily backup of its own yet, so any server makes one',
  needsPostgres,
  async (t) => {
    const { db, source } = aServer(t, (await postgresDatabase(t, { isMigrated: true })).url)
    await claimBackup(db, 'a')
    await settleBackup(db, { name: 'daily-1.db', server: 'a' })
    await db.updateTable('daily_backups').set({ made_at: '2026-11-20T10:00:00.000Z' }).execute()
    await claimBackup(db, 'a')
    const file = join(source.dataDir, 'daily-2.db')
    await makePostgresBackup(source, { file, now: NOW })
    const { url } = await postgresDatabase(t)
    const environment = { DATABASE_URL: url, SECRET_KEY: source.secretKey.toString('base64') }
    const options = { dataDir: temporaryFolder(t), environment, arguments: [file] }
    const { code, output } = await runScript('restore.ts', options)
    assert.equal(code, 0, output)
    const restored = aServer(t, url).db
    assert.equal(await findLastBackup(restored), undefined)
    assert.equal(await claimBackup(restored, 'b'), true)
  },
)

test('one of two running servers makes the daily backup, and doctor names it', needsPostgres, async (t) => {
  const { url } = await postgresDatabase(t, { isMigrated: true })
  const made: string[] = []
  const log = {
    info: (details: object) => void made.push(String(Object.values(details))),
    error: (details: object) => assert.fail(JSON.stringify(details)),
  }
  const servers = [aServer(t, url), aServer(t, url)]
  const workers = servers.map(({ db, source: { dataDir } }) => {
    makeSecretKey(join(dataDir, 'secret.key'))
    const filePlace = { kind: 'disk', folder: dataDir } as const
    const config = { dataDir, databaseUrl: url, backupKeep: 2, filePlace }
    return createDailyBackups({ db, config, log, firstCheckMs: 0 })
  })
  for (const worker of workers) worker?.start()
  await waitFor(() => made.length > 0, 60_000)
  for (const worker of workers) await worker?.stop()
  const folders = servers.map(({ source }) => readdir(join(source.dataDir, 'backups')))
  assert.deepEqual((await Promise.all(folders)).flat(), made)
  const config = readConfig({ DATA_DIR: temporaryFolder(t), DATABASE_URL: url })
  assert.match(said(await checkBackups(config)).says, new RegExp(`^${made[0]} \\(.*\\)\\. Copy`))
})
