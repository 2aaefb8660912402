import { join, relative, resolve, sep } from 'node:path'
import { PROGRAM_DIR } from '../../lib/program/folders.ts'
import type { Look } from '../../site/theme/looks.ts'

/** A component outside the program that replaces one of its components. */
export interface Replacement {
  /** Name of the replaced component. */
  name: string
  /** Path below the site's folder. */
  file: string
}

const OWN_LOOKS = join(PROGRAM_DIR, 'src') + sep

/** Lists what a site's options replace, and then what its looks do, except the looks that are part of the program. */
export function listReplacements(
  siteDir: string,
  overrides: Readonly<Record<string, string>>,
  looks: readonly Pick<Look, 'components'>[],
): Replacement[] {
  const ofLooks = looks.flatMap(({ components }) => [...components])
  const all = [...Object.entries(overrides), ...ofLooks.filter(([, file]) => !file.startsWith(OWN_LOOKS))]
  return all.map(([name, path]) => ({ name, file: relative(siteDir, resolve(siteDir, path)) }))
}
