import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'
import packageFile from '#package.json' with { type: 'json' }
import { PROGRAM_DIR } from '../src/lib/program/folders.ts'
import { PACKED_SCRIPTS } from './package/packed-scripts.ts'

const OUT = join(PROGRAM_DIR, 'package')
const RELATIVE_MODULE = /(from\s*|import\s*\(?\s*|new URL\(\s*)(['"])(\.{1,2}\/[^'"]+?)\.ts\2/g

/**
 * Builds `package/`, which `npm pack` packs: JavaScript of every module a site needs, templates, styles, and
 * migrations.
 */
async function makePackage() {
  await rm(OUT, { recursive: true, force: true })
  await copyModules('src', () => true)
  await copyModules('migrations', () => true)
  await copyModules('scripts', (file) => PACKED_SCRIPTS.test(file))
  await writeFile(join(OUT, 'package.json'), `${JSON.stringify(scope(), undefined, 2)}\n`)
}

async function copyModules(folder: string, isWanted: (file: string) => boolean) {
  const entries = await readdir(join(PROGRAM_DIR, folder), { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name).slice(PROGRAM_DIR.length + 1)
    if (isWanted(path.slice(folder.length + 1))) await copyFile(path)
  }
}

async function copyFile(path: string) {
  const target = join(OUT, path.replace(/(?<!\.d)\.ts$/, '.js'))
  await mkdir(dirname(target), { recursive: true })
  if (!/\.(ts|astro)$/.test(path)) return cp(join(PROGRAM_DIR, path), target)
  const source = await readFile(join(PROGRAM_DIR, path), 'utf8')
  await writeFile(target, toJavaScript(path, source).replace(RELATIVE_MODULE, '$1$2$3.js$2'))
}

function toJavaScript(path: string, source: string): string {
  return path.endsWith('.ts') && !path.endsWith('.d.ts') ? stripTypeScriptTypes(source) : source
}

// Node and Vite resolve `#src/…` with the nearest package.json.
function scope() {
  const { name, version, type, engines, dependencies } = packageFile
  const devDependencies = { node: packageFile.devDependencies.node }
  const folders = ['migrations', 'scripts', 'src']
  const imports = folders.flatMap((folder) => [
    [`#${folder}/*.ts`, `./${folder}/*.js`],
    [`#${folder}/*`, `./${folder}/*`],
  ])
  return {
    name,
    version,
    type,
    engines,
    dependencies,
    devDependencies,
    imports: { ...Object.fromEntries(imports), '#package.json': './package.json' },
  }
}

await makePackage()
