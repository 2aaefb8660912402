import type { AstroConfig } from 'astro'
import { Failure } from '../lib/messages.ts'
import { integrationTexts } from '../messages/command-line/integration.ts'

type Settings = Pick<AstroConfig, 'base' | 'redirects' | 'root' | 'srcDir' | 'publicDir' | 'outDir'> & {
  build: Pick<AstroConfig['build'], 'assetsPrefix' | 'client' | 'server' | 'serverEntry'>
  integrations: readonly { name: string }[]
}

/** Throws if Astro's configuration has a setting with which pages, or files that they need, would be missing. */
export function refuseSettings(settings: Settings): void {
  const { base, redirects, build, integrations } = settings
  if (base !== '/') throw new Failure(integrationTexts, 'baseUnsupported')
  if (build.assetsPrefix) throw new Failure(integrationTexts, 'prefixUnsupported')
  if (Object.keys(redirects).length > 0) throw new Failure(integrationTexts, 'redirectsUnsupported')
  if (!hasDefaultFolders(settings)) throw new Failure(integrationTexts, 'foldersUnsupported')
  if (integrations.some(({ name }) => name === '@astrojs/sitemap'))
    throw new Failure(integrationTexts, 'sitemapUnsupported')
}

// A publish looks for changes in src and public, and for what `astro build` made.
function hasDefaultFolders({ root, srcDir, publicDir, outDir, build }: Settings): boolean {
  const places = [
    [srcDir, root, 'src/'],
    [publicDir, root, 'public/'],
    [build.client, outDir, 'client/'],
    [build.server, outDir, 'server/'],
  ] as const
  const areDefault = places.every(([folder, parent, name]) => folder.href === new URL(name, parent).href)
  return areDefault && build.serverEntry === 'entry.mjs'
}
