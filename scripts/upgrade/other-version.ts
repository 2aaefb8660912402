import { execFileSync, spawnSync } from 'node:child_process'
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

const NAMES = 'package/src/integration/components.js'

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
  const tarball = /\.tgz$/.test(spec) ? path : join(folder, pack(wanted, folder))
  try {
    execFileSync('tar', ['-xzf', tarball, '-C', folder], { stdio: ['ignore', 'ignore', 'pipe'] })
  } catch (error) {
    throw new Error(upgradeTexts.notAPackage(spec), { cause: error })
  }
  // Another package may have the name.
  if (isMissing(join(folder, 'package', NAMES))) throw new Error(upgradeTexts.notAPackage(spec))
}

function pack(spec: string, folder: string): string {
  const args = ['pack', spec, '--loglevel=error', '--ignore-scripts', '--pack-destination', folder]
  const { status, stdout, stderr, error } = spawnSync('npm', args, { encoding: 'utf8' })
  if (error) throw error
  if (status === 0) return stdout.trim()
  throw new Error(upgradeTexts.notDownloaded(spec, reasonOf(stderr)))
}

/** Returns the first line of npm's errors that says more than a code: `404 Not Found - GET https://…`. */
function reasonOf(output: string): string {
  const lines = output
    .split('\n')
    .flatMap((line) => /^npm (?:error|ERR!) (?!code |errno |syscall )(.+)/.exec(line)?.[1] ?? [])
  return (lines[0] ?? output).trim().replace(/\.$/, '')
}

async function readVersion(folder: string): Promise<OtherVersion> {
  const file = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const program = join(folder, 'package')
  const names = await import(pathToFileURL(join(folder, NAMES)).href)
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
