import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import packageFile from '#package.json' with { type: 'json' }
import { ownEnvironment } from '../support/own-environment.ts'
import { PROJECT_DIR } from '../support/running-site.ts'
import { ISLAND_PACKAGES, OWN_PAGES } from './own-pages.ts'
import { OWN_SECTIONS, placeOwnSections } from './own-sections.ts'

/** Another header, and another location page with the sections of the site. */
const OWN_COMPONENTS: Readonly<Record<string, string>> = {
  'astro.config.mjs': astroConfig({ preact: '' }),
  'src/components/Header.astro': `---
import Default from 'signpost/components/Header.astro'
---

<p>Call us today</p>
<Default {...Astro.props} />
`,
  'src/components/LocationPage.astro': `---
import Faq from 'signpost/components/Faq.astro'
import OwnSection from 'signpost/components/OwnSection.astro'

const { view } = Astro.props
const { detail } = view
---

<h1>{detail.service.title} near you: {detail.heading}</h1>
{detail.sections.map((name) => <OwnSection {name} values={detail.ownSections} {view} />)}
{detail.service.faq.length > 0 && <Faq faq={detail.service.faq} />}
`,
  'src/styles/site.css': 'h1 {\n  color: rgb(1, 2, 3);\n}\n',
}

/**
 * Returns the configuration of a site with these integrations of frameworks, by name with their options, and components of its own,
 * of which the first two are always there.
 */
export function astroConfig(
  frameworks: Readonly<Record<string, string>>,
  { components = [], settings = '' }: { components?: readonly string[]; settings?: string } = {},
): string {
  const imports = Object.keys(frameworks).map((name) => `import ${name} from '@astrojs/${name}'\n`)
  const replaced = ['Header', 'LocationPage', ...components].map(
    (name) => `${name}: './src/components/${name}.astro'`,
  )
  const calls = Object.entries(frameworks).map(([name, options]) => `${name}(${options})`)
  return `${imports.join('')}import { defineConfig, fontProviders } from 'astro/config'
import signpost from 'signpost'

export default defineConfig({
  ${settings}
  integrations: [
    signpost({ components: { ${replaced.join(', ')} } }),
    ${calls.join(', ')},
  ],
})
`
}

/** Returns the tarball that `npm run test:package` packs first. */
export function packedProgram(): string {
  const tarball = join(PROJECT_DIR, 'reports', `signpost-${packageFile.version}.tgz`)
  if (existsSync(tarball)) return tarball
  throw new Error(`${tarball} is missing. Start these tests with npm run test:package`)
}

/** Makes a site with the packed `signpost new`, gives it components, a section, and pages, and installs it. */
export function makeSite(
  folder: string,
  { programDir, tarball, files = {}, packages = [] }: MadeSite,
): { site: string } {
  const site = join(folder, 'site')
  const asked = [site, '--yes', '--package', `file:${tarball}`]
  if (programDir) run(process.execPath, ['scripts/new.ts', ...asked], programDir)
  else run('npx', ['--yes', '--package', tarball, 'signpost', 'new', ...asked], folder)
  for (const [path, text] of Object.entries({ ...OWN_COMPONENTS, ...OWN_PAGES, ...OWN_SECTIONS, ...files }))
    writeOwn(site, path, text)
  placeOwnSections(site)
  install(site, [...ISLAND_PACKAGES, ...packages])
  return { site }
}

interface MadeSite {
  /** Folder of another version, whose `signpost new` needs no installation. */
  programDir?: string
  tarball: string
  /** More files of the site, by path. */
  files?: Readonly<Record<string, string>>
  /** More packages of the site. */
  packages?: readonly string[]
}

/** Installs packages in a site. */
export function install(site: string, packages: readonly string[]) {
  run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...packages], site)
}

/** Returns the names of the packages that a site has because of this one. */
export function packagesFor(site: string, name: string): Set<string> {
  const { packages } = JSON.parse(readFileSync(join(site, 'package-lock.json'), 'utf8')) as LockFile
  const found = new Set([name])
  // A set goes on with what is added meanwhile.
  for (const one of found)
    for (const [path, { dependencies, optionalDependencies }] of Object.entries(packages))
      if (path.endsWith(`node_modules/${one}`))
        for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) found.add(needed)
  return found
}

interface LockFile {
  packages: Record<string, { dependencies?: object; optionalDependencies?: object }>
}

/** Runs a command to its end. Throws with its output when it fails. */
export function run(file: string, args: readonly string[], cwd: string): string {
  const env = ownEnvironment({})
  return execFileSync(file, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

function writeOwn(site: string, path: string, text: string) {
  mkdirSync(dirname(join(site, path)), { recursive: true })
  writeFileSync(join(site, path), text)
}
