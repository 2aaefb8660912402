import { createHash, type Hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { PROGRAM_DIR } from '../../lib/program/folders.ts'
import { LOOKS } from '../../site/theme/looks.ts'
import type { TemplateParts } from '../render/template-parts.ts'
import { derivedFromFile } from './derived-from-file.ts'
import { listOutsideFiles, realPath } from './outside-files.ts'

// Sources in the repository, compiled files in a package.
const MODULE = extname(import.meta.filename)
const LOCK_FILES = ['package-lock.json', 'pnpm-lock.yaml', 'yarn.lock']
// A publish copies them. Without a changed page, it would make no release.
const PUBLIC_FILES = 'public'
const CONFIGURATION = 'astro.config.mjs'
const PROGRAM_SOURCE = join(PROGRAM_DIR, 'src', '/')
// The fields of sections: the views of pages contain their values.
const FIELDS = /^src\/components\/sections\/\w+\.ts$/

// Everything that turns a public page's view into HTML. The text of a page is in its view, so src/site doesn't
// belong here (views contain Markdown as source), nor does the admin, which is in the same bundle.
const PUBLIC_TEMPLATES = [
  'src/assets',
  'src/components',
  'src/integration',
  'src/layouts',
  'src/pages',
  'src/styles',
  `src/lib/markdown/markdown${MODULE}`,
  `src/server/bundle-entry${MODULE}`,
  `src/server/bundle-plugins${MODULE}`,
]
/**
 * File beside `astro.config.mjs` with the version that each override was written for. A bundle keeps the warnings about
 * it, but no page depends on it.
 */
export const RECORD_FILE = 'signpost.overrides.json'
// About a millisecond of work. There are hundreds of files, and a promise for each would triple the work.
const FILES_A_TURN = 50
const NOT_PUBLIC = /^src\/(pages\/(admin|api)|layouts\/(Admin|Entrance)|styles\/admin)/

const hashFile = derivedFromFile((bytes) => createHash('sha256').update(bytes).digest('base64'))

/**
 * Changes whenever the bundle would: with any source of the program or site, a file in `public`, the configuration, or
 * a library. 16 hex digits.
 */
export async function bundleFingerprint(siteDir: string): Promise<string> {
  const hash = createHash('sha256')
  await addFiles(hash, siteDir, ['src', PUBLIC_FILES, 'package.json', RECORD_FILE, CONFIGURATION])
  await addFiles(hash, lockFolder(siteDir), LOCK_FILES)
  if (siteDir !== PROGRAM_DIR) {
    await addFiles(hash, realPath(siteDir), listOutsideFiles(siteDir))
    await addFiles(hash, PROGRAM_DIR, ['src', 'package.json'])
  }
  await addLooks(hash)
  return shorten(hash)
}

/**
 * Changes exactly when public pages must be rendered again: with a template, a style, a file in `public`, the
 * configuration, or a library, or when the bundle renames one of their assets. 16 hex digits.
 */
export async function templateFingerprint(
  siteDir: string,
  { assetNames, files }: Pick<TemplateParts, 'files'> & { assetNames: readonly string[] },
): Promise<string> {
  const hash = createHash('sha256')
  await addFiles(hash, PROGRAM_DIR, PUBLIC_TEMPLATES, { except: (file) => NOT_PUBLIC.test(file) })
  await addFiles(hash, siteDir, [PUBLIC_FILES])
  await addFiles(hash, lockFolder(siteDir), LOCK_FILES)
  if (siteDir === PROGRAM_DIR) await addFiles(hash, siteDir, [CONFIGURATION])
  else {
    hash.update(`${withoutReplacements(siteDir)}\0`)
    // Other files belong to single own pages, or to no page.
    await addFiles(hash, realPath(siteDir), ['src', ...listOutsideFiles(siteDir)], {
      except: (file) => files.includes(file) || FIELDS.test(file),
    })
  }
  await addLooks(hash)
  for (const name of [...assetNames].sort()) hash.update(`${name}\0`)
  return shorten(hash)
}

// The sites of a workspace share the lock file of a folder above them.
function lockFolder(siteDir: string): string {
  for (let folder = siteDir; ; folder = dirname(folder)) {
    if (LOCK_FILES.some((name) => existsSync(join(folder, name)))) return folder
    if (folder === dirname(folder)) return siteDir
  }
}

// Files outside `src`: a package may be a link to a folder, which the lock file doesn't reflect.
async function addLooks(hash: Hash) {
  for (const { folder } of LOOKS) if (!folder.startsWith(PROGRAM_SOURCE)) await addFiles(hash, folder, ['.'])
}

// Template parts record which file replaces which component. Any other line may affect every page.
function withoutReplacements(siteDir: string): string {
  const text = readFileSync(join(siteDir, 'astro.config.mjs'), 'utf8')
  const pairs = /\b[A-Z]\w*\s*:\s*(['"])[^'"\n]*\.astro\1\s*,?/g
  return text
    .replace(pairs, '')
    .replace(/\bcomponents\s*:\s*\{\s*\}\s*,?/, '')
    .replace(/\(\s*\{\s*\}\s*\)/, '()')
    .replace(/\s+/g, '')
    .replace(/,(?=[)\]}])/g, '')
}

async function addFiles(
  hash: Hash,
  folder: string,
  sources: readonly string[],
  { except = () => false }: { except?: (file: string) => boolean } = {},
) {
  const files = sources.flatMap((source) => namesBelow(folder, source))
  for (const [index, file] of files.entries()) {
    if (index % FILES_A_TURN === 0) await nextTurn()
    const content = except(file) ? undefined : hashFile(join(folder, file))
    if (content !== undefined) hash.update(`${file}\0${content}\0`)
  }
}

// Files and folders. A site need not have all of them.
function namesBelow(folder: string, source: string): string[] {
  const found = statSync(join(folder, source), { throwIfNoEntry: false })
  if (!found?.isDirectory()) return found ? [source] : []
  const names = readdirSync(join(folder, source), { recursive: true, encoding: 'utf8' })
  return names.map((name) => join(source, name)).sort()
}

function shorten(hash: Hash): string {
  return hash.digest('hex').slice(0, 16)
}
