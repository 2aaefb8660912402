import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { findHoldingBackups } from '#src/backups/holding-backups.ts'
import { temporaryFolder } from '../../support/database.ts'

const MONDAY = 'daily-20261116T100000000Z.db'
const TUESDAY = 'daily-20261117T100000000Z.db'
const RESTORE = 'before-restore-20261116T120000000Z.db'

function aFolder(t: TestContext, ...names: string[]): string {
  const folder = temporaryFolder(t)
  for (const name of names) writeFileSync(join(folder, name), '')
  return folder
}

test('data stays in daily backups until enough newer ones replace them', async (t) => {
  const folder = aFolder(t, MONDAY, TUESDAY, 'notes.txt', `${TUESDAY}.unfinished`)
  assert.deepEqual(await findHoldingBackups(folder, { keep: 7 }), {
    until: '2026-11-24T10:00:00.000Z',
    lasting: [],
  })
})

test('backups older than the data don’t count', async (t) => {
  const folder = aFolder(t, MONDAY, TUESDAY, RESTORE)
  const since = '2026-11-17T10:00:01.000Z'
  assert.deepEqual(await findHoldingBackups(folder, { keep: 7, since }), { until: undefined, lasting: [] })
})

test('backups that are never deleted are listed: those from before a restore, and daily ones once turned off', async (t) => {
  const folder = aFolder(t, MONDAY, TUESDAY, RESTORE)
  const since = '2026-11-16T11:00:00.000Z'
  assert.deepEqual((await findHoldingBackups(folder, { keep: 7, since })).lasting, [RESTORE])
  assert.deepEqual(await findHoldingBackups(folder, { keep: 0, since }), {
    until: undefined,
    lasting: [TUESDAY, RESTORE],
  })
})

test('a backup from before a restore doesn’t prolong the retention of daily backups', async (t) => {
  const folder = aFolder(t, MONDAY, RESTORE)
  assert.equal((await findHoldingBackups(folder, { keep: 7 })).until, '2026-11-23T10:00:00.000Z')
})

test('a server without backups reports none', async (t) => {
  const folder = join(temporaryFolder(t), 'backups')
  assert.deepEqual(await findHoldingBackups(folder, { keep: 7 }), { until: undefined, lasting: [] })
})
