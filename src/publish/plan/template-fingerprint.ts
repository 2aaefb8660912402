import { createHash, type Hash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { PROGRAM_DIR } from '../../lib/program/folders.ts'
import { LOOKS } from '../../site/theme/looks.ts'
import type { TemplateParts } from '../render/template-parts.ts'

// Sources here, compiled in a site's package.
const MODULE = extname(import.meta.filename)
const LOCK_FILE = 'package-lock.json'
const CONFIGURATION = ['astro.config.mjs', LOCK_FILE]
const PROGRAM_SOURCE = join(PROGRAM_DIR, 'src', '/')
// Fields of sections: the views of pages have their values.
const FIELDS = /^src\/components\/sections\/\w+\.ts$/

// All that decides how a public page's view becomes HTML. What a page says is in its view, so src/site does not belong
// here (of Markdown the view has the text); nor does the admin, which is in the same bundle.
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
// A site's own, where it has them.
const SITE_TEMPLATES = ['src']
// About a millisecond's worth: there are hundreds of files, and a promise for each triples the work.
const FILES_A_TURN = 50
const SETTLED_MS = 2_000
const NOT_PUBLIC = /^src\/(pages\/(admin|api)|layouts\/(Admin|Entrance)|styles\/admin)/

// Hashes of files by their paths, each with the file's state on the disk.
const hashes = new Map<string, { state: string; hash: string }>()

/** Changes whenever the bundle would: with any source of program or site, the configuration, or a library. 16 hex digits. */
export async function bundleFingerprint(siteDir: string): Promise<string> {
  const hash = createHash('sha256')
  await addFiles(hash, siteDir, ['src', 'package.json', ...CONFIGURATION])
  if (siteDir !== PROGRAM_DIR) await addFiles(hash, PROGRAM_DIR, ['src', 'package.json'])
  await addLooks(hash)
  return shorten(hash)
}

/**
 * Changes exactly when public pages have to be rendered again: with a template, style, the configuration or a library,
 * or when the bundle calls one of their assets by another name. 16 hex digits.
 */
export async function templateFingerprint(
  siteDir: string,
  { assetNames, files }: Pick<TemplateParts, 'files'> & { assetNames: readonly string[] },
): Promise<string> {
  const hash = createHash('sha256')
  await addFiles(hash, PROGRAM_DIR, PUBLIC_TEMPLATES, { except: (file) => NOT_PUBLIC.test(file) })
  if (siteDir === PROGRAM_DIR) await addFiles(hash, siteDir, CONFIGURATION)
  else {
    await addFiles(hash, siteDir, [LOCK_FILE])
    hash.update(`${withoutReplacements(siteDir)}\0`)
    // The rest of them belongs to pages of its own, or to no page.
    await addFiles(hash, siteDir, SITE_TEMPLATES, {
      except: (file) => files.includes(file) || FIELDS.test(file),
    })
  }
  await addLooks(hash)
  for (const name of [...assetNames].sort()) hash.update(`${name}\0`)
  return shorten(hash)
}

// Those outside of `src`: a package may be a link to a folder, which no lock file notices.
async function addLooks(hash: Hash) {
  for (const { folder } of LOOKS) if (!folder.startsWith(PROGRAM_SOURCE)) await addFiles(hash, folder, ['.'])
}

// The parts of templates have which file replaces which component. Any other line may change every page.
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

// Files and folders. A site need not have each of them.
function namesBelow(folder: string, source: string): string[] {
  const found = statSync(join(folder, source), { throwIfNoEntry: false })
  if (!found?.isDirectory()) return found ? [source] : []
  const names = readdirSync(join(folder, source), { recursive: true, encoding: 'utf8' })
  return names.map((name) => join(source, name)).sort()
}

// Undefined for a folder. Reading is most of the work, and most files are as they were at the last publish.
function hashFile(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found?.isFile()) return undefined
  const state = `${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}`
  const known = hashes.get(path)
  if (known?.state === state) return known.hash
  const hash = createHash('sha256').update(readFileSync(path)).digest('base64')
  // One that changes again within a tick of the disk's clock keeps its times.
  if (Date.now() - found.ctimeMs > SETTLED_MS) hashes.set(path, { state, hash })
  return hash
}

function shorten(hash: Hash): string {
  return hash.digest('hex').slice(0, 16)
}
