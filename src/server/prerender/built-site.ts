import { join } from 'node:path'
import type { Release } from '../../publish/release/release.ts'

/** What `astro build` left in its folder, as a release: pages and assets in `client`, and beside it where pages moved. */
export function builtSite(outDir: string): Release {
  return { id: 'astro-build', dir: outDir, siteDir: join(outDir, 'client') }
}
