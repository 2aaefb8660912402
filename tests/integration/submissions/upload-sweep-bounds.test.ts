import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openDiskFiles } from '#src/files/disk-files.ts'
import { sweepUploads } from '#src/submissions/uploads/upload-sweep.ts'
import { openTestDatabase, temporaryFolder } from '#tests/support/database.ts'

const NOW = new Date('2026-11-20T10:00:00.000Z')
const DAY_MS = 86_400_000
const [AT_THE_LIMIT, BEYOND, SHORT, LONG] = ['a'.repeat(32), 'b'.repeat(32), 'c'.repeat(31), 'd'.repeat(33)]

test('a sweep removes folders with 32-digit names after 24 hours', async (t) => {
  const db = await openTestDatabase(t)
  const dataDir = temporaryFolder(t)
  const uploadsDir = join(dataDir, 'uploads')
  for (const parent of [join(uploadsDir, 'tmp'), uploadsDir]) {
    for (const [name, ageMs] of [
      [AT_THE_LIMIT, DAY_MS],
      [BEYOND, DAY_MS + 1],
      [SHORT, 2 * DAY_MS],
      [LONG, 2 * DAY_MS],
    ] as const) {
      mkdirSync(join(parent, name), { recursive: true })
      const changed = new Date(NOW.getTime() - ageMs)
      writeFileSync(join(parent, name, '1'), '')
      for (const path of [join(parent, name, '1'), join(parent, name)]) utimesSync(path, changed, changed)
    }
  }
  assert.equal(await sweepUploads(db, { files: openDiskFiles(dataDir), now: NOW }), 2)
  assert.deepEqual(readdirSync(join(uploadsDir, 'tmp')).sort(), [AT_THE_LIMIT, SHORT, LONG])
  assert.deepEqual(readdirSync(uploadsDir).sort(), [AT_THE_LIMIT, SHORT, LONG, 'tmp'])
})
