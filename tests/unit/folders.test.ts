import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const SRC = join(import.meta.dirname, '../../src')
const MOST_FILES = 25

test('no folder of src holds more files than a person reads at a glance', () => {
  const folders = [SRC, ...readdirSync(SRC, { recursive: true, withFileTypes: true })]
    .filter((one) => typeof one === 'string' || one.isDirectory())
    .map((one) => (typeof one === 'string' ? one : join(one.parentPath, one.name)))
  const sizes = folders.map((folder) => ({
    folder,
    files: readdirSync(folder, { withFileTypes: true }).filter((one) => one.isFile()).length,
  }))
  assert.ok(sizes.length > 50)
  assert.deepEqual(
    sizes.filter(({ files }) => files > MOST_FILES),
    [],
  )
})
