import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import sharp from 'sharp'
import { addPicture } from '#src/pictures/add-picture.ts'
import { openPictureFiles } from '#src/pictures/picture-files.ts'
import { findPictureById } from '#src/pictures/picture-store.ts'
import { assertWithin } from '#tests/support/assert-within.ts'
import { openTestDatabase, temporaryFolder } from '#tests/support/database.ts'
import { hostileFiles, PAYLOAD } from '#tests/support/hostile-files.ts'

const MOST_MS = 10_000
const MOST_MEMORY_MIB = 100

test('hostile files are refused with a reason, or stored as pictures without their payload', async (t) => {
  const db = await openTestDatabase(t)
  const dataDir = temporaryFolder(t)
  const files = openPictureFiles(dataDir)
  const path = join(temporaryFolder(t), 'upload')
  const hostile = await hostileFiles()
  const outcomes: Record<string, string> = {}
  const peak = () => process.resourceUsage().maxRSS / 1024
  const peakBefore = peak()
  for (const { name, bytes } of hostile) {
    writeFileSync(path, bytes)
    const startedAt = performance.now()
    const outcome = await addPicture(db, files, { path, name }, { now: '2026-11-20T10:00:00.000Z' })
    const tookMs = performance.now() - startedAt
    assertWithin(tookMs, MOST_MS, name)
    if (outcome.kind === 'invalid') {
      outcomes[name] = outcome.problems.map(({ code }) => code).join()
      continue
    }
    assert.ok(outcome.kind === 'saved')
    assert.match(outcome.value.name, /^[a-z0-9][a-z0-9-]{0,60}\.(?:jpg|png|webp)$/, name)
    const picture = await findPictureById(db, outcome.value.id)
    const stored = await files.read(picture?.sha256 ?? '')
    assert.ok(stored)
    const { format, exif, icc, xmp, comments } = await sharp(stored).metadata()
    assert.equal({ jpeg: 'jpg' }[format as 'jpeg'] ?? format, outcome.value.name.split('.').at(-1), name)
    assert.deepEqual([exif, icc, xmp, comments], [undefined, undefined, undefined, undefined], name)
    for (const text of [PAYLOAD, '<?php', '<script', 'PK\x03\x04']) assert.ok(!stored.includes(text), name)
    outcomes[name] = 'stored'
  }
  assert.deepEqual(outcomes, Object.fromEntries(hostile.map(({ name, outcome }) => [name, outcome])))
  const grownMib = peak() - peakBefore
  assert.ok(grownMib < MOST_MEMORY_MIB, `memory grew by ${Math.round(grownMib)} MiB`)
  // Nothing else is on disk, above all nothing outside of the picture store.
  assert.deepEqual(await readdir(dataDir), ['pictures'])
  const names = await readdir(join(dataDir, 'pictures'), { recursive: true })
  for (const name of names) assert.match(name, /^[0-9a-f]{2}(?:\/[0-9a-f]{64})?$/)
})
