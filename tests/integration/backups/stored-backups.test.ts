import assert from 'node:assert/strict'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { backUpWhenDue } from '#src/backups/automatic-backups.ts'
import { findHoldingBackups } from '#src/backups/holding-backups.ts'
import { backupStoreOf, listStoredBackups, storeBackups } from '#src/backups/stored-backups.ts'
import { readConfig } from '#src/config.ts'
import { connectSqlite } from '#src/db/connect.ts'
import { migrate } from '#src/db/migrate.ts'
import { checkBackups } from '#src/doctor/check-backups.ts'
import type { FileStore } from '#src/files/file-store.ts'
import { makeSecretKey } from '#src/secret-keys/make-secret-key.ts'
import { atEnd } from '../../support/at-end.ts'
import { temporaryFolder } from '../../support/database.ts'
import { storeForm } from '../../support/forms.ts'
import { runScript } from '../../support/running-site.ts'
import { startS3 } from '../../support/s3-server.ts'
import { said } from '../../support/said.ts'

const HOUR_MS = 3_600_000
const NAME = 'daily-20261121T000000000Z.db'
const log = { info() {}, error() {} }
const { signal } = new AbortController()

/** A server whose FILE_STORE is a bucket. */
async function aServer(t: TestContext) {
  const s3 = await startS3(t)
  const dataDir = temporaryFolder(t)
  const config = readConfig({ DATA_DIR: dataDir, ...s3.environment })
  const store = backupStoreOf(config) as FileStore
  const folder = join(dataDir, 'backups')
  await mkdir(folder)
  return { s3, dataDir, config, store, folder }
}

test('daily backups are kept in FILE_STORE, also those made before it was set', async (t) => {
  const { store, folder } = await aServer(t)
  await writeFile(join(folder, 'before-restore-20261101T000000000Z.db'), 'mine')
  await writeFile(join(folder, 'daily-20261120T000000000Z.db'), 'made before')
  let hour = 0
  const now = () => new Date(Date.UTC(2026, 10, 21) + hour * HOUR_MS)
  const makeBackup = (file: string) => writeFile(file, basename(file))
  for (; hour <= 24 * 5; hour += 6)
    await backUpWhenDue({ folder, store, keep: 4, makeBackup, now, log }, signal)
  assert.deepEqual(await readdir(folder), ['before-restore-20261101T000000000Z.db'])
  const days = ['26', '25', '24', '23'].map((day) => `daily-202611${day}T000000000Z.db`)
  assert.deepEqual(await listStoredBackups(store), days)
})

test('a backup that FILE_STORE refuses waits in the folder, and no other is made before it is due', async (t) => {
  const { s3, store, folder } = await aServer(t)
  let made = 0
  const makeBackup = (file: string) => writeFile(file, `${++made}`)
  const now = () => new Date('2026-11-21T00:00:00Z')
  const turn = { claim: async () => made === 0, settle: async () => {} }
  const look = () => backUpWhenDue({ folder, store, keep: 7, makeBackup, now, log, turn }, signal)
  s3.failWith(503)
  await assert.rejects(look())
  assert.deepEqual(await readdir(folder), [NAME])
  s3.failWith(undefined)
  await look()
  assert.deepEqual([await readdir(folder), await listStoredBackups(store), made], [[], [NAME], 1])
})

test('the doctor and the privacy screen know the backups in FILE_STORE', async (t) => {
  const { config, store, folder } = await aServer(t)
  assert.match(said(await checkBackups(config)).says, /^No backups yet/)
  await writeFile(join(folder, NAME), 'a backup')
  await storeBackups(store, folder)
  const now = () => Date.UTC(2026, 10, 22)
  assert.equal(said(await checkBackups(config, now)).says, `${NAME}, in FILE_STORE`)
  const { until } = await findHoldingBackups(folder, { keep: 7, store })
  assert.equal(until, '2026-11-28T00:00:00.000Z')
})

test('a backup in FILE_STORE is restored by its name on another server', async (t) => {
  const { s3, dataDir, store, folder } = await aServer(t)
  const path = join(dataDir, 'signpost.db')
  const db = connectSqlite(path)
  await migrate(db)
  await storeForm(db, 'quote')
  await db.destroy()
  makeSecretKey(join(dataDir, 'secret.key'))
  const made = await runScript('backup.ts', { dataDir, arguments: [join(folder, NAME)] })
  assert.equal(made.code, 0, made.output)
  await storeBackups(store, folder)

  const otherDir = temporaryFolder(t)
  makeSecretKey(join(otherDir, 'secret.key'))
  const restore = (name: string) =>
    runScript('restore.ts', {
      dataDir: otherDir,
      environment: s3.environment,
      arguments: [name, '--any-key'],
    })
  const unknown = await restore('daily-20260101T000000000Z.db')
  assert.equal(unknown.code, 1)
  assert.match(
    unknown.output,
    new RegExp(`neither a local file nor a backup in FILE_STORE. Backups in FILE_STORE: ${NAME}`),
  )
  const restored = await restore(NAME)
  assert.equal(restored.code, 0, restored.output)
  const copy = connectSqlite(join(otherDir, 'signpost.db'))
  atEnd(t, () => copy.destroy())
  const slugs = await copy.selectFrom('forms').select('slug').where('slug', '=', 'quote').execute()
  assert.equal(slugs.length, 1)
  const left = await readdir(join(otherDir, 'backups')).catch(() => [])
  assert.deepEqual(left, [])
})
