import assert from 'node:assert/strict'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { backUpWhenDue } from '../../../src/backups/automatic-backups.ts'
import { temporaryFolder } from '../../support/database.ts'

const HOUR_MS = 3_600_000
const log = { info() {}, error() {} }
const { signal } = new AbortController()

test('one backup a day is made, the last ones are kept, other files are left alone', async (t) => {
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

test('a backup that fails removes none of the earlier ones', async (t) => {
  const folder = temporaryFolder(t)
  await writeFile(join(folder, 'daily-20261101T000000000Z.db'), 'copy')
  const makeBackup = () => Promise.reject(new Error('disk full'))
  const options = { folder, keep: 1, makeBackup, now: () => new Date('2026-11-21T00:00:00Z'), log }
  await assert.rejects(backUpWhenDue(options, signal), /disk full/)
  assert.deepEqual(await readdir(folder), ['daily-20261101T000000000Z.db'])
})
