import { hashToken, makeToken } from '../../auth/token.ts'
import type { Db } from '../../db/schema.ts'
import { previewFailures, type previewStates } from '../../messages/admin/history/previews.ts'
import type { SelectedChange } from '../changes/change-store.ts'
import { type ListedDrafts, listDrafts } from '../pending/waiting-draft-store.ts'
import { findCurrentRelease } from '../release/release.ts'
import type { SitePlace } from '../shared/shared-site.ts'
import { listAnswers, type PreviewAnswer } from './answer-store.ts'
import type { PreviewEdit } from './preview-edit.ts'
import { MADE_WITHIN_MS, removePreview, removePreviews } from './preview-folder.ts'
import {
  deleteExpiredPreviews,
  failPreviews,
  findLastChangeId,
  insertPreview,
  listOpenTokens,
  type Preview,
  storeStaged,
} from './preview-store.ts'
import type { PreviewRequest, StagedPreview } from './stage-preview.ts'

/** Lifetime of a preview link. */
export const PREVIEW_DAYS = 7

/** Time for which an expired link stays in the list. */
const KEPT_DAYS = 30

const DAY_MS = 24 * 60 * 60 * 1_000

/** Content and author of a preview. */
export interface WantedPreview {
  /** The user's email address. */
  madeBy: string
  /** The selected changes, some of them drafts; without them, everything saved. */
  only: readonly SelectedChange[] | undefined
  /** The changes in words. */
  edits?: readonly PreviewEdit[]
  /** True if there are more changes than those. */
  hasMoreEdits?: boolean
}

/** A preview whose pages are to be made. */
export interface BegunPreview extends PreviewRequest {
  id: number
  /** Part of the link. Only its SHA-256 is stored, as `key`. */
  token: string
}

/** Stores a preview, whose link works at once. `finishPreview` makes its pages. */
export async function beginPreview(
  db: Db,
  { madeBy, only, edits = [], hasMoreEdits = false, now }: WantedPreview & { now: Date },
): Promise<BegunPreview> {
  const token = makeToken()
  const key = hashToken(token)
  const expiresAt = new Date(now.getTime() + PREVIEW_DAYS * DAY_MS).toISOString()
  const about = { tokenSha256: key, madeAt: now.toISOString(), madeBy, expiresAt, selected: only }
  const first = edits.flatMap(({ page }) => page ?? [])
  return { id: await insertPreview(db, { ...about, edits, hasMoreEdits }), token, key, only, first }
}

interface FinishOptions {
  stage: (request: PreviewRequest) => Promise<StagedPreview>
  place: SitePlace
  now: () => Date
}

/** Makes a preview's pages. Records a failure, or that nothing differs. */
export async function finishPreview(
  db: Db,
  { id, key, only, first }: BegunPreview,
  { stage, place, now }: FinishOptions,
): Promise<void> {
  try {
    const staged = await stage({ key, only, first })
    if (staged.pageCount === 0) throw new Error(previewFailures.nothing)
    if (!(await storeStaged(db, id, { ...staged, now: now() }))) await removePreview(place, key)
  } catch (error) {
    await failPreviews(db, { id, message: (error as Error).message })
    await removePreview(place, key)
  }
  // Nobody waits for this, because deleting thousands of files takes seconds.
  await removePreviews(place, { kept: new Set(await listOpenTokens(db, { now: now() })), now: now() })
}

/** Marks previews as failed if their server ended while making them. */
export async function failLostPreviews(db: Db, { shared, now }: Pick<SitePlace, 'shared'> & { now: Date }) {
  // Another server may still be making one.
  const before = shared ? new Date(now.getTime() - MADE_WITHIN_MS) : now
  await failPreviews(db, { before, message: previewFailures.interrupted })
}

/** Deletes previews that expired 30 days ago, and files of those that can no longer be opened. */
export async function sweepPreviews(db: Db, { now, ...place }: SitePlace & { now: Date }): Promise<void> {
  await deleteExpiredPreviews(db, { before: new Date(now.getTime() - KEPT_DAYS * DAY_MS) })
  await removePreviews(place, { kept: new Set(await listOpenTokens(db, { now })), now })
}

/** State of a preview. */
export type PreviewState = keyof typeof previewStates

/** A preview with its state. */
export interface KnownPreview {
  preview: Preview
  state: PreviewState
  answers: readonly PreviewAnswer[]
}

interface StateOptions {
  dataDir: string
  now: Date
  drafts?: ListedDrafts
  /** Returns whether a preview's pages are being made again. */
  isRefreshing?: ((id: number) => boolean) | undefined
}

/** Returns the state of each preview. `older`: the live site or the previewed content has changed since. */
export async function readPreviewStates(
  db: Db,
  previews: readonly Preview[],
  { dataDir, now, drafts, isRefreshing = () => false }: StateOptions,
): Promise<KnownPreview[]> {
  const answers = Map.groupBy(
    await listAnswers(
      db,
      previews.map(({ id }) => id),
    ),
    (one) => one.previewId,
  )
  const site = {
    ...{ lastChangeId: await findLastChangeIdFor(db, previews), releaseId: findCurrentRelease(dataDir)?.id },
    isDraftCurrent: await readDrafts(db, previews, { now, drafts }),
    now: now.toISOString(),
  }
  return previews.map((preview) => {
    const given = answers.get(preview.id) ?? []
    const state = isRefreshing(preview.id) ? 'making' : stateOf(preview, given, site)
    return { preview, answers: given, state }
  })
}

// Other changes don't affect a selection.
function findLastChangeIdFor(db: Db, previews: readonly Preview[]): Promise<number> | number {
  return previews.some(({ selected }) => !selected) ? findLastChangeId(db) : 0
}

/** Returns a function that tells whether a selected draft is still as it was. */
export async function readDrafts(
  db: Db,
  previews: readonly Preview[],
  { now, drafts }: { now: Date; drafts: ListedDrafts | undefined },
): Promise<(change: SelectedChange) => boolean> {
  if (!previews.some(({ selected }) => selected?.some(isDraft))) return () => true
  const { waiting, dated } = drafts ?? (await listDrafts(db, { now }))
  const known = [...waiting.drafts, ...dated]
  return (change) =>
    known.some(
      ({ subject, subjectId, stamp }) =>
        subject === change.subject && subjectId === change.subjectId && stamp === change.draft,
    )
}

/** Returns whether a draft was selected, in place of the saved version. */
export function isDraft({ draft }: SelectedChange): boolean {
  return draft !== undefined
}

function stateOf(
  preview: Preview,
  answers: readonly PreviewAnswer[],
  site: {
    lastChangeId: number
    releaseId: string | undefined
    now: string
    isDraftCurrent: (change: SelectedChange) => boolean
  },
): PreviewState {
  if (preview.publishedAt !== null) return 'published'
  if (preview.failureMessage !== null) return 'failed'
  if (preview.endedAt !== null) return 'ended'
  if (preview.expiresAt <= site.now) return 'expired'
  if (preview.readyAt === null) return 'making'
  // A publish compares the pages of both kinds.
  const isSaved = preview.selected === undefined && preview.changeId !== site.lastChangeId
  const isRedrafted = preview.selected?.filter(isDraft).some((one) => !site.isDraftCurrent(one)) ?? false
  if (preview.releaseId !== site.releaseId || isSaved || isRedrafted) return 'older'
  if (preview.approvedAt !== null) return 'approved'
  return answers.length > 0 ? 'changes' : 'open'
}
