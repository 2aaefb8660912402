import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMissing } from '../../lib/is-missing.ts'

/** File in a bundle with the warnings of its build, as a list of sentences. */
export const BUNDLE_NOTES = 'notes.json'

/** Returns the warnings of a bundle's build. */
export function readBundleNotes(folder: string): string[] {
  const file = join(folder, BUNDLE_NOTES)
  return isMissing(file) ? [] : JSON.parse(readFileSync(file, 'utf8'))
}
