import { join } from 'node:path'
import type { Release } from '../../publish/release/release.ts'

/** Opens the folder of `astro build` as a release: pages and assets in `client`, and beside it the moved addresses. */
export function builtSite(outDir: string): Release {
  return { id: 'astro-build', dir: outDir, siteDir: join(outDir, 'client') }
}
