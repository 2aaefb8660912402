import type { Db } from '../../db/schema.ts'
import type { SelectedChange } from '../changes/change-store.ts'
import { listUnpublished, type UnpublishedChange } from '../pending/pending-changes.ts'
import type { ListedDrafts } from '../pending/waiting-draft-store.ts'
import { findCurrentRelease } from '../release/release.ts'
import type { SitePlace } from '../shared/shared-site.ts'
import { isDraft, readDrafts } from './make-preview.ts'
import { removePreview } from './preview-folder.ts'
import { type Preview, storeStaged } from './preview-store.ts'
import type { PreviewRequest, StagedPreview } from './stage-preview.ts'

/** Drafts and changes that the caller has already loaded. */
export interface KnownSaves {
  drafts?: ListedDrafts | undefined
  changes?: readonly UnpublishedChange[] | undefined
}

/**
 * Returns those of the previews whose pages can be made again: another release is live, and they show selected changes
 * that nobody has edited since, some of them still unpublished. A preview of all changes would show what was saved later.
 */
export async function listRefreshable(
  db: Db,
  previews: readonly Preview[],
  { dataDir, now, drafts, changes: given }: KnownSaves & { dataDir: string; now: Date },
): Promise<Preview[]> {
  const releaseId = findCurrentRelease(dataDir)?.id
  const behind = previews.filter(
    (one) => one.selected && one.releaseId !== releaseId && isOpen(one, now.toISOString()),
  )
  if (behind.length === 0) return []
  const changes = given ?? (await listUnpublished(db, { dataDir, now }))?.changes
  const isDraftCurrent = await readDrafts(db, behind, { now, drafts })
  if (!changes) return []
  const saved = new Map(changes.map((one) => [`${one.subject}:${one.subjectId}`, one.changeId]))
  const savedId = ({ subject, subjectId }: SelectedChange) => saved.get(`${subject}:${subjectId}`)
  const isLeft = (one: SelectedChange) => isDraft(one) || savedId(one) !== undefined
  const isSame = (one: SelectedChange) =>
    isDraft(one) ? isDraftCurrent(one) : [undefined, one.changeId].includes(savedId(one))
  return behind.filter(({ selected }) => selected?.some(isLeft) && selected.every(isSame))
}

function isOpen({ readyAt, publishedAt, endedAt, expiresAt }: Preview, now: string): boolean {
  return readyAt !== null && publishedAt === null && endedAt === null && expiresAt > now
}

interface RefreshOptions {
  stage: (request: PreviewRequest) => Promise<StagedPreview>
  place: SitePlace
  now: () => Date
}

/**
 * Makes a preview's pages again from the site that is live by now, with the same changes. An approved preview is only
 * moved to that release, and only if every page is the same byte for byte; otherwise, its pages stay as they were, and
 * the result is undefined.
 */
export async function refreshPreview(
  db: Db,
  { id, tokenSha256: key, selected: only, edits, releaseId }: Preview,
  { stage, place, now }: RefreshOptions,
): Promise<Preview | undefined> {
  const staged = await stage({ key, only, first: edits.flatMap(({ page }) => page ?? []) })
  if (staged.releaseId === releaseId) return undefined
  const stored = staged.pageCount > 0 ? await storeStaged(db, id, { ...staged, now: now() }) : undefined
  await removePreview(place, key, stored ? releaseId : staged.releaseId)
  return stored
}
