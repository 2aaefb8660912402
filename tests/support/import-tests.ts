import { globSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'node:test'
// What files share closes after the last of them, not after the one that loaded it first.
import './browser.ts'
import './postgres-engine.ts'

const TESTS = join(import.meta.dirname, '..')

/**
 * Runs the test files of folders below `tests` in this process. Most take less time than loading the modules they
 * test, which are mostly the same.
 */
export function importTests(folders: string): void {
  const files = globSync(`${folders}/**/*.test.ts`, { cwd: TESTS }).sort()
  if (files.length === 0) throw new Error(`No test file is below tests/${folders}`)
  // Nothing runs before everything is loaded, and a file's hooks apply only to its own tests.
  suite(folders, async () => {
    for (const file of files) await loadAsSuite(file)
  })
}

// A file that can't be loaded fails on its own.
function loadAsSuite(file: string): Promise<void> {
  return new Promise((resolve) => {
    suite(file, () => import(join(TESTS, file)).finally(resolve))
  })
}
