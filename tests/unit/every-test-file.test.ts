import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { listTestFiles } from '#scripts/check/test-files.ts'
import { skipWithout } from '../support/needed-tool.ts'

const PROJECT = join(import.meta.dirname, '../..')
const textOf = (file: string) => readFileSync(join(PROJECT, file), 'utf8')

test('npm test runs every test file, and none twice', () => {
  const started = listTestFiles()
  const imported = started
    .flatMap((file) => [...textOf(file).matchAll(/^importTests\('([^']+)'\)$/gm)])
    .flatMap(([, folders]) => filesOf(`tests/${folders}/**/*.test.ts`))
  assert.ok(imported.length > 0)
  assert.deepEqual([...started, ...imported].sort(), filesOf('tests/**/*.test.ts'))
})

test('a test without its tool is skipped, and fails in CI', (t) => {
  const { CI } = process.env
  t.after(() => setEnvironment(CI))
  const skips = () => [skipWithout(false, 'no tool'), skipWithout(true, 'no tool')]
  setEnvironment(undefined)
  assert.deepEqual(skips(), ['no tool', false])
  setEnvironment('true')
  assert.deepEqual(skips(), [false, false])
})

// A soak is its own command, a shallow clone has no history, and not every user may give files away.
const REASONS = /\bskip: (?:without\w+|skipWithout\(|!isSoak|onlySuperuser)/g
const SKIPS = /\bskip *[:,(}]/g

test('no test is skipped but for a missing tool', () => {
  const count = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].length
  const others = filesOf('tests/**/*.ts').filter((file) => {
    const text = textOf(file)
    return !import.meta.filename.endsWith(file) && count(text, SKIPS) > count(text, REASONS)
  })
  assert.deepEqual(others, [])
})

function setEnvironment(value: string | undefined) {
  if (value === undefined) delete process.env.CI
  else process.env.CI = value
}

function filesOf(pattern: string): string[] {
  return globSync(pattern, { cwd: PROJECT }).sort()
}
