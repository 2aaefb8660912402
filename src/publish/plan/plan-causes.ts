import { isDeepStrictEqual } from 'node:util'
import type { Entry } from '../../entries/entry-store.ts'
import type { Cause, SourceKind } from '../../messages/admin/history/causes.ts'
import type { SiteContent } from '../../site/content/site-content.ts'
import type { Page } from '../../site/pages/page.ts'
import { isPictureSource, type PageSource } from '../../site/sources/page-sources.ts'
import { sourcesOfPage } from '../../site/sources/sources-of-page.ts'
import { showsTestimonial } from './shown-testimonials.ts'

/** A source that has changed since the current release. */
export interface SourceChange {
  key: string
  cause: Cause
}

/** Why pages differ: the change, and how many pages it adds, changes, or removes. */
export interface PlanCause extends SourceChange {
  pages: number
  /** The page's path, if a single page was added, edited, or removed. */
  page?: string
  /** The entry of that page. */
  entryId?: number
}

export const FULL: SourceChange = { key: 'full', cause: { code: 'everything_again' } }
export const FIRST: SourceChange = { key: 'first', cause: { code: 'first_time' } }
export const AGAIN: SourceChange = { key: FIRST.key, cause: { code: 'release_again' } }
const LINKS: SourceChange = { key: 'links', cause: { code: 'links' } }

// A service's text belongs to the service, and a testimonial's to the testimonial.
const KINDS: Record<string, SourceKind> = {
  service: 'service',
  'service-text': 'service',
  testimonial: 'testimonial',
  'testimonial-text': 'testimonial',
  form: 'form',
  setting: 'setting',
  type: 'type',
  taxonomy: 'taxonomy',
  picture: 'picture',
}

/** Returns true if a term is a place; other terms are categories. */
type IsPlace = (termId: number) => boolean

/**
 * Lists the differences between the sources and those of a release. A picture that was added or removed differs on
 * no page by itself: something that names it changed too.
 */
export function compareSources(
  earlier: ReadonlyMap<string, PageSource>,
  sources: Iterable<PageSource>,
  isPlace: IsPlace,
): SourceChange[] {
  const before = new Map(earlier)
  const changes: SourceChange[] = []
  for (const { key, hash, label } of sources) {
    const old = before.get(key)
    before.delete(key)
    if (old?.hash === hash || (!old && isPictureSource(key))) continue
    changes.push({ key, cause: causeOf(key, { before: old?.label, after: label, isPlace }) })
  }
  for (const [key, { label }] of before)
    if (!isPictureSource(key))
      changes.push({ key, cause: causeOf(key, { before: label, after: undefined, isPlace }) })
  const causes = new Map(changes.map(({ key, cause }) => [key, cause]))
  return changes.filter((change) => !isSaidOfName(change, causes))
}

// The text of a service follows its name, which every page shows. Listing both when a service is added or removed
// would be redundant.
function isSaidOfName({ key, cause }: SourceChange, causes: ReadonlyMap<string, Cause>): boolean {
  return key.includes('-text:') && isDeepStrictEqual(cause, causes.get(key.replace('-text:', ':')))
}

interface Labels {
  before: string | undefined
  after: string | undefined
  isPlace: IsPlace
}

function causeOf(key: string, { before, after, isPlace }: Labels): Cause {
  if (key === 'template') return { code: 'templates' }
  if (key === 'pages') return { code: 'footer' }
  const kind = kindOf(key, { isPlace, isGone: after === undefined })
  if (before === undefined) return { code: 'source_added', params: { kind, name: `${after}` } }
  if (after === undefined) return { code: 'source_removed', params: { kind, name: before } }
  if (before === after) return { code: 'source_edited', params: { kind, name: after } }
  return { code: 'source_renamed', params: { kind, from: before, to: after } }
}

function kindOf(key: string, { isPlace, isGone }: { isPlace: IsPlace; isGone: boolean }): SourceKind {
  const [name = '', id] = key.split(':')
  if (name !== 'term' && name !== 'term-text') return KINDS[name] ?? 'other'
  const kind = isPlace(Number(id)) ? 'place' : isGone ? 'term' : 'category'
  return name === 'term' ? kind : `${kind}_text`
}

const PAGE_CODES = {
  entries_added: 'page_added',
  entries_edited: 'page_edited',
  entries_removed: 'page_removed',
} as const

interface EntryType {
  slug: string
  name: string
}

/** A change to entries that have their own page. */
function entryCause(code: keyof typeof PAGE_CODES, type: EntryType | undefined): SourceChange {
  return { key: `${code}:${type?.slug ?? ''}`, cause: { code, params: { type: type ?? null } } }
}

/** Names the page if the cause affects only one. */
export function nameSinglePage(
  reason: PlanCause,
  { path, entryId }: { path: string; entryId: number | null },
): PlanCause {
  const { code } = reason.cause
  if (reason.pages !== 1 || !(code in PAGE_CODES)) return reason
  const cause: Cause = { code: PAGE_CODES[code as keyof typeof PAGE_CODES], params: { path } }
  return { ...reason, cause, page: path, ...(entryId !== null && { entryId }) }
}

/** Returns the causes with the titles of single pages, by the IDs of their entries. */
export function withPageNames(causes: readonly PlanCause[], names: ReadonlyMap<number, string>): PlanCause[] {
  return causes.map((reason) => {
    const { cause, entryId = 0 } = reason
    const title = names.get(entryId)
    if (title === undefined || !isOfPage(cause)) return reason
    return { ...reason, cause: { ...cause, params: { ...cause.params, title } } }
  })
}

function isOfPage(cause: Cause): cause is Extract<Cause, { code: `page_${string}` }> {
  return cause.code.startsWith('page_')
}

/** These render every page again, whatever else changed. */
const RENDER_AGAIN = new Set(['template', FULL.key])

/** Returns why a page is new or has a new fingerprint. Never empty. */
export type Explainer = ReturnType<typeof createExplainer>

export function createExplainer(content: SiteContent, changes: readonly SourceChange[]) {
  const byKey = new Map(changes.map((change) => [change.key, change]))
  const again = changes.filter(({ key }) => RENDER_AGAIN.has(key))
  // Only `own` refers to the sources of the site's own pages.
  const keys = changes
    .map(({ key }) => key)
    .filter((key) => !RENDER_AGAIN.has(key) && !key.startsWith('own:'))
  const first = changes.filter(({ key }) => key === FIRST.key)
  const types = new Map([...content.types.values()].map(({ id, slug, name }) => [id, { slug, name }]))
  const typeOf = (entry: Entry | undefined) => types.get(entry?.typeId ?? -1)

  function shownBy(page: Page, entry: Entry | undefined): SourceChange[] {
    return sourcesOfPage(content, { page, entry }, keys)
      .filter((key) => !isElsewhere(key, page, entry))
      .flatMap((key) => byKey.get(key) ?? [])
  }

  // A new or rewritten review changes only the pages that show it. One that was moved also changes those that did.
  function isElsewhere(key: string, page: Page, entry: Entry | undefined): boolean {
    const [kind, id] = key.split(':')
    const isNew = kind === 'testimonial' && byKey.get(key)?.cause.code === 'source_added'
    return (isNew || kind === 'testimonial-text') && !showsTestimonial(content, { page, entry }, Number(id))
  }

  return {
    changed(page: Page, entry: Entry | undefined, isEntryEdited: boolean): SourceChange[] {
      if (first.length > 0) return first
      const shown = shownBy(page, entry)
      const isSaid = shown.some(({ key }) => isOfService(key, entry))
      const edited = isEntryEdited && !isSaid ? [entryCause('entries_edited', typeOf(entry))] : []
      const causes = [...again, ...edited, ...shown]
      return causes.length > 0 ? causes : [LINKS]
    },
    /** Returns the causes for an own page, by the keys of the sources it reads. */
    own(sources: readonly string[], state: 'added' | 'changed'): SourceChange[] {
      if (first.length > 0) return first
      const causes = [...again, ...sources.flatMap((key) => byKey.get(key) ?? [])]
      if (causes.length > 0) return causes
      return state === 'added' ? [entryCause('entries_added', undefined)] : [LINKS]
    },
    added(page: Page, entry: Entry | undefined): SourceChange[] {
      if (first.length > 0) return first
      const causes = addressSources(page.key).flatMap((key) => byKey.get(key) ?? [])
      return causes.length > 0 ? causes : [entryCause('entries_added', typeOf(entry))]
    },
  }
}

// Other pages show a service too, so it is a source, whose changes include those of its own page.
function isOfService(key: string, entry: Entry | undefined): boolean {
  return key === `service:${entry?.id}` || key === `service-text:${entry?.id}`
}

/** Returns why a page is gone, based on its key, which is all that is left of it. */
export function explainRemoval(key: string, changes: readonly SourceChange[]): SourceChange[] {
  const keys = new Set(addressSources(key))
  const causes = changes.filter((change) => keys.has(change.key))
  return causes.length > 0 ? causes : [entryCause('entries_removed', undefined)]
}

// The sources that determine a page's address.
function addressSources(pageKey: string): string[] {
  const [kind, id, place] = pageKey.split(':')
  if (kind === 'place') return [`service:${id}`, `term:${place}`, 'type:location_services']
  if (kind === 'form' || kind === 'thanks') return [`form:${id}`]
  return [`service:${id}`]
}
