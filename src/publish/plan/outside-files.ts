import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { PROGRAM_DIR } from '../../lib/program/folders.ts'
import { LOOKS } from '../../site/theme/looks.ts'
import { derivedFromFile } from './derived-from-file.ts'

const CONFIGURATION = 'astro.config.mjs'
const SKIPPED_FOLDERS = new Set(['node_modules', '.git'])
const WITH_IMPORTS = /\.(?:astro|[cm]?[jt]sx?|vue|svelte|mdx?|css|s[ac]ss|less)$/
const QUOTED = /(['"`])([^'"`\n]+)\1/g
const RELATIVE = /(['"`])(\.\.?\/[^'"`\n?]+)(?:\?[^'"`\n]*)?\1/g
// Folders of Astro's content collections: `glob({ base: './posts' })`.
const BASE = /\bbase:\s*(['"`])([^'"`\n]+)\1/g
const COLLECTIONS = ['ts', 'mts', 'js', 'mjs'].map((ending) => join('src', `content.config.${ending}`))
const IN_PACKAGES = /[\\/]node_modules[\\/]/
// An import may leave them out.
const ENDINGS = ['', '.ts', '.js', '.mjs', '.tsx', '.jsx', '.json', '/index.ts', '/index.js']

const quotedIn = derivedFromFile((bytes) => textsOf(bytes, QUOTED))
const relativeIn = derivedFromFile((bytes) => textsOf(bytes, RELATIVE))
const basesIn = derivedFromFile((bytes) => textsOf(bytes, BASE))
const dependenciesOf = derivedFromFile((bytes) => {
  const { dependencies, devDependencies } = JSON.parse(bytes.toString())
  return Object.keys({ ...dependencies, ...devDependencies })
})

/**
 * Lists the files outside `src` that a site consists of, relative to its folder: those that `astro.config.mjs` and
 * `src/content.config.ts` name, those that its files import by a relative path, and all files of linked packages. Other
 * packages are in the lock file.
 */
export function listOutsideFiles(siteDir: string): string[] {
  const source = join(siteDir, 'src')
  const own = filesBelow(source)
  const looks = filesBelow(join(siteDir, 'looks'))
  const linked = [
    ...linkedFolders(siteDir).flatMap(filesBelow),
    ...own.filter((path) => !isBelow(source, path)),
  ]
  const imported = own.flatMap((path) => importedFiles(siteDir, path))
  const configured = [...configuredFiles(siteDir), ...collectedFiles(siteDir)]
  const found = new Set([...looks, ...configured, ...linked, ...imported])
  // A set includes what is added meanwhile.
  for (const path of found) for (const next of importedFiles(siteDir, path)) found.add(next)
  const files = [...found].map((path) => siteFile(siteDir, path)).filter((file) => file !== undefined)
  return [...new Set(files)].filter((file) => !file.startsWith('src/')).sort()
}

/**
 * Returns a file's path relative to the site's folder, with links resolved; undefined for files of the program and of
 * looks, which every page depends on.
 */
export function siteFile(siteDir: string, path: string): string | undefined {
  const real = realPath(path)
  const folders = [PROGRAM_DIR, ...LOOKS.map(({ folder }) => realPath(folder))]
  if (folders.some((folder) => isBelow(folder, real))) return undefined
  return relative(realPath(siteDir), real).split(sep).join('/')
}

/** Returns the path with links resolved; unchanged for a missing file. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}

function textsOf(bytes: Buffer, pattern: RegExp): string[] {
  return [...bytes.toString().matchAll(pattern)].map(([, , text = '']) => text)
}

// The path of a component need not start with a dot.
function configuredFiles(siteDir: string): string[] {
  const texts = quotedIn(join(siteDir, CONFIGURATION)) ?? []
  return texts.map((text) => resolve(siteDir, text)).filter(isFile)
}

// Entries of content collections are read, not imported.
function collectedFiles(siteDir: string): string[] {
  const files = COLLECTIONS.map((name) => join(siteDir, name)).filter(isFile)
  const named = files.flatMap((file) => quotedIn(file) ?? []).map((text) => resolve(siteDir, text))
  const folders = files.flatMap((file) => basesIn(file) ?? []).map((text) => resolve(siteDir, text))
  return [
    ...named.filter(isFile),
    ...folders.filter((folder) => isBelow(siteDir, folder)).flatMap(filesBelow),
  ]
}

function importedFiles(siteDir: string, path: string): string[] {
  if (!WITH_IMPORTS.test(path)) return []
  const all = (relativeIn(path) ?? []).map((text) => resolve(dirname(path), text))
  const outside = all.filter((imported) => !isBelow(join(siteDir, 'src'), imported))
  return outside.flatMap((imported) => {
    const file = candidates(imported).find(isFile)
    return file === undefined || isBelow(PROGRAM_DIR, realPath(file)) ? [] : [file]
  })
}

function candidates(path: string): string[] {
  const source = path.replace(/\.([cm]?)js(x?)$/, '.$1ts$2')
  return [...ENDINGS.map((ending) => path + ending), source]
}

// The lock file doesn't reflect their changes.
function linkedFolders(siteDir: string): string[] {
  const file = join(siteDir, 'package.json')
  const { paths } = createRequire(file).resolve
  return (dependenciesOf(file) ?? []).flatMap((name) => {
    const place = (paths(name) ?? []).map((folder) => join(folder, name)).find(isFolder)
    if (place === undefined) return []
    const folder = realPath(place)
    const holdsOthers = [PROGRAM_DIR, realPath(siteDir)].some((other) => isBelow(folder, other))
    return IN_PACKAGES.test(folder) || holdsOthers ? [] : [folder]
  })
}

function filesBelow(folder: string): string[] {
  if (!isFolder(folder)) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => filesOf(folder, entry))
}

function filesOf(folder: string, entry: Dirent): string[] {
  const path = join(folder, entry.name)
  if (entry.isSymbolicLink()) return [realPath(path)]
  if (!entry.isDirectory()) return [path]
  return SKIPPED_FOLDERS.has(entry.name) ? [] : filesBelow(path)
}

function isBelow(folder: string, path: string): boolean {
  return path.startsWith(folder + sep)
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
