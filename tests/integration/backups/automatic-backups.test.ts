import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { copyFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { backUpWhenDue } from '#src/backups/automatic-backups.ts'
import { connectSqlite } from '#src/db/connect.ts'
import { migrate } from '#src/db/migrate.ts'
import { makeSecretKey } from '#src/secret-keys/make-secret-key.ts'
import { createDailyBackups } from '#src/server/background/daily-backups.ts'
import { temporaryFolder } from '../../support/database.ts'
import { storeForm } from '../../support/forms.ts'
import { runScript, waitFor } from '../../support/running-site.ts'

const HOUR_MS = 3_600_000
const log = { info() {}, error() {} }
const { signal } = new AbortController()

test('one backup is made each day, the newest are kept, and other files are untouched', async (t) => {
  const folder = temporaryFolder(t)
  await writeFile(join(folder, 'before-restore.db'), 'mine')
  await writeFile(join(folder, 'daily-20261101T000000000Z.db.unfinished'), 'left by a crash')
  let hour = 0
  const start = Date.UTC(2026, 10, 21)
  const now = () => new Date(start + hour * HOUR_MS)
  const makeBackup = (file: string) => writeFile(file, 'copy')
  for (; hour <= 24 * 5; hour += 6) await backUpWhenDue({ folder, keep: 3, makeBackup, now, log }, signal)
  assert.deepEqual((await readdir(folder)).sort(), [
    'before-restore.db',
    'daily-20261124T000000000Z.db',
    'daily-20261125T000000000Z.db',
    'daily-20261126T000000000Z.db',
  ])
})

test('backups dated in the future are replaced by current ones', async (t) => {
  const folder = temporaryFolder(t)
  for (const day of ['02', '03', '01'])
    await writeFile(join(folder, `daily-205001${day}T000000000Z.db`), 'copy')
  const makeBackup = (file: string) => writeFile(file, 'copy')
  const now = () => new Date('2026-11-21T00:00:00Z')
  for (let look = 0; look < 2; look++) await backUpWhenDue({ folder, keep: 2, makeBackup, now, log }, signal)
  assert.deepEqual((await readdir(folder)).sort(), [
    'daily-20261121T000000000Z.db',
    'daily-20500103T000000000Z.db',
  ])
})

test('a failed backup deletes no earlier backup', async (t) => {
  const folder = temporaryFolder(t)
  await writeFile(join(folder, 'daily-20261101T000000000Z.db'), 'copy')
  const makeBackup = () => Promise.reject(new Error('disk full'))
  const options = { folder, keep: 1, makeBackup, now: () => new Date('2026-11-21T00:00:00Z'), log }
  await assert.rejects(backUpWhenDue(options, signal), /disk full/)
  assert.deepEqual(await readdir(folder), ['daily-20261101T000000000Z.db'])
})

test('a running program makes restorable backups, aborts one on stop, and makes none with BACKUP_KEEP=0', async (t) => {
  const dataDir = temporaryFolder(t)
  const path = join(dataDir, 'signpost.db')
  const db = connectSqlite(path)
  await migrate(db)
  await storeForm(db, 'quote')
  await db.destroy()
  makeSecretKey(join(dataDir, 'secret.key'))
  const messages: string[] = []
  const say = (_details: object, message: string) => void messages.push(message)
  const start = (backupKeep: number) => {
    const backups = createDailyBackups({
      db,
      config: {
        ...{ dataDir, databaseUrl: `file:${path}`, backupKeep },
        filePlace: { kind: 'disk', folder: dataDir },
      },
      log: { info: say, error: say },
      firstCheckMs: 0,
    })
    backups?.start()
    return backups
  }
  const folder = join(dataDir, 'backups')
  assert.equal(existsSync(folder), false)
  const stopped = start(7)
  await waitFor(() => existsSync(folder))
  await stopped?.stop()
  assert.equal(start(0), undefined)
  assert.deepEqual([await readdir(folder), messages], [[], []])

  const backups = start(7)
  await waitFor(() => messages.length > 0, 60_000)
  await backups?.stop()
  const [name = ''] = await readdir(folder)
  assert.deepEqual([messages, /^daily-.*\.db$/.test(name)], [['backup created'], true])
  const elsewhere = temporaryFolder(t)
  await copyFile(join(dataDir, 'secret.key'), join(elsewhere, 'secret.key'))
  const restored = await runScript('restore.ts', { dataDir: elsewhere, arguments: [join(folder, name)] })
  assert.equal(restored.code, 0, restored.output)
  const copy = connectSqlite(join(elsewhere, 'signpost.db'))
  const slugs = await copy.selectFrom('forms').select('slug').where('slug', '=', 'quote').execute()
  await copy.destroy()
  assert.deepEqual(slugs, [{ slug: 'quote' }])
})
