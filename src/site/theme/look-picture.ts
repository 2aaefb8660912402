import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMissing } from '../../lib/is-missing.ts'
import { PROGRAM_DIR } from '../../lib/program/folders.ts'
import { lookOf, PRESETS } from './looks.ts'

/** Returns a preset's picture as a data URI, because it may lie outside the site; undefined without one. */
export function lookPicture(preset: string): string | undefined {
  // A form may send any name, also of a file in another folder.
  if (!PRESETS.has(preset)) return undefined
  const look = lookOf(preset)
  const file = look
    ? join(look.folder, 'picture.webp')
    : join(PROGRAM_DIR, 'src/assets/looks', `${preset}.webp`)
  return isMissing(file) ? undefined : `data:image/webp;base64,${readFileSync(file, 'base64')}`
}
