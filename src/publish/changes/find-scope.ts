import type { Db } from '../../db/schema.ts'
import { listEntriesById } from '../../entries/entry-lookup-store.ts'
import { listEntryIdsDue } from '../../entries/entry-schedule-store.ts'
import { type Entry, listTermIdsByEntry } from '../../entries/entry-store.ts'
import { isPublicAt } from '../../entries/is-public-at.ts'
import { SERVICES, TESTIMONIALS } from '../../entries/types/builtin/slugs.ts'
import { type ContentType, listContentTypes } from '../../entries/types/content-type-store.ts'
import { openContentSource } from '../../site/own-pages/content-source.ts'
import { loadLayoutView } from '../../site/pages/layout-view.ts'
import { frameMark } from '../../site/sources/entry-marks.ts'
import { choiceOfTestimonial } from '../../site/sources/page-sources.ts'
import { listOwnSources, openSources } from '../ledger/file-store.ts'
import type { Ledger } from '../ledger/ledger-store.ts'
import { listEntriesFrom, openKnownPages } from '../ledger/page-store.ts'
import { FIRST_COPY_ID } from '../live/live-content.ts'
import { readsOfSources, sourcesOfReads } from '../render/own-reads.ts'
import { type ContentChange, listChangesAfter } from './change-store.ts'
import { loadNear } from './load-near.ts'
import type { Scope, ScopeQuestion } from './scope.ts'

/** With more changes than this, comparing all pages is faster. */
const MOST_CHANGES = 500
/** The same for the pages that they affect: a share of all pages, of which some number is always found quickly. */
const MOST_OF_PAGES = 0.25
const FEW_PAGES = 500
const MOST_PAGES = 10_000

const SHARED = { kind: 'all', code: 'shared_content' } as const
const MANY = { kind: 'all', code: 'many_changes' } as const

/**
 * Finds the pages that differ from the live release because of saved changes. If a change affects pages other than
 * those of the edited entries, such as a name shown in lists, all pages are compared.
 */
export async function findScope(db: Db, question: ScopeQuestion): Promise<Scope> {
  const { facts, now } = question
  const moment = now.toISOString()
  const saved = await listChangesAfter(db, facts.position, { limit: MOST_CHANGES })
  if (!saved || moment < facts.shownAt) return { kind: 'all', code: 'unknown_changes' }
  if (await hasPagesOfCopies(db, question)) return SHARED
  const due = await listEntryIdsDue(db, facts.shownAt, moment)
  const touched = [...saved, ...due.map((id) => ({ subject: 'entry', subjectId: `${id}` }) as const)]
  if (touched.length > MOST_CHANGES) return MANY
  if (touched.length === 0) return { ...NOTHING, touched }
  const isNarrow = touched.every(({ subject }) => NARROW.has(subject))
  if (!isNarrow || facts.hasArchives || (await isReadByOwnPages(db, question))) return SHARED
  return narrow(db, question, touched)
}

// A publish of selected changes can show local pages that the saved content lacks: of a place that a service no longer
// serves, until that change is published too. No saved change names such a page.
async function hasPagesOfCopies(db: Db, { ledger }: ScopeQuestion): Promise<boolean> {
  const ids = listEntriesFrom(ledger, { from: FIRST_COPY_ID, limit: MOST_CHANGES + 1 })
  if (ids.length > MOST_CHANGES) return true
  return ids.length > 0 && (await listEntriesById(db, ids)).size < ids.length
}

// In a narrow scope, nothing shared by all pages differs, such as the header.
async function isReadByOwnPages(db: Db, { ledger, siteUrl, now }: ScopeQuestion): Promise<boolean> {
  const known = listOwnSources(ledger)
  const keys = readsOfSources(known.keys()).filter((key) => key !== 'layout')
  if (keys.length === 0) return false
  const layout = () => loadLayoutView(db, { siteUrl, now })
  const read = await sourcesOfReads(openContentSource({ db, siteUrl, now, layout }), keys)
  return read.some(({ key, hash }) => known.get(key)?.hash !== hash)
}

const NOTHING = {
  ...({ kind: 'changes', entryIds: [], hasOverviews: false } as const),
  ...{ content: undefined, near: undefined, sources: [], changes: [] },
}
const NARROW = new Set<ContentChange['subject']>(['entry', 'entry_terms', 'term'])

async function narrow(db: Db, question: ScopeQuestion, touched: readonly ContentChange[]): Promise<Scope> {
  const idsOf = (...subjects: ContentChange['subject'][]) =>
    new Set(touched.filter((one) => subjects.includes(one.subject)).map(({ subjectId }) => Number(subjectId)))
  const found = await findEdited(db, question, idsOf('entry', 'entry_terms'))
  if (!found) return SHARED
  const termIds = idsOf('term')
  const isShown = found.edited.length + found.testimonials.length + termIds.size > 0
  if (!isShown && !found.hasLostTexts) return { ...NOTHING, touched }
  const most = Math.max(FEW_PAGES, Math.min(MOST_PAGES, question.facts.pages * MOST_OF_PAGES))
  const near = await loadNear(db, question, { ...found, termIds, most })
  return near === 'shared' ? SHARED : near === 'many' ? MANY : { kind: 'changes', touched, ...near }
}

/**
 * Finds the entries with edits that only their own pages show, services with edits that only their pages show, and
 * testimonials that the same pages show as before. Undefined if other pages show them too.
 */
async function findEdited(db: Db, { ledger, now }: ScopeQuestion, ids: ReadonlySet<number>) {
  const types = await listContentTypes(db)
  const testimonials = new Map(types.map((type) => [type.slug, type])).get(TESTIMONIALS)
  const places = testimonials ? await listTermIdsByEntry(db, testimonials.id) : new Map<number, number[]>()
  const judge = createJudge(types, { ledger, places })
  const entries = await listEntriesById(db, [...ids])
  const found = [...ids].map((id) => {
    const entry = entries.get(id)
    const shown = entry && isPublicAt(entry, now) ? entry : undefined
    return { shown, reach: shown ? judge.ofShown(shown) : judge.ofHidden(id, entry) }
  })
  if (found.some(({ reach }) => reach === 'others')) return undefined
  const shownIf = (...wanted: Reach[]) =>
    found.flatMap(({ shown, reach }) => (shown && wanted.includes(reach) ? [shown] : []))
  return {
    ...{ edited: shownIf('own', 'service'), services: shownIf('service') },
    testimonials: shownIf('testimonial'),
    hasLostTexts: found.some(({ reach }) => reach === 'texts'),
  }
}

/**
 * Pages affected by an edit of an entry: its own, those of a service and its places, those that show a testimonial,
 * others, none, or those whose texts are compared with its text.
 */
type Reach = 'own' | 'service' | 'testimonial' | 'others' | 'none' | 'texts'

/** `places` has the term IDs of testimonials. */
function createJudge(
  contentTypes: readonly ContentType[],
  { ledger, places }: { ledger: Ledger; places: ReadonlyMap<number, readonly number[]> },
) {
  const types = new Map(contentTypes.map((type) => [type.id, type]))
  const frames = { types: new Map(contentTypes.map((type) => [type.slug, type])) }
  const pages = openKnownPages(ledger)
  const find = openSources(ledger)
  const has = (key: string) => find(key) !== undefined
  const isSource = (id: number) => has(`service:${id}`) || has(`testimonial:${id}`)
  const ofTestimonial = (entry: Entry): Reach => {
    const { key, hash } = choiceOfTestimonial(entry, places.get(entry.id) ?? [])
    return find(key)?.hash === hash ? 'testimonial' : 'others'
  }
  const ofPage = (entry: Entry, type: ContentType | undefined): Reach => {
    const known = pages.findOf(entry.id)
    const isFramed = known?.frame === frameMark(frames, entry)
    if (isFramed && has(`service:${entry.id}`)) return 'service'
    if (isSource(entry.id) || isShared(type)) return 'others'
    if (isFramed) return 'own'
    return known || type?.isRoutable ? 'others' : 'none'
  }
  return {
    ofShown(entry: Entry): Reach {
      const type = types.get(entry.typeId)
      const isChosen = has(`testimonial:${entry.id}`) && !pages.findOf(entry.id)
      return isChosen ? ofTestimonial(entry) : ofPage(entry, type)
    },
    /** Returns the reach of an entry that isn't shown or was deleted. */
    ofHidden(id: number, entry: Entry | undefined): Reach {
      if (isSource(id) || pages.findOf(id)) return 'others'
      return !entry || mayHaveLostText(has, entry) ? 'texts' : 'none'
    },
  }
}

// A place's text is compared even if its service, and so its page, isn't shown.
function mayHaveLostText(has: (key: string) => boolean, { data, isGenerated }: Entry): boolean {
  const serviceId = data.service_entry_id
  return !isGenerated && serviceId !== undefined && !has(`service:${serviceId}`)
}

// Pages of other entries show their content.
const SHOWN_ELSEWHERE = new Set<string>([SERVICES, TESTIMONIALS])

function isShared(type: ContentType | undefined): boolean {
  return type === undefined || SHOWN_ELSEWHERE.has(type.slug)
}
