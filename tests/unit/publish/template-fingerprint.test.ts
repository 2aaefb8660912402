import assert from 'node:assert/strict'
import { mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { bundleFingerprint } from '#src/publish/plan/template-fingerprint.ts'
import { temporaryFolder } from '#tests/support/database.ts'

test('a bundle’s fingerprint changes with each edit, even of a file already read', async (t) => {
  const site = temporaryFolder(t)
  mkdirSync(join(site, 'src/pages'), { recursive: true })
  const file = join(site, 'src/pages/about.astro')
  writeFileSync(file, 'one')
  // As if they had been there for a while: only then is a file not read again.
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 60_000 })
  const seen = [await bundleFingerprint(site)]
  assert.equal(await bundleFingerprint(site), seen[0])
  const edits = [
    () => writeFileSync(file, 'three'),
    () => {
      const { atime, mtime } = statSync(file)
      writeFileSync(`${file}.new`, 'seven')
      utimesSync(`${file}.new`, atime, mtime)
      renameSync(`${file}.new`, file)
    },
    () => renameSync(file, join(site, 'src/pages/contact.astro')),
    () => writeFileSync(file, ''),
    () => rmSync(file),
    () => writeFileSync(join(site, 'signpost.overrides.json'), '{}'),
  ]
  for (const edit of edits) {
    edit()
    seen.push(await bundleFingerprint(site))
  }
  assert.equal(seen.at(-2), seen.at(-4), 'the added file is gone')
  assert.equal(new Set(seen).size, edits.length)
})
