import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'

/**
 * Makes a whole site of a plain `astro build`: all public pages, what belongs to them, and a server. The bundle of a
 * publish and `astro dev` prerender nothing.
 */
export function staticBuild({ isBundle }: { isBundle: boolean }): AstroIntegration {
  let isSite = false
  let outDir = ''
  return {
    name: 'signpost:static-build',
    hooks: {
      'astro:config:setup'({ command }) {
        isSite = command === 'build' && !isBundle
      },
      'astro:config:done'({ config }) {
        outDir = fileURLToPath(config.outDir)
      },
      'astro:route:setup'({ route }) {
        if (!isSite) route.prerender = false
      },
      async 'astro:build:start'() {
        if (!isSite) return
        // A wrong variable or a missing database is told before the templates are bundled.
        const { readStaticSite } = await import('./static-site.ts')
        await readStaticSite()
        // The bundles of publishes beside them stay, for a server that runs.
        for (const part of ['client', 'server'])
          await rm(`${outDir}${part}`, { recursive: true, force: true })
      },
      async 'astro:build:done'() {
        if (!isSite) return
        const { completeStaticSite } = await import('./complete-static-site.ts')
        await completeStaticSite(outDir)
      },
    },
  }
}
