import { resolve } from 'node:path'
import type { AstroIntegration } from 'astro'
import { type Config, readConfig } from '../../config.ts'

/**
 * Adds real data to `astro dev`: pages come from the database at each request, forms work, webhooks are sent, and
 * `content/` is synced again when one of its files changes.
 */
export function developmentServer(): AstroIntegration {
  return {
    name: 'signpost:development-server',
    hooks: {
      'astro:config:setup'({ command, updateConfig }) {
        if (command !== 'dev') return
        updateConfig(serverOptions(readConfig()))
      },
      // Loaded here because `astro build` reads this file too and needs none of it.
      async 'astro:server:setup'({ server, logger }) {
        const { startDevelopment } = await import('./development-middleware.ts')
        await startDevelopment(server, logger)
      },
    },
  }
}

// Vite's own option. It serves every other file of the project, and by default `data` is one of its folders.
const NEVER_SERVED = [
  '.env',
  '.env.*',
  '*.{crt,pem,key,p12,pfx,cer,der}',
  '.npmrc',
  '.yarnrc.yml',
  '**/.git/**',
]

function serverOptions({ host, port, siteUrl, adminUrl, dataDir, databaseUrl }: Config) {
  const allowedHosts = [siteUrl, adminUrl].map((address) => new URL(address).hostname)
  const database = databaseUrl.startsWith('file:') ? [`${asPattern(databaseUrl.slice('file:'.length))}*`] : []
  const deny = [...NEVER_SERVED, `${asPattern(dataDir)}/**`, ...database]
  return { server: { host, port, allowedHosts }, vite: { server: { fs: { deny } } } }
}

function asPattern(path: string): string {
  return resolve(path).replace(/[\\*?[\]{}()!@+|]/g, '\\$&')
}
