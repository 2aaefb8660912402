import { globSync } from 'node:fs'
import { join } from 'node:path'

const PROJECT = join(import.meta.dirname, '../..')

// Tests mostly have the folder of what they test.
const ALSO_TESTED_BY: Readonly<Record<string, readonly string[]>> = {
  submissions: ['inbox', 'dashboard'],
}

/** Returns the test files for a file or folder of `src`; none when nothing is near. */
export function nearestTests(path: string): string[] {
  const area = path.split('/')[1] ?? ''
  const folders = [area, ...(ALSO_TESTED_BY[area] ?? [])]
  return folders
    .flatMap((folder) => globSync(`tests/{unit,integration}/${folder}/**/*.test.ts`, { cwd: PROJECT }))
    .sort()
}
