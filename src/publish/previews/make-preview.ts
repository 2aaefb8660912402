import { hashToken, makeToken } from '../../auth/token.ts'
import type { Db } from '../../db/schema.ts'
import type { previewStates } from '../../messages/admin/history/previews.ts'
import type { ContentChange } from '../changes/change-store.ts'
import { findCurrentRelease } from '../release/release.ts'
import type { SitePlace } from '../shared/shared-site.ts'
import { removePreview, removePreviews } from './preview-folder.ts'
import {
  deleteExpiredPreviews,
  findLastChangeId,
  insertPreview,
  listOpenTokens,
  type Preview,
} from './preview-store.ts'
import type { PreviewRequest, StagedPreview } from './stage-preview.ts'

/** Time for which a preview link works. */
export const PREVIEW_DAYS = 7

/** Time for which an expired link stays in the list. */
const KEPT_DAYS = 30

const DAY_MS = 24 * 60 * 60 * 1_000

interface MakeOptions {
  /** The email address of the user. */
  madeBy: string
  only: readonly ContentChange[] | undefined
  stage: (request: PreviewRequest) => Promise<StagedPreview>
  place: SitePlace
  now: Date
}

/** Makes a preview and returns its token, which is stored nowhere: only its SHA-256 is. Undefined when nothing differs. */
export async function makePreview(
  db: Db,
  { madeBy, only, stage, place, now }: MakeOptions,
): Promise<{ id: number; token: string } | undefined> {
  await removePreviews(place, { kept: new Set(await listOpenTokens(db, { now })), now })
  const token = makeToken()
  const tokenSha256 = hashToken(token)
  const staged = await stage({ key: tokenSha256, only }).catch(async (error: unknown) => {
    await removePreview(place, tokenSha256)
    throw error
  })
  const { pagesHash: pagesSha256, changes, releaseId, changeId } = staged
  if (changes.length === 0) {
    await removePreview(place, tokenSha256)
    return undefined
  }
  const expiresAt = new Date(now.getTime() + PREVIEW_DAYS * DAY_MS).toISOString()
  const about = { tokenSha256, madeAt: now.toISOString(), madeBy, expiresAt }
  const made = { releaseId, changeId, pagesSha256, changes, selected: only }
  return { id: await insertPreview(db, { ...about, ...made }), token }
}

/** Deletes previews that expired 30 days ago, and the files of those that can't be opened any more. */
export async function sweepPreviews(db: Db, { now, ...place }: SitePlace & { now: Date }): Promise<void> {
  await deleteExpiredPreviews(db, { before: new Date(now.getTime() - KEPT_DAYS * DAY_MS) })
  await removePreviews(place, { kept: new Set(await listOpenTokens(db, { now })), now })
}

/** State of a preview. */
export type PreviewState = keyof typeof previewStates

/** Returns what became of each preview. `older`: the site is another one by now, or content of it was saved. */
export async function readPreviewStates(
  db: Db,
  previews: readonly Preview[],
  { dataDir, now }: { dataDir: string; now: Date },
): Promise<PreviewState[]> {
  const lastChangeId = await findLastChangeId(db)
  const releaseId = findCurrentRelease(dataDir)?.id
  return previews.map((preview) => {
    if (preview.publishedAt !== null) return 'published'
    if (preview.endedAt !== null) return 'ended'
    if (preview.expiresAt <= now.toISOString()) return 'expired'
    // Other changes don't concern a selection; a publish compares the pages of either.
    const isSaved = preview.selected === undefined && preview.changeId !== lastChangeId
    if (preview.releaseId !== releaseId || isSaved) return 'older'
    return preview.approvedAt === null ? 'open' : 'approved'
  })
}
