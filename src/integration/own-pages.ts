import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration, IntegrationResolvedRoute } from 'astro'
import { Failure } from '../lib/messages.ts'
import { IS_INSTALLED } from '../lib/program/folders.ts'
import { ownPageFailures } from '../messages/server/own-pages.ts'
import { pagePath } from '../publish/release/page-file.ts'
import { listPublicFiles } from '../site/own-pages/own-files.ts'
import { hasExtension } from '../site/own-pages/own-page.ts'

/** Addresses that the server answers itself, and files in every release. */
const TAKEN =
  /^\/(?:(?:admin|api|health|_astro|_admin)(?:\/|$)|(?:robots\.txt|llms\.txt|sitemap-[^/]*\.xml|404|410|500)$)/

// `/index` redirects to the home page. Other hosts read names that start with `.` or `_`.
const WITHOUT_ADDRESS = /[#?\\\p{Cc}]|^index$/u

// As Astro finds it.
const RENDERED_ON_REQUEST = /^\s*export\s+const\s+prerender\s*=\s*false\b/m

/**
 * Lets a site have its own pages. Their addresses are checked as soon as they are known: in `npm start`, `astro
 * dev`, and `astro build`. The types of their content come from the content types in the database.
 */
export function ownPages(): AstroIntegration {
  let root = ''
  return {
    name: 'signpost:own-pages',
    hooks: {
      'astro:config:setup'({ config }) {
        root = fileURLToPath(config.root)
      },
      'astro:routes:resolved'({ routes }) {
        if (!IS_INSTALLED) return
        refuseTaken(routes)
        refuseRenderedOnRequest(routes, root)
        refuseBare(routes)
      },
      async 'astro:config:done'({ config, injectTypes }) {
        if (!IS_INSTALLED) return
        refuseReserved(fileURLToPath(config.publicDir), fileURLToPath(config.root))
        // Imported lazily, because tools that don't need a database also load a site's configuration.
        const { describeTypesOfSite } = await import('../server/prerender/types-of-site.ts')
        injectTypes({ filename: 'content.d.ts', content: await describeTypesOfSite() })
      },
    },
  }
}

/** Throws if one of the project's routes has the address of one that the program added. */
export function refuseTaken(
  routes: readonly Pick<IntegrationResolvedRoute, 'pattern' | 'origin' | 'entrypoint'>[],
): void {
  const taken = new Set(routes.filter(({ origin }) => origin !== 'project').map(shapeOf))
  for (const route of routes) {
    if (route.origin !== 'project' || !(taken.has(shapeOf(route)) || TAKEN.test(route.pattern))) continue
    throw new Failure(ownPageFailures, 'routeTaken', route.entrypoint, route.pattern)
  }
}

/** Throws if the file of one of the project's routes asks to be rendered for each request. */
export function refuseRenderedOnRequest(
  routes: readonly Pick<IntegrationResolvedRoute, 'origin' | 'entrypoint'>[],
  root: string,
): void {
  for (const { origin, entrypoint } of routes) {
    if (origin !== 'project' || !/\.(?:astro|[jt]s)$/.test(entrypoint)) continue
    if (RENDERED_ON_REQUEST.test(readFileSync(join(root, entrypoint), 'utf8')))
      throw new Failure(ownPageFailures, 'renderedOnRequest', entrypoint)
  }
}

/** Throws if the address of one of the project's endpoints has no extension, like that of a page. */
export function refuseBare(
  routes: readonly Pick<IntegrationResolvedRoute, 'origin' | 'type' | 'pathname'>[],
): void {
  for (const { origin, type, pathname } of routes)
    if (origin === 'project' && type === 'endpoint' && pathname !== undefined && !hasExtension(pathname))
      throw new Failure(ownPageFailures, 'endpointBare', pathname)
}

/**
 * Throws if a file in a site's `public` folder has no address, or one that the program or its server answers.
 */
export function refuseReserved(publicDir: string, root: string): void {
  for (const file of listPublicFiles(publicDir)) {
    const path = pagePath(file)
    const shown = relative(root, join(publicDir, file))
    if (WITHOUT_ADDRESS.test(file)) throw new Failure(ownPageFailures, 'fileWithoutAddress', shown)
    if (TAKEN.test(path)) throw new Failure(ownPageFailures, 'fileReserved', shown, path)
  }
}

// `/services/[service]` and `/services/[name]` match the same addresses.
function shapeOf({ pattern }: Pick<IntegrationResolvedRoute, 'pattern'>): string {
  return pattern.replace(/\[(\.{3})?[^\]]+\]/g, '[$1]')
}
