import type { AstroGlobal } from 'astro'
import { z } from 'zod'
import type { Db } from '../../db/schema.ts'
import { previewActivity, previewFailures, previewTexts } from '../../messages/admin/history/previews.ts'
import type { SelectedChange } from '../../publish/changes/change-store.ts'
import { loadPending, type PendingChange } from '../../publish/pending/pending-changes.ts'
import type { WaitingDraft } from '../../publish/pending/waiting-draft-store.ts'
import { findPreview } from '../../publish/previews/preview-store.ts'
import { listChangedAreas, type SettingsArea } from '../../site/settings/settings-areas.ts'
import { findEditedSettings } from '../../site/settings/settings-draft.ts'
import { adminCookie } from '../access/admin-cookie.ts'
import { recordChange } from '../audit/record-change.ts'
import { readPosted } from '../kit/admin-form.ts'
import { seeOther } from '../kit/flash.ts'
import { appOf, getAdministrator, refuse } from '../kit/page-context.ts'
import { describeEdits, type ShownChange, type VersionedFinders } from './describe-edits.ts'
import { checkDrafts } from './drafts/check-drafts.ts'
import { listChosenDrafts } from './drafts/use-drafts.ts'
import { changeKey } from './pending-row.ts'

const posted = z.object({
  changes: z.array(z.string()).default([]),
  drafts: z.array(z.string()).default([]),
  /** Posted by the form that lists every change. */
  choice: z.string().optional(),
})

const PREVIEWS = '/admin/publish/previews'

// The database has only its hash.
const newToken = adminCookie('preview', { maxAgeSeconds: 60 })

/**
 * Makes a preview of the selected changes and drafts, or of all changes, and redirects to the page that shows its link
 * once. Drafts stay drafts.
 */
export async function receivePreview(astro: AstroGlobal, finders: VersionedFinders): Promise<Response> {
  const { db, publishing } = appOf(astro)
  const { changes: keys = [], drafts: draftKeys = [], choice } = (await readPosted(astro, posted)) ?? {}
  const isEmpty = keys.length + draftKeys.length === 0
  if (choice && isEmpty) return refuse(astro, { to: PREVIEWS, text: previewTexts.nothingSelected })
  const drafts = await listChosenDrafts(astro, draftKeys)
  const refused = await checkDrafts(db, drafts)
  if (refused.length > 0)
    return refuse(astro, { to: PREVIEWS, text: previewTexts.notCreated(refused.join(' ')) })
  const { shown, isAll, hasMore } = await loadShown(astro, { keys, drafts, isEmpty })
  if (!isAll && shown.length === 0) return refuse(astro, { to: PREVIEWS, text: previewFailures.nothing })
  const only = isAll ? undefined : shown.map(toSelected)
  const { email: madeBy } = getAdministrator(astro)
  const edits = await describeEdits(astro, shown, finders)
  const { id, token } = await publishing.previews.make({
    madeBy,
    only,
    edits,
    hasMoreEdits: hasMore && isAll,
  })
  const failure = (await findPreview(db, id))?.failureMessage
  if (failure) return refuse(astro, { to: PREVIEWS, text: failure })
  await recordChange(astro, { action: 'preview.made', id, summary: previewActivity.made })
  newToken.set(astro, token)
  return seeOther(PREVIEWS)
}

interface Wanted {
  /** Keys of changes, such as `entry:12`. */
  keys: readonly string[]
  drafts: readonly WaitingDraft[]
  /** True if nothing was selected. */
  isEmpty: boolean
}

// Without a selection, and with every change selected, the preview shows what is saved while it is made.
async function loadShown(
  astro: AstroGlobal,
  { keys, drafts, isEmpty }: Wanted,
): Promise<{ shown: readonly ShownChange[]; isAll: boolean; hasMore: boolean }> {
  const { db, config } = appOf(astro)
  const pending = await loadPending(db, { dataDir: config.dataDir, now: new Date() })
  const { changes = [], hasMore = false } = pending ?? {}
  const selected = changes.filter((change) => keys.includes(changeKey(change)))
  const isAll = isEmpty || (drafts.length === 0 && selected.length > 0 && selected.length === changes.length)
  const areas = await listDraftedAreas(db, drafts)
  const others = selected.filter((change) => !isAmong(drafts, change))
  return {
    shown: isAll ? changes : [...drafts.map((draft) => toChange(draft, areas)), ...others],
    isAll,
    hasMore,
  }
}

// The parts of the settings that their draft changes, if it is one of these.
async function listDraftedAreas(db: Db, drafts: readonly WaitingDraft[]): Promise<SettingsArea[]> {
  if (!drafts.some(({ subject }) => subject === 'setting')) return []
  const { saved, settings } = await findEditedSettings(db)
  return listChangedAreas(saved, settings)
}

// A draft replaces what was saved.
function isAmong(drafts: readonly WaitingDraft[], change: PendingChange): boolean {
  return drafts.some((draft) => changeKey(draft) === changeKey(change))
}

function toChange(
  { subject, subjectId, name, typeSlug, isOfPublished, stamp }: WaitingDraft,
  areas: readonly SettingsArea[],
): ShownChange {
  const unlogged = {
    firstChangeId: 0,
    changeId: 0,
    savedAt: '',
    savedBy: undefined,
    services: undefined,
    areas,
  }
  return {
    ...{ ...unlogged, subject, subjectId, name, draft: stamp },
    change: isOfPublished ? 'edited' : 'added',
    ofSlug: typeSlug || undefined,
  }
}

function toSelected({ subject, subjectId, draft, changeId }: ShownChange): SelectedChange {
  return { subject, subjectId, ...(draft === undefined ? { changeId } : { draft }) }
}

/** Returns the link that was just made, once; undefined afterwards. */
export function takeNewLink(astro: AstroGlobal): string | undefined {
  const token = newToken.read(astro)
  if (token === undefined) return undefined
  newToken.clear(astro)
  astro.response.headers.set('cache-control', 'no-store')
  return new URL(`/api/previews/${token}`, appOf(astro).config.siteUrl).href
}
