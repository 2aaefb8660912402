import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const PROJECT = join(import.meta.dirname, '../..')
const textOf = (file: string) => readFileSync(join(PROJECT, file), 'utf8')

test('npm test runs every test file, and none twice', () => {
  const script: string = JSON.parse(textOf('package.json')).scripts.test
  const started = [...script.matchAll(/"(tests\/[^"]+)"/g)].flatMap(([, pattern = '']) => filesOf(pattern))
  const imported = started
    .flatMap((file) => [...textOf(file).matchAll(/^importTests\('([^']+)'\)$/gm)])
    .flatMap(([, folders]) => filesOf(`tests/${folders}/**/*.test.ts`))
  assert.ok(imported.length > 0)
  assert.deepEqual([...started, ...imported].sort(), filesOf('tests/**/*.test.ts'))
})

function filesOf(pattern: string): string[] {
  return globSync(pattern, { cwd: PROJECT }).sort()
}
