import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Renaming } from '../../src/integration/components.ts'
import { type ComponentFacts, readComponents } from '../../src/integration/upgrades/component-facts.ts'
import { isMissing } from '../../src/lib/is-missing.ts'
import { upgradeTexts } from '../../src/messages/command-line/upgrade.ts'
import { exportedNames } from './exported-names.ts'
import type { PublicExports } from './gone-imports.ts'

/** Another version of the program, for comparison with the installed one. */
export interface OtherVersion {
  version: string
  components: ReadonlyMap<string, ComponentFacts>
  exports: PublicExports
  migrations: string[]
  /** Migrations after which the version before doesn't work with the database. */
  contracting: string[]
  /** Names that it or earlier versions replaced. */
  renamed: readonly Renaming[]
  changelog: string
}

/** Unpacks a version, a name with a version, or a tarball, and deletes it after the work. Never runs any of it. */
export async function withVersion(spec: string, work: (other: OtherVersion) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'signpost-upgrade-'))
  try {
    unpack(spec, folder)
    await work(await readVersion(join(folder, 'package')))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function unpack(spec: string, folder: string) {
  const path = resolve(spec.replace(/^file:/, ''))
  const wanted = /^\d/.test(spec) ? `signpost@${spec}` : spec
  try {
    const tarball = /\.tgz$/.test(spec) ? path : join(folder, pack(wanted, folder))
    execFileSync('tar', ['-xzf', tarball, '-C', folder], { stdio: ['ignore', 'ignore', 'pipe'] })
  } catch (error) {
    throw new Error(upgradeTexts.notAPackage(spec), { cause: error })
  }
}

function pack(spec: string, folder: string): string {
  const args = ['pack', spec, '--silent', '--ignore-scripts', '--pack-destination', folder]
  return execFileSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
}

async function readVersion(folder: string): Promise<OtherVersion> {
  const file = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const program = join(folder, 'package')
  const names = await import(pathToFileURL(join(program, 'src/integration/components.js')).href)
  const changelog = join(folder, 'CHANGELOG.md')
  return {
    version: file.version,
    components: readComponents(program, names.COMPONENTS),
    exports: readExports(folder, file.exports),
    migrations: await listMigrations(program),
    contracting: listContracting(program),
    renamed: names.RENAMED ?? [],
    changelog: isMissing(changelog) ? '' : readFileSync(changelog, 'utf8'),
  }
}

// The names in a module are those in its declarations, which contain its types too.
function readExports(folder: string, exports: Readonly<Record<string, string>>): PublicExports {
  const names = Object.entries(exports).flatMap(([module, path]): [string, Set<string>][] => {
    const file = join(folder, path.replace(/\.js$/, '.d.ts'))
    if (!path.endsWith('.js') || path.includes('*') || isMissing(file)) return []
    return [[module, exportedNames(readFileSync(file, 'utf8'))]]
  })
  return { modules: new Set(Object.keys(exports)), names: new Map(names) }
}

/** Lists the migrations of a program folder by name, in order. */
export async function listMigrations(programDir: string): Promise<string[]> {
  const files = readdirSync(join(programDir, 'migrations'))
  const names = files.flatMap((file) => /^(\d{4}_\w+)\.[jt]s$/.exec(file)?.[1] ?? [])
  return [...new Set(names)].sort()
}

// Read as text: the packages that a migration imports are not there.
function listContracting(programDir: string): string[] {
  const folder = join(programDir, 'migrations')
  const files = readdirSync(folder).filter((file) =>
    /^export const contracts\b.*= true/m.test(readFileSync(join(folder, file), 'utf8')),
  )
  return files.map((file) => file.replace(/\.\w+$/, ''))
}
