import packageFile from '#package.json' with { type: 'json' }
import { slugOf } from '../../src/lib/slug.ts'
import { starterFileTexts } from '../../src/messages/command-line/new-site.ts'
import { SITE_COMMANDS } from '../site-commands.ts'

// npm warns about every other script that wants to run during an installation.
const SCRIPTS = { 'better-sqlite3': false, esbuild: false, node: true }

const ASTRO_CONFIG = `import { defineConfig } from 'astro/config'
import signpost from 'signpost'

export default defineConfig({ integrations: [signpost()] })
`

const CHECK = `name: Check
on: [push, pull_request]
jobs:
  build:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5
      - uses: actions/setup-node@v5
        with: { node-version: 22, cache: npm }
      - run: npm ci
      - run: npm run build
        # Form files may contain secrets as \${NAME}; give each one a value here.
        # env: { CRM_KEY: test }
`

/**
 * Returns the files of a new site besides its content, by path. `spec` is the version or tarball of the program it
 * depends on.
 */
export function siteFiles({ name, spec }: { name: string; spec: string }): Record<string, string> {
  return {
    'package.json': json(packageOf(name, spec)),
    'astro.config.mjs': ASTRO_CONFIG,
    'tsconfig.json': json({
      extends: 'astro/tsconfigs/strict',
      include: ['.astro/types.d.ts', 'src', 'looks'],
    }),
    'src/styles/site.css': starterFileTexts.styles,
    'src/components/.gitkeep': '',
    'src/pages/.gitkeep': '',
    '.env.example': starterFileTexts.environment,
    '.gitignore': 'node_modules/\ndata/\ndist/\n.astro/\n.env\n',
    '.npmrc': 'save-exact=true\n',
    '.github/workflows/check.yml': CHECK,
    'README.md': starterFileTexts.readme(name),
  }
}

// Astro and Node are those the program was tested with.
function packageOf(name: string, spec: string) {
  const { astro } = packageFile.dependencies
  const { node } = packageFile.devDependencies
  return {
    // A name in another script may have no slug.
    name: slugOf(name) || 'site',
    version: '0.0.0',
    private: true,
    type: 'module',
    scripts: Object.fromEntries(SITE_COMMANDS.map((command) => [command, `signpost ${command}`])),
    dependencies: { astro, node, signpost: spec },
    allowScripts: SCRIPTS,
  }
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}
