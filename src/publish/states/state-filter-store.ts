import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/schema.ts'
import { rulesOf } from '../../entries/types/builtin/registry.ts'
import type { ContentType } from '../../entries/types/content-type-store.ts'
import type { StateFilter } from './entry-state.ts'
import type { LiveSite } from './live-site.ts'
import { listChangedAmong, listHiddenChanged, type StateParts, stateParts } from './state-store.ts'

/** Maximum number of hidden entries looked up on the live site. */
const MOST_HIDDEN = 5_000

/**
 * Returns the condition on `content_entries` that selects a type's entries in a state. For `draft`, these include the
 * entries in other states that have a draft. `unseen` has the IDs of services that count as live, though saved.
 */
export async function stateCondition(
  db: Db,
  site: LiveSite | 'unknown' | undefined,
  {
    type,
    state,
    now,
    unseen = new Set(),
  }: { type: ContentType; state: StateFilter; now: Date; unseen?: ReadonlySet<number> },
): Promise<RawBuilder<boolean>> {
  const isPair = rulesOf(type.slug).inherits !== undefined
  if (site === undefined || site === 'unknown') {
    const parts = stateParts(db, { isPair, now, since: undefined })
    const holder = site === undefined ? 'pending' : 'live'
    return conditionOf(state, { ...parts, isChanged: holder === 'pending' ? all : parts.isChanged }, [])
  }
  const shownIds = [...(await listPublishedAlone(db, site)), ...unseen]
  const parts = stateParts(db, { isPair, now, since: { ...site, shownIds } })
  if (state === 'live') return conditionOf(state, parts, [])
  const hidden = await listHiddenChanged(db, { typeId: type.id, parts, limit: MOST_HIDDEN })
  return conditionOf(state, parts, [...site.listLive(hidden)])
}

const all = sql<boolean>`(1 = 1)`

const HAS_DRAFT = sql<boolean>`content_entries.id in (select subject_id from content_versions
  where subject_kind = 'entry' and state = 'draft')`

function conditionOf(
  state: StateFilter,
  { isShown, isDraft, isScheduled, isChanged }: StateParts,
  stillLive: readonly number[],
): RawBuilder<boolean> {
  const isStillLive =
    stillLive.length === 0
      ? sql<boolean>`(1 = 0)`
      : sql<boolean>`content_entries.id in (${sql.join(stillLive)})`
  if (state === 'live') return sql<boolean>`(${isShown} and not ${isChanged})`
  if (state === 'pending') return sql<boolean>`((${isShown} and ${isChanged}) or ${isStillLive})`
  if (state === 'draft') return sql<boolean>`((${isDraft} and not ${isStillLive}) or ${HAS_DRAFT})`
  return sql<boolean>`(${isScheduled} and not ${isDraft} and not ${isStillLive})`
}

/** Lists the entries published on their own after the position and not saved again since. */
export async function listPublishedAlone(db: Db, site: LiveSite): Promise<number[]> {
  const entries = site.ahead.filter(({ subject }) => subject === 'entry' || subject === 'entry_terms')
  if (entries.length === 0) return []
  const entryIds = entries.map(({ subjectId }) => Number(subjectId))
  const latest = await listChangedAmong(db, site, { entryIds, termIds: [] })
  const published = new Map(entries.map((one) => [`${one.subject}:${one.subjectId}`, one.changeId]))
  const again = latest.filter(
    ({ subject, subjectId, changeId }) =>
      subject !== 'term' && (published.get(`${subject}:${subjectId}`) ?? 0) < changeId,
  )
  const changed = new Set(again.map(({ subjectId }) => Number(subjectId)))
  return entryIds.filter((id) => !changed.has(id))
}
