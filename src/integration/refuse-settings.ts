import type { AstroConfig } from 'astro'
import { Failure } from '../lib/messages.ts'
import { integrationTexts } from '../messages/command-line/integration.ts'

type Settings = Pick<AstroConfig, 'base' | 'redirects' | 'outDir'> & {
  build: Pick<AstroConfig['build'], 'assetsPrefix' | 'client' | 'server' | 'serverEntry'>
  integrations: readonly { name: string }[]
}

/** Throws if Astro's configuration has a setting with which pages, or files that they need, would be missing. */
export function refuseSettings({ base, redirects, build, outDir, integrations }: Settings): void {
  if (base !== '/') throw new Failure(integrationTexts, 'baseUnsupported')
  if (build.assetsPrefix) throw new Failure(integrationTexts, 'prefixUnsupported')
  if (Object.keys(redirects).length > 0) throw new Failure(integrationTexts, 'redirectsUnsupported')
  if (!hasDefaultFolders(build, outDir)) throw new Failure(integrationTexts, 'foldersUnsupported')
  if (integrations.some(({ name }) => name === '@astrojs/sitemap'))
    throw new Failure(integrationTexts, 'sitemapUnsupported')
}

function hasDefaultFolders({ client, server, serverEntry }: Settings['build'], outDir: URL): boolean {
  const isDefault = (folder: URL, name: string) => folder.href === new URL(name, outDir).href
  return isDefault(client, 'client/') && isDefault(server, 'server/') && serverEntry === 'entry.mjs'
}
