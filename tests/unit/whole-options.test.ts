import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const PROJECT_DIR = join(import.meta.dirname, '../..')
const WHOLE = /\.\.\.(?:\w+\.)*(?:config|this\.#options)\b(?!\.|\()/

// TypeScript takes a spread of too much without a word: secrets would come along.
test('no function receives the whole configuration, or its caller’s options, by a spread', () => {
  const files = globSync(['src/**/*.{ts,astro}', 'scripts/**/*.ts'], { cwd: PROJECT_DIR })
  assert.ok(files.length > 500)
  const spreading = files.filter((file) => WHOLE.test(readFileSync(join(PROJECT_DIR, file), 'utf8')))
  assert.deepEqual(spreading, [])
})
