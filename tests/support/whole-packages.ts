import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const PROJECT = join(import.meta.dirname, '../..')
const CACHE = join(PROJECT, 'node_modules/.cache')

/**
 * Kysely and zod consist of 350 files, and reading them takes a third of a small test file's time. Test processes,
 * and what they start, load each as one file, bundled from the installed package once.
 */
const WHOLE = { kysely: 'kysely', 'kysely/migration': 'migration', zod: 'zod' }

const folder = join(CACHE, `whole-kysely-${versionOf('kysely')}-zod-${versionOf('zod')}`)
if (!existsSync(folder)) await makeWhole()
const urls = new Map(
  Object.entries(WHOLE).map(([name, file]) => [name, pathToFileURL(join(folder, `${file}.mjs`)).href]),
)

module.registerHooks({
  resolve(specifier, context, next) {
    const url = urls.get(specifier)
    const isOurs = url !== undefined && !context.parentURL?.includes('/node_modules/')
    return isOurs ? { url, format: 'module', shortCircuit: true } : next(specifier, context)
  },
})

const option = `--import=${pathToFileURL(join(import.meta.dirname, 'compile-cache.ts')).href}`
if (!process.env.NODE_OPTIONS?.includes(option))
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} ${option}`.trim()

async function makeWhole() {
  const { build } = await import('esbuild')
  mkdirSync(CACHE, { recursive: true })
  // Test files run in parallel; the first to finish wins.
  const unfinished = mkdtempSync(join(CACHE, 'whole-'))
  const entryPoints = Object.entries(WHOLE).map(([name, file]) => ({ in: name, out: file }))
  const format = { format: 'esm', outExtension: { '.js': '.mjs' }, platform: 'node' } as const
  const places = { absWorkingDir: PROJECT, entryPoints, outdir: unfinished }
  await build({ ...places, ...format, bundle: true, splitting: true, logLevel: 'error' })
  try {
    renameSync(unfinished, folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error
    rmSync(unfinished, { recursive: true })
  }
}

function versionOf(name: string): string {
  return JSON.parse(readFileSync(join(PROJECT, 'node_modules', name, 'package.json'), 'utf8')).version
}
