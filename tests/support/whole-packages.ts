import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const PROJECT = join(import.meta.dirname, '../..')
const CACHE = join(PROJECT, 'node_modules/.cache')

/**
 * These packages consist of 650 files, and reading them takes a third of a small test file's time, and half of a
 * command's. Test processes, and what they start, load each as one file, bundled from the installed package once.
 */
const WHOLE = {
  kysely: 'kysely',
  'kysely/migration': 'migration',
  zod: 'zod',
  yaml: 'yaml',
  undici: 'undici',
  'libphonenumber-js/min': 'phones',
  htmlparser2: 'htmlparser2',
  'cli-progress': 'progress',
}

// Parts of an ES module that were written for CommonJS ask for Node's own modules.
const REQUIRE = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`

const folder = join(CACHE, `whole-${versionsOf(Object.keys(WHOLE))}`)
if (!existsSync(folder)) await makeWhole()
const urls = new Map(
  Object.entries(WHOLE).map(([name, file]) => [name, pathToFileURL(join(folder, `${file}.mjs`)).href]),
)

const project = pathToFileURL(`${PROJECT}/`).href
// Where a copy of the project with mutants is, which has its own files.
const reports = `${project}reports/`
const aliases = /^#(?=(?:src|tests)\/)/
const ownSource = /^(?:\.\.?\/|#(?:src|tests)\/).*\.ts$/

module.registerHooks({
  resolve(specifier, context, next) {
    const { parentURL = '' } = context
    if (parentURL.includes('/node_modules/')) return next(specifier, context)
    const url = urls.get(specifier)
    if (url !== undefined) return { url, format: 'module', shortCircuit: true }
    // Node asks the disk about each of some hundred files.
    const isOwn = parentURL.startsWith(project) && !parentURL.startsWith(reports)
    if (!isOwn || !ownSource.test(specifier)) return next(specifier, context)
    const own = new URL(specifier.replace(aliases, project), parentURL)
    return { url: own.href, format: 'module-typescript', shortCircuit: true }
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
  for (const [name, file] of Object.entries(WHOLE)) {
    // A package in CommonJS would come out with its default export alone.
    const names = Object.keys(await import(name)).filter((exported) => exported !== 'module.exports')
    writeFileSync(join(unfinished, `${file}.entry.mjs`), `export { ${names.join(', ')} } from '${name}'`)
  }
  const entryPoints = Object.values(WHOLE).map((file) => ({
    in: join(unfinished, `${file}.entry.mjs`),
    out: file,
  }))
  const format = { format: 'esm', outExtension: { '.js': '.mjs' }, platform: 'node' } as const
  const places = { absWorkingDir: PROJECT, entryPoints, outdir: unfinished, banner: { js: REQUIRE } }
  await build({ ...places, ...format, bundle: true, splitting: true, logLevel: 'error' })
  try {
    renameSync(unfinished, folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error
    rmSync(unfinished, { recursive: true })
  }
}

// Changes with the packages and with this file. 16 hex digits.
function versionsOf(names: string[]): string {
  const hash = createHash('sha256').update(readFileSync(import.meta.filename))
  for (const name of names) {
    const [packageName = ''] = name.split('/')
    hash.update(readFileSync(join(PROJECT, 'node_modules', packageName, 'package.json')))
  }
  return hash.digest('hex').slice(0, 16)
}
