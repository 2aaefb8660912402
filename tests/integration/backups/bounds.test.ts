import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { backUpWhenDue, createAutomaticBackups } from '#src/backups/automatic-backups.ts'
import { findHoldingBackups } from '#src/backups/holding-backups.ts'
import {
  backupStoreOf,
  copyStoredBackup,
  listStoredBackups,
  removeStoredBackup,
  storeBackups,
} from '#src/backups/stored-backups.ts'
import { openDiskFiles } from '#src/files/disk-files.ts'
import type { FileStore } from '#src/files/file-store.ts'
import { temporaryFolder } from '#tests/support/database.ts'

const MADE_AT = Date.UTC(2026, 10, 20, 10)
const MADE = 'daily-20261120T100000000Z.db'
const DAY_MS = 86_400_000
const log = { info() {}, error() {} }
const { signal } = new AbortController()

function aFolder(t: Parameters<typeof temporaryFolder>[0], ...names: string[]) {
  const folder = temporaryFolder(t)
  for (const name of names) writeFileSync(join(folder, name), '')
  const made: string[] = []
  const makeBackup = async (file: string) => {
    writeFileSync(file, '')
    made.push(file)
  }
  const backUp = (at: number, keep: number) =>
    backUpWhenDue({ folder, keep, makeBackup, now: () => new Date(at), log }, signal)
  return { folder, backUp, made, count: () => readdirSync(folder).length }
}

test('the next backup is due a day after the newest one, even if that is dated in the future', async (t) => {
  for (const [afterMs, count] of [
    [-1, 1],
    [0, 0],
    [DAY_MS - 1, 0],
    [DAY_MS, 1],
  ] as const) {
    const folder = aFolder(t, MADE)
    await folder.backUp(MADE_AT + afterMs, 7)
    assert.equal(folder.made.length, count, String(afterMs))
  }
})

test('backups are checked one minute after the start, then every ten minutes', async (t) => {
  const folder = temporaryFolder(t)
  const pauses: number[] = []
  const enough = Promise.withResolvers<void>()
  // Time stands still in a turn, and a pause ends at once.
  t.mock.method(performance, 'now', () => 0)
  t.mock.method(globalThis, 'setTimeout', (wake: () => void, ms: number) => {
    pauses.push(ms)
    if (pauses.length === 3) enough.resolve()
    else setImmediate(wake)
  })
  const makeBackup = async (file: string) => writeFileSync(file, '')
  const now = () => new Date(MADE_AT)
  const backups = createAutomaticBackups({ folder, keep: 7, makeBackup, now, log })
  backups.start()
  await enough.promise
  await backups.stop()
  assert.deepEqual(pauses, [60_000, 600_000, 600_000])
})

test('the configured number of backups is kept', async (t) => {
  const folder = aFolder(t)
  for (const [day, count] of [1, 2, 3, 3].entries()) {
    await folder.backUp(MADE_AT + day * DAY_MS, 3)
    assert.equal(folder.count(), count, `day ${day}`)
  }
})

test('a backup contains everything stored before it was made', async (t) => {
  const { folder } = aFolder(t, MADE)
  const until = new Date(MADE_AT + 7 * DAY_MS).toISOString()
  for (const [storedAt, held] of [
    [MADE_AT - 1, until],
    [MADE_AT, until],
    [MADE_AT + 1, undefined],
  ] as const) {
    const since = new Date(storedAt).toISOString()
    assert.equal((await findHoldingBackups(folder, { keep: 7, since })).until, held, since)
  }
})

test('a server with backups turned off deletes none', async (t) => {
  const { folder } = aFolder(t, MADE)
  for (const [keep, lasting] of [
    [0, [MADE]],
    [1, []],
  ] as const)
    assert.deepEqual((await findHoldingBackups(folder, { keep })).lasting, lasting, String(keep))
})

test('backups on another disk are listed newest first, copied for their owner only, and removed', async (t) => {
  const [dataDir, elsewhere] = [temporaryFolder(t), temporaryFolder(t)]
  assert.equal(backupStoreOf({ filePlace: { kind: 'disk', folder: dataDir }, dataDir }), undefined)
  const store = backupStoreOf({ filePlace: { kind: 'disk', folder: elsewhere }, dataDir }) as FileStore
  const [older, newer] = ['daily-20261119T100000000Z.db', MADE]
  for (const name of [newer, `x${newer}`, `${newer}.unfinished`, older]) {
    writeFileSync(join(dataDir, name), name)
  }
  assert.equal(await storeBackups(store, dataDir), 2)
  assert.deepEqual(readdirSync(dataDir).sort(), [`${newer}.unfinished`, `x${newer}`])
  writeFileSync(join(elsewhere, 'backups/notes.txt'), '')
  assert.deepEqual(await listStoredBackups(store), [newer, older])
  const path = join(dataDir, 'new/folder/copy.db')
  assert.deepEqual([await copyStoredBackup(store, 'daily-1.db', path), existsSync(path)], [false, false])
  assert.equal(await copyStoredBackup(store, newer, path), true)
  assert.deepEqual([readFileSync(path, 'utf8'), statSync(path).mode & 0o777], [newer, 0o600])
  await removeStoredBackup(store, newer)
  assert.deepEqual(await listStoredBackups(store), [older])
})

test('a backup that is stored late displaces the oldest although none is due', async (t) => {
  const [folder, elsewhere] = [temporaryFolder(t), temporaryFolder(t)]
  const store = openDiskFiles(elsewhere)
  const older = 'daily-20261119T100000000Z.db'
  await store.write(`backups/${older}`, new Blob(['older']))
  writeFileSync(join(folder, MADE), 'late')
  const turn = { claim: async () => false, settle: async () => assert.fail('nothing was made') }
  const makeBackup = async () => assert.fail('none is due')
  await backUpWhenDue({ folder, store, keep: 1, makeBackup, now: () => new Date(MADE_AT), log, turn }, signal)
  assert.deepEqual(await listStoredBackups(store), [MADE])
})
