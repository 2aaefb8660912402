/** Maps allowed in a frame: the host, and the start of the path of its embeds. */
const MAPS: Readonly<Record<string, string>> = {
  'www.openstreetmap.org': '/export/embed.html',
  'www.google.com': '/maps/embed',
  'maps.google.com': '/maps/embed',
  'www.bing.com': '/maps/embed',
}

/** Returns whether a page may embed the map. Other maps are only linked. */
export function isEmbeddableMap(address: string | null): boolean {
  const url = address === null ? null : URL.parse(address)
  const path = url?.protocol === 'https:' && url.port === '' ? MAPS[url.hostname] : undefined
  return path !== undefined && url?.pathname.startsWith(path) === true
}

/** The sites that a page with a map may frame, for the CSP `frame-src`. */
export const MAP_ORIGINS = Object.keys(MAPS).map((host) => `https://${host}`)
