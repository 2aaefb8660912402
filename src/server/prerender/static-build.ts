import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'
import { IS_INSTALLED } from '../../lib/program/folders.ts'
import { openContentBy } from '../../site/own-pages/reading.ts'

/**
 * Makes a whole site of a plain `astro build`: all public pages, what belongs to them, and a server. The bundle of a
 * publish and `astro dev` prerender nothing.
 */
export function staticBuild({ isBundle }: { isBundle: boolean }): AstroIntegration {
  let isSite = false
  let outDir = ''
  let publicDir = ''
  return {
    name: 'signpost:static-build',
    hooks: {
      'astro:config:setup'({ command }) {
        isSite = command === 'build' && !isBundle
      },
      'astro:config:done'({ config }) {
        outDir = fileURLToPath(config.outDir)
        publicDir = fileURLToPath(config.publicDir)
      },
      'astro:route:setup'({ route }) {
        const isOwn = IS_INSTALLED && !route.component.includes('node_modules/')
        // Otherwise `astro dev` would ignore getStaticPaths.
        if (isOwn && !isBundle) route.prerender = true
        else if (!isSite) route.prerender = false
      },
      async 'astro:build:start'() {
        if (!isSite) return
        // A wrong variable or a missing database is reported before the templates are bundled.
        const { readStaticSite, openStaticContent } = await import('./static-site.ts')
        await readStaticSite()
        openContentBy(await openStaticContent())
        // The bundles of publishes beside them stay, for a server that runs.
        for (const part of ['client', 'server'])
          await rm(`${outDir}${part}`, { recursive: true, force: true })
      },
      async 'astro:build:done'({ pages }) {
        if (!isSite) return
        const { completeStaticSite } = await import('./complete-static-site.ts')
        const built = pages.map(({ pathname }) => `/${pathname.replace(/\/$/, '')}`)
        await completeStaticSite(outDir, { built, publicDir })
      },
    },
  }
}
