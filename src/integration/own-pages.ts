import type { AstroIntegration, IntegrationResolvedRoute } from 'astro'
import { Failure } from '../lib/messages.ts'
import { IS_INSTALLED } from '../lib/program/folders.ts'
import { ownPageFailures } from '../messages/server/own-pages.ts'

/** Addresses that the server answers, and files that every release has. */
const TAKEN =
  /^\/(?:(?:admin|api|health|_astro|_admin)(?:\/|$)|(?:robots\.txt|llms\.txt|sitemap-[^/]*\.xml|404|410|500)$)/

/**
 * Lets a site have pages of its own. Their addresses are checked as soon as they are known: at `npm start`, in `astro dev`, and
 * in `astro build`. The types of what they read come from the content types of the database.
 */
export function ownPages(): AstroIntegration {
  return {
    name: 'signpost:own-pages',
    hooks: {
      'astro:routes:resolved'({ routes }) {
        if (IS_INSTALLED) refuseTaken(routes)
      },
      async 'astro:config:done'({ injectTypes }) {
        if (!IS_INSTALLED) return
        // Loaded here: the configuration of a site is read by tools that need no database.
        const { describeTypesOfSite } = await import('../server/prerender/types-of-site.ts')
        injectTypes({ filename: 'content.d.ts', content: await describeTypesOfSite() })
      },
    },
  }
}

/** Throws when a route of the project has the address of one that the program added. */
export function refuseTaken(
  routes: readonly Pick<IntegrationResolvedRoute, 'pattern' | 'origin' | 'entrypoint'>[],
): void {
  const taken = new Set(routes.filter(({ origin }) => origin !== 'project').map(shapeOf))
  for (const route of routes) {
    if (route.origin !== 'project' || !(taken.has(shapeOf(route)) || TAKEN.test(route.pattern))) continue
    throw new Failure(ownPageFailures, 'routeTaken', route.entrypoint, route.pattern)
  }
}

// `/services/[service]` and `/services/[name]` answer the same addresses.
function shapeOf({ pattern }: Pick<IntegrationResolvedRoute, 'pattern'>): string {
  return pattern.replace(/\[(\.{3})?[^\]]+\]/g, '[$1]')
}
