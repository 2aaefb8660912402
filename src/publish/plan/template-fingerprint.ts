import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'

const BUILD = ['astro.config.mjs', 'package-lock.json', 'src/server/bundle-plugins.ts']

// All that decides how a public page's view becomes HTML. What a page says is in its view, so src/site does not belong
// here (of Markdown the view has the text); nor does the admin, which is in the same bundle.
const PUBLIC_TEMPLATES = [
  'src/assets',
  'src/components',
  'src/layouts',
  'src/pages',
  'src/styles',
  'src/lib/markdown/markdown.ts',
  'src/server/bundle-entry.ts',
  ...BUILD,
]
// About a millisecond's worth: each publish reads hundreds of files, and a promise for each triples the work.
const FILES_A_TURN = 50
const NOT_PUBLIC = /^src\/(pages\/(admin|api)|layouts\/(Admin|Entrance)|styles\/admin)/

/** Changes whenever the bundle would: with any source of the program, the configuration or a library. 16 hex digits. */
export async function bundleFingerprint(projectDir: string): Promise<string> {
  return hashOf(projectDir, ['src', ...BUILD, 'package.json'])
}

/**
 * Changes exactly when public pages have to be rendered again: with a template, style, the configuration or a library,
 * or when the bundle calls one of their assets by another name. 16 hex digits.
 */
export async function templateFingerprint(
  projectDir: string,
  assetNames: readonly string[],
): Promise<string> {
  return hashOf(projectDir, PUBLIC_TEMPLATES, { except: NOT_PUBLIC, names: assetNames })
}

async function hashOf(
  projectDir: string,
  sources: readonly string[],
  { except, names = [] }: { except?: RegExp; names?: readonly string[] } = {},
): Promise<string> {
  const hash = createHash('sha256')
  const files = (await Promise.all(sources.map((source) => filesBelow(projectDir, source)))).flat()
  for (const [index, file] of files.entries()) {
    if (index % FILES_A_TURN === 0) await nextTurn()
    if (!except?.test(file)) hash.update(`${file}\0`).update(readFileSync(join(projectDir, file)))
  }
  for (const name of [...names].sort()) hash.update(`${name}\0`)
  return hash.digest('hex').slice(0, 16)
}

async function filesBelow(projectDir: string, source: string): Promise<string[]> {
  if (source.includes('.')) return [source]
  const entries = await readdir(join(projectDir, source), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(projectDir.length + 1))
    .sort()
}
