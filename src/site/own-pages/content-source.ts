import type { Db } from '../../db/schema.ts'
import { inOrder } from '../../entries/editing/order-entries.ts'
import { type Entry, listEntries } from '../../entries/entry-store.ts'
import { loadPlaces } from '../../entries/offers/load-places.ts'
import { listPlacesOfServices } from '../../entries/offers/place-pair-store.ts'
import { LOCATION_SERVICES, SERVICES } from '../../entries/types/builtin/slugs.ts'
import { type ContentType, findContentType } from '../../entries/types/content-type-store.ts'
import { dataInFiles, type SlugsById, typesReferredTo } from '../../entries/types/data-in-files.ts'
import { composeRoute } from '../../entries/types/route-pattern.ts'
import { listPictures } from '../../pictures/picture-store.ts'
import { pathOf, type TermNode } from '../../taxonomies/term-tree.ts'
import { shortHash } from '../content/fingerprint.ts'
import { type OwnedText, withMarkdown } from '../content/lazy-markdown.ts'
import type { LayoutView } from '../pages/layout-view.ts'
import { placePath } from '../pages/page-addresses.ts'
import { textPictures } from '../pictures/text-pictures.ts'
import { findSiteSettings } from '../settings/site-settings-store.ts'
import type { OwnEntry, OwnPlace, OwnPlacePage, OwnSite } from './own-content.ts'

/** Content that an own page can read, with one key per call of `signpost/content`. */
export type ContentKey = 'layout' | 'site' | 'places' | `entries:${string}`

export type ContentValues = {
  layout: LayoutView
  site: OwnSite
  places: readonly OwnPlace[]
} & Record<`entries:${string}`, readonly OwnEntry[]>

/**
 * Returns content by key, with a hash that changes with it. Each key is read once. The content is frozen, because all
 * pages share it.
 */
export interface ContentSource {
  load<Key extends ContentKey>(key: Key): Promise<{ value: ContentValues[Key]; hash: string }>
}

interface SourceOptions {
  db: Db
  siteUrl: string
  /** The time whose content is shown. */
  now: Date
  layout: () => Promise<LayoutView>
}

/** Opens a site's content for its own pages. */
export function openContentSource(options: SourceOptions): ContentSource {
  const loaded = new Map<ContentKey, Promise<{ value: unknown; hash: string }>>()
  return {
    load(key) {
      const known = loaded.get(key) ?? loadHashed(options, key)
      loaded.set(key, known)
      return known as never
    },
  }
}

async function loadHashed(options: SourceOptions, key: ContentKey) {
  const value = await loadValue(options, key)
  return { value: frozen(value), hash: shortHash(JSON.stringify(value)) }
}

function frozen(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  // Texts that are rendered when first read have no value yet.
  for (const part of Object.values(Object.getOwnPropertyDescriptors(value))) frozen(part.value)
  return Object.freeze(value)
}

async function loadValue(options: SourceOptions, key: ContentKey): Promise<unknown> {
  const { db, siteUrl, layout } = options
  if (key === 'layout') return layout()
  if (key === 'site') return { url: siteUrl, ...(await findSiteSettings(db)) } satisfies OwnSite
  if (key === 'places') return listOwnPlaces(options)
  return listOwnEntries(options, key.slice('entries:'.length))
}

async function listOwnEntries({ db, now }: SourceOptions, slug: string): Promise<OwnEntry[]> {
  const type = await findContentType(db, slug)
  if (!type) return []
  const pictures = textPictures(await listPictures(db))
  const slugs = await listSlugs(db, typesReferredTo(type.slug), now)
  return inOrder(await listEntries(db, type.id, { shownAt: now })).map((entry) => {
    const owner = { kind: 'page', name: entry.slug } as const
    return withHtml(toOwnEntry(type, entry, slugs), { markdown: entry.body, owner, pictures })
  })
}

// Copies of the entry have the HTML too. Its hash and that of props depend on the source.
function withHtml(entry: Omit<OwnEntry, 'html'>, text: OwnedText): OwnEntry {
  const rendered = withMarkdown(entry, 'html', text)
  const own = {
    ...entry,
    get html() {
      return rendered.html
    },
  }
  return Object.defineProperty(own, 'toJSON', { value: () => rendered })
}

async function listSlugs(db: Db, typeSlugs: Iterable<string>, now: Date): Promise<SlugsById> {
  const slugs = new Map<string, Map<number, string>>()
  for (const typeSlug of typeSlugs) {
    const type = await findContentType(db, typeSlug)
    const entries = type ? await listEntries(db, type.id, { shownAt: now }) : []
    slugs.set(typeSlug, new Map(entries.map(({ id, slug }) => [id, slug])))
  }
  return slugs
}

function toOwnEntry(
  type: ContentType,
  { slug, title, data: stored, createdAt, updatedAt, publishAt }: Entry,
  slugs: SlugsById,
): Omit<OwnEntry, 'html'> {
  const data = dataInFiles(type.slug, stored, slugs)
  const path = (type.isRoutable && type.routePattern && composeRoute(type.routePattern, slug)) || null
  return { slug, title, path, data, publishedAt: publishAt ?? createdAt, updatedAt }
}

async function listOwnPlaces({ db, now }: SourceOptions): Promise<OwnPlace[]> {
  const { roots } = await loadPlaces(db)
  const [services, pages] = [
    await findContentType(db, SERVICES),
    await findContentType(db, LOCATION_SERVICES),
  ]
  const addresses = {
    types: new Map(pages ? [[LOCATION_SERVICES, pages]] : []),
    places: pages?.isRoutable ? await listPlacesOfServices(db, now) : new Map(),
  }
  const shown = services ? inOrder(await listEntries(db, services.id, { shownAt: now })) : []
  const pagesOf = (place: TermNode): OwnPlacePage[] =>
    shown.flatMap((service) => {
      const path = placePath(addresses, service, place)
      return path === undefined ? [] : [{ service: service.slug, title: service.title, path }]
    })
  const toPlace = (node: TermNode): OwnPlace => ({
    slug: node.slug,
    name: node.name,
    within: pathOf(node),
    kind: node.kind,
    description: node.description,
    pages: pagesOf(node),
    children: node.children.map(toPlace),
  })
  return roots.map(toPlace)
}
