/** Maps that may be in a frame: their host, and how the paths of their embeds begin. */
const MAPS: Readonly<Record<string, string>> = {
  'www.openstreetmap.org': '/export/embed.html',
  'www.google.com': '/maps/embed',
  'maps.google.com': '/maps/embed',
  'www.bing.com': '/maps/embed',
}

/** Returns whether a page may show the map itself; any other map is only linked to. */
export function isEmbeddableMap(address: string | null): boolean {
  const url = address === null ? null : URL.parse(address)
  const path = url?.protocol === 'https:' && url.port === '' ? MAPS[url.hostname] : undefined
  return path !== undefined && url?.pathname.startsWith(path) === true
}

/** The sites that a page with a map may put into a frame, as a policy (CSP `frame-src`) names them. */
export const MAP_ORIGINS = Object.keys(MAPS).map((host) => `https://${host}`)
