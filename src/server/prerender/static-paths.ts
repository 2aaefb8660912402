import type { GetStaticPaths } from 'astro'
import { paramsOfPage, routeOfPage } from '../../site/pages/public-routes.ts'

/** Lists the pages of every public route, for `getStaticPaths`. */
export const listStaticPaths: GetStaticPaths = async ({ routePattern }) => {
  // Only `astro build` calls it: a publish has the same modules, and needs neither configuration nor database for them.
  const { readStaticSite } = await import('./static-site.ts')
  const { pages } = await readStaticSite()
  const own = [...pages.keys()].filter((path) => routeOfPage(path) === routePattern)
  return own.map((path) => ({ params: paramsOfPage(path) }))
}
