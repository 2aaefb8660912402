import { globSync } from 'node:fs'
import { join } from 'node:path'

const PROJECT = join(import.meta.dirname, '../..')

// Each starts a process. The small files of a folder share the process of the file in `by-folder` that imports them.
const PATTERNS = [
  'tests/{by-folder,promises}/*.test.ts',
  'tests/e2e/{,browsers/}*.test.ts',
  'tests/integration/*.test.ts',
]

// The slowest files, in this order: started last, one would run alone at the end.
const FIRST = [
  'tests/by-folder/admin-in-a-browser.test.ts',
  'tests/by-folder/admin.test.ts',
  'tests/by-folder/site-in-a-browser.test.ts',
  'tests/by-folder/publish.test.ts',
  'tests/by-folder/auth-and-backups.test.ts',
  'tests/by-folder/database-and-server.test.ts',
  'tests/by-folder/content-files.test.ts',
  'tests/e2e/astro-build.test.ts',
  'tests/by-folder/webhooks.test.ts',
  'tests/e2e/process.test.ts',
  'tests/e2e/browsers/form-journeys.test.ts',
]

/** Every test file that `npm test` starts, longest first; paths from the project's folder. */
export function listTestFiles(): string[] {
  const files = globSync(PATTERNS, { cwd: PROJECT }).sort()
  const missing = FIRST.filter((file) => !files.includes(file))
  if (missing.length > 0) throw new Error(`No such test file: ${missing.join(', ')}`)
  return [...FIRST, ...files.filter((file) => !FIRST.includes(file))]
}
