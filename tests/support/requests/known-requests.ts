import { ROUTES } from '#src/admin/access/routes.ts'
import type { Person } from '../people.ts'

type Fields = [name: string, value: string][]

/**
 * Everything that an owner's pages link to and post, by route. New routes are included as soon as they are declared.
 */
export interface KnownRequests {
  /** Paths with their query. */
  links: Map<string, string[]>
  posts: Map<string, { path: string; fields: Fields }[]>
}

const PAGES_OF_A_ROUTE = 12
const LINKS_OF_A_ROUTE = 60

const patterns = Object.keys(ROUTES)
  // The catch-all route last.
  .toSorted(
    (a, b) =>
      Number(a.includes('...')) - Number(b.includes('...')) || a.split('[').length - b.split('[').length,
  )
  .map((route) => ({
    route,
    pattern: new RegExp(`^${route.replace(/\[\.\.\.\w+\]/g, '.+').replace(/\[\w+\]/g, '[^/]+')}$`),
  }))

/** Returns the route that answers a path. */
export function routeOf(path: string): string | undefined {
  const [pathname = ''] = path.split(/[?#]/)
  return patterns.find(({ pattern }) => pattern.test(pathname))?.route
}

/** Reads the admin's pages as this person: every route without a parameter, and what those link to. */
export async function learnRequests(person: Person): Promise<KnownRequests> {
  const known: KnownRequests = { links: new Map(), posts: new Map() }
  const queue = patterns.filter(({ route }) => !route.includes('[')).map(({ route }) => route)
  const read = new Map<string, number>()
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    const route = routeOf(path)
    if (!route || (read.get(route) ?? 0) >= PAGES_OF_A_ROUTE) continue
    read.set(route, (read.get(route) ?? 0) + 1)
    const response = await person.fetch(path)
    const html = await response.text()
    if (response.status !== 200 || !response.headers.get('content-type')?.startsWith('text/html')) continue
    queue.push(...learnPage(known, path, html))
  }
  return known
}

function learnPage(known: KnownRequests, path: string, html: string): string[] {
  const links = [...html.matchAll(/ (?:href|src|formaction)="(\/admin[^"#]*)/g)].map(([, to = '']) =>
    decode(to),
  )
  const [own = ''] = path.split('?')
  for (const [form, attributes = ''] of html.matchAll(/<form\b([^>]*)>.*?<\/form>/gs)) {
    const to = decode(/ action="([^"]*)"/.exec(attributes)?.[1] ?? own)
    const fields = fieldsOf(form)
    if (!/ method="post"/i.test(attributes)) {
      links.push(`${to.split('?')[0]}?${new URLSearchParams(fields)}`)
      continue
    }
    const others = [...form.matchAll(/ formaction="([^"]*)"/g)].map(([, other = '']) => decode(other))
    for (const target of [to, ...others]) keep(known.posts, target, { path: target, fields })
  }
  for (const link of links) keep(known.links, link, link)
  return links
}

function fieldsOf(form: string): Fields {
  return [...form.matchAll(/<(?:input|select|textarea|button)\b[^>]* name="([^"]*)"[^>]*>/g)].map(
    ([tag, name = '']) => [decode(name), decode(/ value="([^"]*)"/.exec(tag)?.[1] ?? '')],
  )
}

function keep<Item>(all: Map<string, Item[]>, path: string, item: Item): void {
  const route = routeOf(path)
  if (!route) return
  const items = all.get(route) ?? []
  if (items.length < LINKS_OF_A_ROUTE) all.set(route, [...items, item])
}

function decode(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#34;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll('&#38;', '&')
}
