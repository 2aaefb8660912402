import type { AstroIntegration } from 'astro'
import { readConfig } from '../../config.ts'

/**
 * `astro dev` with real data: pages come from the database at each request, forms are taken, webhooks go out, and
 * `content/` is synced again when a file in it changes.
 */
export function developmentServer(): AstroIntegration {
  return {
    name: 'signpost:development-server',
    hooks: {
      'astro:config:setup'({ command, updateConfig }) {
        if (command !== 'dev') return
        const { host, port } = readConfig()
        updateConfig({ server: { host, port } })
      },
      // Loaded here, not above: `astro build` reads this file too and needs none of it.
      async 'astro:server:setup'({ server, logger }) {
        const { startDevelopment } = await import('./development-middleware.ts')
        await startDevelopment(server, logger)
      },
    },
  }
}
