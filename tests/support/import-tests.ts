import { globSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'node:test'
// The browser that files share closes after the last of them, not after the one that loads it first.
import './browser.ts'

const TESTS = join(import.meta.dirname, '..')

/**
 * Runs the test files of folders below `tests` in this process. Most of them take less time than to load what they test,
 * which is much the same for all.
 */
export function importTests(folders: string): void {
  const files = globSync(`${folders}/**/*.test.ts`, { cwd: TESTS }).sort()
  if (files.length === 0) throw new Error(`No test file is below tests/${folders}`)
  // Nothing runs before all is loaded, and what a file does before or after its tests belongs to these alone.
  suite(folders, async () => {
    for (const file of files) await loadAsSuite(file)
  })
}

// A file that cannot be loaded fails on its own.
function loadAsSuite(file: string): Promise<void> {
  return new Promise((resolve) => {
    suite(file, () => import(join(TESTS, file)).finally(resolve))
  })
}
