import type { App } from '../../app.ts'
import { type EntryListPage, type ListQuestion, loadListPage } from '../../entries/editing/list-page.ts'
import type { ListedEntry } from '../../entries/entry-list-store.ts'
import { listEntriesById } from '../../entries/entry-lookup-store.ts'
import { rulesOf } from '../../entries/types/builtin/registry.ts'
import type { ContentType } from '../../entries/types/content-type-store.ts'
import { type EntryState, STATE_FILTERS } from '../../publish/states/entry-state.ts'
import { withLiveSite } from '../../publish/states/live-site.ts'
import { loadStates } from '../../publish/states/load-states.ts'
import { stateCondition } from '../../publish/states/state-filter-store.ts'
import { listUnseenOffers } from '../../publish/states/unseen-offers.ts'

/** An entry of a list with its state on the live site. */
export type StatedRow = ListedEntry & {
  state: EntryState
  /** Its fields for lists, such as the author of a review. */
  details: string
}

/** Returns one page of a type's entries with their states. */
export function loadStatedList(
  { db, config }: Pick<App, 'db' | 'config'>,
  type: ContentType,
  { question, now }: { question: ListQuestion; now: Date },
): Promise<Omit<EntryListPage, 'entries'> & { entries: StatedRow[] }> {
  return withLiveSite(config.dataDir, async (site) => {
    const state = STATE_FILTERS.find((one) => one === question.state)
    const isKnown = site !== undefined && site !== 'unknown'
    const unseen = isKnown && hasServices(type) ? await listUnseenOffers(db, site) : new Set<number>()
    const matches = state && (await stateCondition(db, site, { type, state, now, unseen }))
    const { entries, ...page } = await loadListPage(db, type, question, matches)
    const states = await loadStates(db, site, { type, entries, now, unseen })
    const detailsOf = await loadDetails(db, type, entries)
    return {
      ...page,
      entries: entries.map((one) => ({
        ...one,
        state: states.get(one.id) ?? 'draft',
        details: detailsOf(one.id),
      })),
    }
  })
}

function hasServices({ slug }: ContentType): boolean {
  const { parts, inherits } = rulesOf(slug)
  return parts !== undefined || inherits !== undefined
}

async function loadDetails(
  db: App['db'],
  { slug }: ContentType,
  listed: readonly ListedEntry[],
): Promise<(id: number) => string> {
  const { listedFields = [] } = rulesOf(slug)
  if (listedFields.length === 0) return () => ''
  const entries = await listEntriesById(
    db,
    listed.map(({ id }) => id),
  )
  return (id) => {
    const entry = entries.get(id)
    const values = listedFields.flatMap((key) => entry?.data[key] ?? [])
    // A review without a headline has its author as title.
    return values.filter((value) => value !== entry?.title).join(', ')
  }
}
