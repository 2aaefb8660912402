/** The routes of public pages, each a file in src/pages. As in Astro, the first match wins. */
const ROUTES = [
  ...['/', '/404', '/410', '/500', '/services', '/services/in/[place]', '/services/from/[place]'],
  ...['/services/[service]', '/services/[service]/[location]', '/forms/[form]', '/forms/[form]/thanks'],
  ...['/taxonomy/[taxonomy]', '/taxonomy/[taxonomy]/[term]', '/[...path]'],
].map((route) => ({ route, pattern: patternOf(route) }))

/** Route that renders pages in response to a post, such as a form with errors, if all others were prerendered. */
export const ANSWER_ROUTE = '/api/forms/[form]/answer'

/** Returns the route of an address: `/services/[service]/[location]`. */
export function routeOfPage(path: string): string {
  return ROUTES.find(({ pattern }) => pattern.test(path))?.route ?? '/[...path]'
}

/** Returns the values of the route's placeholders in an address: `{ service: 'ac-repair', location: 'austin' }`. */
export function paramsOfPage(path: string): Record<string, string> {
  const found = ROUTES.find(({ pattern }) => pattern.test(path))
  return { ...found?.pattern.exec(path)?.groups }
}

/** Returns whether a route shows public pages. */
export function isPublicRoute(route: string): boolean {
  return route === ANSWER_ROUTE || ROUTES.some((known) => known.route === route)
}

function patternOf(route: string): RegExp {
  const named = route.replace(
    /\[(\.\.\.)?(\w+)\]/g,
    (_, rest, name) => `(?<${name}>${rest ? '.+' : '[^/]+'})`,
  )
  return new RegExp(`^${named}$`)
}
