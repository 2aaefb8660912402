import type { Entry } from '../../entries/entry-store.ts'
import type { SiteContent } from '../../site/content/site-content.ts'
import type { Page } from '../../site/pages/page.ts'
import { type PageSource, sourcesOfPage } from '../../site/pages/page-sources.ts'
import { linesOf } from './page-record.ts'

/** A source that differs from what the current release was made of. */
export interface SourceChange {
  key: string
  /** `Renaming the term Austin to Austin City`: a sentence goes on with "changes 212 pages". */
  text: string
}

/** Why pages differ: what was done, and how many pages it adds, changes or removes. */
export interface PlanCause extends SourceChange {
  pages: number
  /** The path of a single page that was added, edited or removed. */
  page?: string
}

export const FULL = { key: 'full', text: 'Rendering every page again' }
const FIRST = { key: 'first', text: 'Building the site for the first time' }
export const AGAIN = {
  key: FIRST.key,
  text: 'Making the release again, as files beside its site were cut short,',
}
const LINKS = { key: 'links', text: 'Linking to pages that come or go' }

const NOUNS: Record<string, string> = {
  term: 'the term',
  'term-text': 'the text of the term',
  service: 'the service',
  'service-text': 'the service',
  testimonial: 'the testimonial',
  form: 'the form',
  setting: 'the setting',
  type: 'the content type',
}

export function formatSource({ key, hash, label }: PageSource): string {
  return `${key}\t${hash}\t${label.replace(/\s+/g, ' ')}\n`
}

/** How the sources differ from those that a release was made of, whose file it is. */
export function compareSources(file: string | undefined, sources: Iterable<PageSource>): SourceChange[] {
  if (file === undefined) return [FIRST]
  const before = readSources(file)
  const changes: SourceChange[] = []
  for (const { key, hash, label } of sources) {
    const old = before.get(key)
    before.delete(key)
    if (old?.hash === hash) continue
    changes.push({ key, text: describeChange(key, old?.label, label) })
  }
  for (const [key, { label }] of before) changes.push({ key, text: describeChange(key, label, undefined) })
  return changes.filter((change, index) => !isSaidBefore(change, changes[index - 1]))
}

// A service's text follows its name, which every page shows: of one that came or went it would say the same again.
function isSaidBefore({ key, text }: SourceChange, before: SourceChange | undefined): boolean {
  return before?.text === text && key.replace('-text:', ':') === before.key
}

function readSources(file: string) {
  const sources = new Map<string, { hash: string; label: string }>()
  for (const line of linesOf(file)) {
    const [key = '', hash = '', label = ''] = line.split('\t')
    sources.set(key, { hash, label })
  }
  return sources
}

function describeChange(key: string, before: string | undefined, after: string | undefined): string {
  if (key === 'template') return 'Changing the templates'
  if (key === 'pages') return 'Changing the list of pages in the footer'
  const noun = NOUNS[key.split(':')[0] ?? ''] ?? 'the source'
  if (before === undefined) return `Adding ${noun} ${after}`
  if (after === undefined) return `Removing ${noun} ${before}`
  return before === after ? `Editing ${noun} ${after}` : `Renaming ${noun} ${before} to ${after}`
}

/** What was done to entries that have a page of their own. */
function entryCause(verb: 'Adding' | 'Editing' | 'Removing', type: string | undefined): SourceChange {
  return { key: `${verb} ${type ?? ''}`, text: type ? `${verb} entries of ${type}` : `${verb} pages` }
}

const ENTRY_CAUSE = /^(Adding|Editing|Removing) /

/** Names the page where such a cause reaches a single one; `pathOf` finds it by the cause's key. */
export function nameSinglePage(cause: PlanCause, pathOf: (key: string) => string | undefined): PlanCause {
  const [, verb] = (cause.pages === 1 && ENTRY_CAUSE.exec(cause.key)) || []
  const path = verb && pathOf(cause.key)
  return path ? { ...cause, text: `${verb} the page ${path}`, page: path } : cause
}

/** Every page is made again for these, whatever else changed. */
const RENDER_AGAIN = new Set(['template', FULL.key])

/** Says for a page that is new, or whose fingerprint is another, what did it. Never nothing. */
export interface Explainer {
  changed(page: Page, entry: Entry | undefined, isEntryEdited: boolean): SourceChange[]
  added(page: Page, entry: Entry | undefined): SourceChange[]
}

export function createExplainer(content: SiteContent, changes: readonly SourceChange[]): Explainer {
  const byKey = new Map(changes.map((change) => [change.key, change]))
  const again = changes.filter(({ key }) => RENDER_AGAIN.has(key))
  const keys = changes.map(({ key }) => key).filter((key) => !RENDER_AGAIN.has(key))
  const first = changes.filter(({ key }) => key === FIRST.key)
  const typeName = (entry: Entry | undefined) =>
    [...content.types.values()].find(({ id }) => id === entry?.typeId)?.name

  function shownBy(page: Page): SourceChange[] {
    return sourcesOfPage(content, page, keys).flatMap((key) => byKey.get(key) ?? [])
  }

  return {
    changed(page, entry, isEntryEdited) {
      if (first.length > 0) return first
      const edited = isEntryEdited ? [entryCause('Editing', typeName(entry))] : []
      const causes = [...again, ...edited, ...shownBy(page)]
      return causes.length > 0 ? causes : [LINKS]
    },
    added(page, entry) {
      if (first.length > 0) return first
      const causes = addressSources(page.key).flatMap((key) => byKey.get(key) ?? [])
      return causes.length > 0 ? causes : [entryCause('Adding', typeName(entry))]
    },
  }
}

/** Says for a page that is gone, of which only the key is left, what did it. */
export function explainRemoval(key: string, changes: readonly SourceChange[]): SourceChange[] {
  const keys = new Set(addressSources(key))
  const causes = changes.filter((change) => keys.has(change.key))
  return causes.length > 0 ? causes : [entryCause('Removing', undefined)]
}

// The sources that make a page's address.
function addressSources(pageKey: string): string[] {
  const [kind, id, place] = pageKey.split(':')
  if (kind === 'place') return [`service:${id}`, `term:${place}`, 'type:location_services']
  if (kind === 'form' || kind === 'thanks') return [`form:${id}`]
  return [`service:${id}`]
}
