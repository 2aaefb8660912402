import { readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'
import { PROGRAM_DIR } from '../lib/program/folders.ts'

const PROGRAM_PAGES = join(PROGRAM_DIR, 'src', 'pages')
const MIDDLEWARE = new URL('../middleware.ts', import.meta.url)

/**
 * Adds the program's routes and middleware to a site. Does nothing in the program's own repository, which already
 * has them.
 */
export function programRoutes(): AstroIntegration {
  return {
    name: 'signpost:program-routes',
    hooks: {
      'astro:config:setup'({ config, injectRoute, addMiddleware }) {
        if (join(fileURLToPath(config.srcDir), 'pages') === PROGRAM_PAGES) return
        for (const entrypoint of listPages()) injectRoute({ pattern: patternOf(entrypoint), entrypoint })
        addMiddleware({ order: 'pre', entrypoint: MIDDLEWARE })
      },
    },
  }
}

function listPages(): string[] {
  return readdirSync(PROGRAM_PAGES, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(astro|[jt]s)$/.test(entry.name) && !entry.name.endsWith('.d.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

// `forms/[form]/index.astro` is `/forms/[form]`.
function patternOf(file: string): string {
  const path = relative(PROGRAM_PAGES, file).split(sep).join('/')
  return `/${path.replace(/\.\w+$/, '').replace(/(^|\/)index$/, '')}`
}
