import type { Db } from '../../../db/schema.ts'
import { pendingTexts } from '../../../messages/admin/history/pending.ts'
import { nameSubjects } from '../../../publish/pending/describe-change.ts'
import { listUnpublished, type UnpublishedChange } from '../../../publish/pending/pending-changes.ts'
import type { WaitingDrafts } from '../../../publish/pending/waiting-draft-store.ts'
import { type KnownPreview, readPreviewStates } from '../../../publish/previews/make-preview.ts'
import { listUnpublishedPreviews, type Preview } from '../../../publish/previews/preview-store.ts'
import { findCurrentRelease } from '../../../publish/release/release.ts'
import { changeKey } from '../pending-row.ts'

const NAMED = 8
const READ = 3

/** A preview link for the next publish, and how that publish differs from its pages. */
export interface Approval extends KnownPreview {
  /** Names of what was saved since; empty if nothing was, and undefined if it has no name. */
  since: string | undefined
  /** Names of the changes that were not selected for it; empty if there are none. */
  others: string
  /** Names of the drafts that it shows; empty if there are none. */
  drafts: string
}

/** Loads the newest preview link of the live site and, if it isn't approved, the newest approved one. */
export async function loadApprovals(
  db: Db,
  { dataDir, now, waiting }: { dataDir: string; now: Date; waiting: WaitingDrafts },
): Promise<Approval[]> {
  const found = await listUnpublishedPreviews(db, { now, limit: READ })
  if (found.length === 0) return []
  const releaseId = findCurrentRelease(dataDir)?.id
  const known = (await readPreviewStates(db, found, { dataDir, now, waiting })).filter(
    ({ preview, state }) => state === 'making' || preview.releaseId === releaseId,
  )
  const [newest] = known
  const approved = known.find(({ state }) => state === 'approved')
  const shown = new Set([newest, approved].filter((one) => one !== undefined))
  const changes = shown.size > 0 ? ((await listUnpublished(db, { dataDir, now }))?.changes ?? []) : []
  const parts = [...shown].map((one) => ({ ...one, ...differencesFrom(one.preview, changes) }))
  const nameOf = await nameAll(
    db,
    parts.flatMap(({ later, unselected }) => [...later, ...unselected]),
  )
  return parts.map(({ later, unselected, ...one }) => ({
    ...one,
    since: one.state === 'older' && later.length === 0 ? undefined : nameOf(later),
    others: nameOf(unselected),
    drafts: nameDrafts(one.preview, waiting),
  }))
}

function differencesFrom(
  { readyAt, selected, changeId }: Preview,
  changes: readonly UnpublishedChange[],
): { later: UnpublishedChange[]; unselected: UnpublishedChange[] } {
  const keys = selected && new Set(selected.map(changeKey))
  const own = changes.filter((change) => !keys || keys.has(changeKey(change)))
  return {
    later: readyAt === null ? [] : own.filter((change) => change.changeId > changeId),
    unselected: changes.filter((change) => keys && !keys.has(changeKey(change))),
  }
}

function nameDrafts({ selected = [] }: Preview, { drafts }: WaitingDrafts): string {
  const keys = new Set(selected.filter(({ draft }) => draft !== undefined).map(changeKey))
  const names = drafts.filter((draft) => keys.has(changeKey(draft))).map(({ name }) => name)
  return pendingTexts.names(
    names.map((name) => name || pendingTexts.siteSettings),
    NAMED,
  )
}

async function nameAll(
  db: Db,
  changes: readonly UnpublishedChange[],
): Promise<(some: readonly UnpublishedChange[]) => string> {
  const nameOf = changes.length > 0 ? await nameSubjects(db, changes) : () => undefined
  return (some) => {
    const names = some.map((one) =>
      one.subject === 'setting' ? pendingTexts.siteSettings : (nameOf(one) ?? pendingTexts.deleted),
    )
    return pendingTexts.names([...new Set(names)], NAMED)
  }
}
