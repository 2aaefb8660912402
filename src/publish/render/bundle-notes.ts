import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMissing } from '../../lib/is-missing.ts'

/** File of a bundle with what its build found doubtful, as a list of sentences. */
export const BUNDLE_NOTES = 'notes.json'

/** Returns the sentences of a bundle's build. */
export function readBundleNotes(folder: string): string[] {
  const file = join(folder, BUNDLE_NOTES)
  return isMissing(file) ? [] : JSON.parse(readFileSync(file, 'utf8'))
}
