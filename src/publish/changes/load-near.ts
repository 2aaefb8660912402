import type { Db } from '../../db/schema.ts'
import { listEntriesById } from '../../entries/entry-lookup-store.ts'
import type { Entry } from '../../entries/entry-store.ts'
import { listEntryIdsAt, listEntryIdsOf } from '../../entries/offers/place-pair-store.ts'
import { LOCATION_SERVICES } from '../../entries/types/builtin/slugs.ts'
import { loadSiteContent, type NearContent, type SiteContent } from '../../site/content/site-content.ts'
import { addressOfEntry } from '../../site/pages/pages-of-types.ts'
import { loadOwnTexts } from '../../site/quality/own-texts.ts'
import {
  type PageSource,
  sourcesOfService,
  sourcesOfTerm,
  sourcesOfTestimonial,
} from '../../site/sources/page-sources.ts'
import { openSources } from '../ledger/file-store.ts'
import type { Ledger } from '../ledger/ledger-store.ts'
import { listOwnTexts, openKnownPages } from '../ledger/page-store.ts'
import { compareSources } from '../plan/plan-causes.ts'
import { readOwnText } from './own-text-record.ts'
import { listEntryIdsShowing } from './pages-of-testimonials.ts'
import type { ChangeScope, ScopeQuestion } from './scope.ts'

interface Edits {
  edited: readonly Entry[]
  /** Those that are services. */
  services: readonly Entry[]
  testimonials: readonly Entry[]
  termIds: ReadonlySet<number>
  /** True if a text is gone that may have no page left. */
  hasLostTexts: boolean
  /** Maximum number of pages. */
  most: number
}

type Near = Omit<ChangeScope, 'kind' | 'touched'>

/**
 * Loads the content for pages of edited entries, for pages of edited services, for pages that show edited
 * testimonials, and for pages with texts of edited terms. `shared`: more than texts of terms changed. `many`: there are too many pages.
 */
export async function loadNear(
  db: Db,
  question: ScopeQuestion,
  { edited, services, testimonials, termIds, hasLostTexts, most }: Edits,
): Promise<Near | 'shared' | 'many'> {
  const { ledger, now } = question
  const hasOverviews = services.length + testimonials.length > 0
  const whole = testimonials.length > 0 ? await loadContent(db, question, 'places') : undefined
  const ids = new Set([
    ...idsOf(edited),
    ...(whole ? await listEntryIdsShowing(db, whole, testimonials) : []),
    ...(await listEntryIdsAt(db, [...termIds], now)),
    ...(await listEntryIdsOf(db, idsOf(services), now)),
  ])
  if (ids.size > most) return 'many'
  const shown = await listEntriesById(db, [...ids])
  const near = nearOf(shown, { hasOverviews, facts: question.facts })
  const content = whole ?? (await loadContent(db, question, near))
  const terms = findTermTexts(ledger, content, termIds)
  if (!terms) return 'shared'
  const sources = [
    ...terms,
    ...services.flatMap((service) => [...sourcesOfService(content, service)]),
    ...testimonials
      .flatMap(({ id }) => content.testimonials.get(id) ?? [])
      .flatMap((testimonial) => [...sourcesOfTestimonial(content, testimonial)]),
  ]
  const more = await takeOwnTexts(db, ledger, { content, entries: shown, hasLostTexts })
  if (ids.size + more.length > most) return 'many'
  if (more.length > 0)
    return loadAgain(db, question, {
      ...{ ids: [...ids, ...more], ownTexts: content.ownTexts },
      ...{ hasOverviews, sources },
    })
  return finish(ledger, content, { entries: shown, near, hasOverviews, sources })
}

async function loadContent(
  db: Db,
  { siteUrl, now, trees }: ScopeQuestion,
  near: NearContent,
): Promise<SiteContent> {
  return loadSiteContent(db, { siteUrl, now, near, trees: await trees?.load(db) })
}

// Other pages, whose texts now overlap more or less with others, have other nearby places.
async function loadAgain(
  db: Db,
  question: ScopeQuestion,
  {
    ids,
    ownTexts,
    ...found
  }: Omit<Found, 'entries' | 'near'> & Pick<SiteContent, 'ownTexts'> & { ids: number[] },
): Promise<Near | 'shared'> {
  const { ledger, facts } = question
  const entries = await listEntriesById(db, ids)
  const near = nearOf(entries, { hasOverviews: found.hasOverviews, facts })
  const content = await loadContent(db, question, near)
  return finish(ledger, { ...content, ownTexts }, { entries, near, ...found })
}

function nearOf(
  entries: ReadonlyMap<number, Entry>,
  { hasOverviews, facts }: Pick<Found, 'hasOverviews'> & Pick<ScopeQuestion, 'facts'>,
): NearContent {
  return hasOverviews ? 'places' : { ...pairsOf(entries), known: facts }
}

function idsOf(entries: readonly Entry[]): number[] {
  return entries.map(({ id }) => id)
}

function pairsOf(entries: ReadonlyMap<number, Entry>) {
  const valuesOf = (key: string) =>
    [...entries.values()].flatMap(({ data }) => (typeof data[key] === 'number' ? [data[key]] : []))
  return {
    serviceIds: [...new Set(valuesOf('service_entry_id'))],
    locationIds: [...new Set(valuesOf('location_term_id'))],
  }
}

/** Returns the texts of these terms; undefined if anything else about them changed, or if one is new or gone. */
function findTermTexts(
  ledger: Ledger,
  { locations, serviceCategories }: SiteContent,
  termIds: ReadonlySet<number>,
): PageSource[] | undefined {
  const find = openSources(ledger)
  const texts: PageSource[] = []
  for (const id of termIds) {
    const term = locations.byId.get(id) ?? serviceCategories.byId.get(id)
    const [name, text] = term ? sourcesOfTerm(term) : []
    if (find(`term:${id}`)?.hash !== name?.hash) return undefined
    // A text that was added or removed also adds or removes a source.
    if ((find(`term-text:${id}`) !== undefined) !== (text !== undefined)) return undefined
    if (text) texts.push(text)
  }
  return texts
}

/** Adds the own texts of these entries to the content, and returns the other pages that they affect. */
async function takeOwnTexts(
  db: Db,
  ledger: Ledger,
  {
    content,
    entries,
    hasLostTexts,
  }: { content: SiteContent; entries: ReadonlyMap<number, Entry>; hasLostTexts: boolean },
): Promise<number[]> {
  const pages = openKnownPages(ledger)
  const type = content.types.get(LOCATION_SERVICES)
  let isChanged = hasLostTexts
  for (const entry of entries.values()) {
    if (entry.typeId !== type?.id) continue
    const text = readOwnText(entry, pages.findOf(entry.id)?.ownText ?? null)
    if (text === 'changed') isChanged = true
    else if (text) content.ownTexts.set(entry.id, text)
  }
  if (!isChanged) return []
  content.ownTexts = await loadOwnTexts(db, type, content.shownAt)
  const others = [...listOwnTexts(ledger)].filter(([id]) => !entries.has(id))
  return others.flatMap(([id, known]) => {
    const [, before] = JSON.parse(known)
    return JSON.stringify(before) === JSON.stringify(content.ownTexts.get(id)) ? [] : [id]
  })
}

interface Found {
  /** The entries whose pages may differ. */
  entries: ReadonlyMap<number, Entry>
  near: NearContent
  /** True if pages that list services may differ. */
  hasOverviews: boolean
  /** The sources of the pages that may differ. */
  sources: PageSource[]
}

function finish(
  ledger: Ledger,
  content: SiteContent,
  { entries, near, hasOverviews, sources }: Found,
): Near | 'shared' {
  const pages = openKnownPages(ledger)
  const types = new Map([...content.types.values()].map((type) => [type.id, type]))
  for (const entry of entries.values()) {
    const type = types.get(entry.typeId)
    const address = type && addressOfEntry(content, type, entry)
    const known = pages.findOf(entry.id)
    if (address?.path !== known?.path || address?.key !== known?.key) return 'shared'
  }
  const find = openSources(ledger)
  const known = new Map(
    sources.flatMap(({ key }) => {
      const source = find(key)
      return source ? [[key, source] as const] : []
    }),
  )
  const isPlace = (id: number) => content.locations.byId.has(id)
  const changes = compareSources(known, sources, isPlace)
  return { entryIds: [...entries.keys()], hasOverviews, content, near, sources, changes }
}
