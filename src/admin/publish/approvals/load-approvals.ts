import type { Db } from '#src/db/schema.ts'
import { pendingTexts } from '#src/messages/admin/history/pending.ts'
import type { ContentChange } from '#src/publish/changes/change-store.ts'
import { nameSubjects } from '#src/publish/pending/describe-change.ts'
import { listUnpublished, type UnpublishedChange } from '#src/publish/pending/pending-changes.ts'
import type { ListedDrafts, WaitingDraft } from '#src/publish/pending/waiting-draft-store.ts'
import { type KnownPreview, readPreviewStates } from '#src/publish/previews/make-preview.ts'
import { listUnpublishedPreviews, type Preview } from '#src/publish/previews/preview-store.ts'
import { findCurrentRelease } from '#src/publish/release/release.ts'
import { findUnpublishedAreas } from '#src/publish/states/changed-settings.ts'
import type { PreviewRefresher } from '#src/server/background/preview-refresher.ts'
import { nameSettings } from '../name-selected.ts'
import { changeKey, nameAreas } from '../pending-row.ts'

const NAMED = 8
const READ = 20
const SHOWN = 5

/** A preview link for the next publish, and how that publish differs from its pages. */
export interface Approval extends KnownPreview {
  /** Names of what was saved since; empty if nothing was, and undefined if it has no name. */
  since: string | undefined
  /** Names of the changes that were not selected for it; empty if there are none. */
  others: string
  /** True if it shows saved changes, which the publish includes. */
  hasSaved: boolean
  /** Names of the drafts that it shows and that wait for a person. */
  drafts: { names: string; count: number }
  /** The drafts that it shows and that go live by themselves, the next first. */
  scheduled: { name: string; at: string }[]
  /** Names of everything that was selected for it; empty if it shows all changes. */
  selected: string
}

interface ApprovalOptions {
  dataDir: string
  now: Date
  drafts: ListedDrafts
  refresher: Pick<PreviewRefresher, 'refresh' | 'isRefreshing'>
}

/** Loads the preview links with unpublished changes, newest first: of several with the same ones, the newest. */
export async function loadApprovals(
  db: Db,
  { dataDir, now, drafts, refresher }: ApprovalOptions,
): Promise<Approval[]> {
  const found = await listUnpublishedPreviews(db, { now, limit: READ })
  if (found.length === 0) return []
  const releaseId = findCurrentRelease(dataDir)?.id
  const changes = (await listUnpublished(db, { dataDir, now }))?.changes ?? []
  const previews = await refresher.refresh(found, { drafts, changes, isSmall: true })
  const { isRefreshing } = refresher
  const known = (await readPreviewStates(db, previews, { dataDir, now, drafts, isRefreshing })).filter(
    ({ preview, state }) =>
      state === 'making' || preview.releaseId === releaseId || isLeft(preview, { changes, drafts }),
  )
  const shown = withoutRepeated(known).slice(0, SHOWN)
  const parts = shown.map((one) => ({ ...one, ...differencesFrom(one.preview, changes) }))
  const changed = parts.flatMap(({ later, unselected }) => [...later, ...unselected])
  const selected = parts.flatMap(({ preview }) => preview.selected ?? [])
  const hasSettings = changed.some(({ subject }) => subject === 'setting')
  const areas = hasSettings ? await findUnpublishedAreas({ db, dataDir }) : undefined
  const nameOf = await nameAll(db, [...changed, ...selected], nameAreas(areas))
  return parts.map(({ later, unselected, ...one }) => ({
    ...one,
    since: one.state === 'older' && later.length === 0 ? undefined : nameOf(later),
    others: nameOf(unselected),
    ...draftsOf(one.preview, drafts),
    selected: nameOf(one.preview.selected ?? [], nameSettings(one.preview)),
  }))
}

interface Unpublished {
  changes: readonly UnpublishedChange[]
  drafts: ListedDrafts
}

// Returns whether a change or a draft in it is still unpublished, whatever else went live.
function isLeft({ selected, changeId }: Preview, { changes, drafts }: Unpublished): boolean {
  const keys = new Set([...changes, ...drafts.waiting.drafts, ...drafts.dated].map(changeKey))
  if (selected) return selected.some((one) => keys.has(changeKey(one)))
  return changes.some(({ firstChangeId }) => firstChangeId <= changeId)
}

// An approved one stays beside a newer one.
function withoutRepeated(known: readonly KnownPreview[]): KnownPreview[] {
  const seen = new Set<string>()
  return known.filter(({ preview: { selected }, state }) => {
    const key = `${state === 'approved'} ${selected?.map(changeKey).toSorted().join()}`
    const isFirst = !seen.has(key)
    seen.add(key)
    return isFirst
  })
}

function differencesFrom(
  { readyAt, selected, changeId }: Preview,
  changes: readonly UnpublishedChange[],
): { later: UnpublishedChange[]; unselected: UnpublishedChange[] } {
  const chosen = selected && new Map(selected.map((one) => [changeKey(one), one.changeId]))
  const own = changes.filter((change) => !chosen || chosen.has(changeKey(change)))
  const since = (change: UnpublishedChange) => (chosen ? chosen.get(changeKey(change)) : changeId)
  return {
    later: readyAt === null ? [] : own.filter((one) => one.changeId > (since(one) ?? one.changeId)),
    unselected: changes.filter((change) => chosen && !chosen.has(changeKey(change))),
  }
}

function draftsOf(
  preview: Preview,
  { waiting, dated }: ListedDrafts,
): Pick<Approval, 'hasSaved' | 'drafts' | 'scheduled'> {
  const { selected } = preview
  const keys = new Set(selected?.filter(({ draft }) => draft !== undefined).map(changeKey))
  const isShown = (draft: WaitingDraft) => keys.has(changeKey(draft))
  const names = waiting.drafts.filter(isShown).map(({ name }) => name || nameSettings(preview))
  return {
    hasSaved: selected?.some(({ draft }) => draft === undefined) ?? true,
    drafts: { names: pendingTexts.names(names, NAMED), count: names.length },
    scheduled: dated.filter(isShown).toSorted((a, b) => (a.at < b.at ? -1 : 1)),
  }
}

async function nameAll(
  db: Db,
  changes: readonly ContentChange[],
  savedSettings: string,
): Promise<(some: readonly ContentChange[], settings?: string) => string> {
  const nameOf = changes.length > 0 ? await nameSubjects(db, changes) : () => undefined
  return (some, settings = savedSettings) => {
    const names = some.map((one) =>
      one.subject === 'setting' ? settings : (nameOf(one) ?? pendingTexts.deleted),
    )
    return pendingTexts.names([...new Set(names)], NAMED)
  }
}
