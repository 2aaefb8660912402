import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '../../..')

/** Cells of the table whose first heading is `guarantee`, without its headings. */
function guaranteesIn(page: string): string[][] {
  const lines = readFileSync(join(ROOT, 'docs', page), 'utf8').split('\n')
  const first = lines.findIndex((line) => line.startsWith('| guarantee '))
  const rows = lines.slice(first + 2)
  const end = rows.findIndex((line) => !line.startsWith('|'))
  return rows.slice(0, end).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

test('each guarantee with several servers names its tests, and they exist', () => {
  const guarantees = guaranteesIn('deploying.md').map(([name]) => name)
  const tested = guaranteesIn('performance.md')
  assert.ok(guarantees.length > 10)
  assert.deepEqual(
    tested.map(([name]) => name),
    guarantees,
  )
  for (const [name = '', tests = ''] of tested) {
    const files = [...tests.matchAll(/`([^`]+)`/g)].map(([, file]) => `tests/${file}.test.ts`)
    assert.ok(files.length > 0, name)
    for (const file of files) assert.ok(existsSync(join(ROOT, file)), file)
  }
})
