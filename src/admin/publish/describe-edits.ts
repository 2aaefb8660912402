import type { AstroGlobal } from 'astro'
import type { Db } from '../../db/schema.ts'
import { listEntriesById } from '../../entries/entry-lookup-store.ts'
import { rulesOf } from '../../entries/types/builtin/registry.ts'
import { pendingTexts } from '../../messages/admin/history/pending.ts'
import { pictureTexts } from '../../messages/admin/pictures/pictures.ts'
import { settingName } from '../../messages/admin/settings/setting-names.ts'
import type { PictureSnapshot } from '../../pictures/picture-history.ts'
import type { PendingChange } from '../../publish/pending/pending-changes.ts'
import type { PreviewEdit } from '../../publish/previews/preview-edit.ts'
import { entryKey, fixedKey, placeKey } from '../../site/pages/page-key.ts'
import { INTERNAL_SETTINGS } from '../../site/settings/site-settings.ts'
import { findDraft, findNewestSaved, findVersion, type StoredVersion } from '../../versions/version-store.ts'
import { appOf } from '../kit/page-context.ts'
import { diffTexts, type TextPart } from '../versions/diff-texts.ts'
import type { Versioned } from '../versions/versioned.ts'
import { toPendingRow } from './pending-row.ts'
import { readPictureTexts } from './picture-parts.ts'
import { withSeenOffers } from './seen-offers.ts'

/** Finds what a screen's URL names, with its versions. */
type FindVersioned = (
  context: Pick<AstroGlobal, 'params' | 'locals' | 'cookies' | 'url'>,
) => Promise<Versioned | undefined>

/** The finders of subjects with comparable versions. A form's emails are nothing for people with a preview link. */
export type VersionedFinders = Readonly<Partial<Record<PendingChange['subject'], FindVersioned>>>

/** Later changes are only named. */
const MOST_COMPARED = 50
/** Length of unchanged text before and after a change, and of a new or removed text. */
const SHOWN_AROUND = 80
const SHOWN = 2_000
const LEAST_IN_COMMON = 0.5
/** Names of settings that visitors never see. */
const INTERNAL = new Set(INTERNAL_SETTINGS.map((path) => settingName(path)))

type Context = Pick<AstroGlobal, 'locals' | 'cookies' | 'url'>

/** A change that a preview shows. */
export interface ShownChange extends PendingChange {
  /** For a draft: a text that changes with it. */
  draft?: string | undefined
}

/** Describes changes for people with a preview link: the fields that differ from the live version, with both texts. */
export async function describeEdits(
  context: Context,
  changes: readonly ShownChange[],
  finders: VersionedFinders,
): Promise<PreviewEdit[]> {
  const { db } = appOf(context)
  const pageOf = await findEditedPages(db, changes)
  const edits: PreviewEdit[] = []
  for (const [index, one] of changes.entries()) {
    const { name, kind } = toPendingRow(one)
    const isShown = one.change === 'edited' || (one.change === 'added' && one.subject === 'picture')
    const isCompared = index < MOST_COMPARED && isShown
    const compared = isCompared ? await describeFields(context, one, finders) : { fields: fieldsOfPlace(one) }
    edits.push({ name, kind, change: one.change, page: pageOf(one), ...compared })
  }
  return edits
}

/** Returns a function that finds the key of the page that a change is about. */
async function findEditedPages(
  db: Db,
  changes: readonly PendingChange[],
): Promise<(change: PendingChange) => string | undefined> {
  const local = changes.filter(({ ofSlug }) => ofSlug && rulesOf(ofSlug).inherits)
  const pairs = await listEntriesById(
    db,
    local.map(({ subjectId }) => Number(subjectId)),
  )
  return ({ subject, subjectId }) => {
    if (subject === 'setting') return fixedKey('/')
    if (subject !== 'entry') return undefined
    const pair = pairs.get(Number(subjectId))?.data
    return pair
      ? placeKey({ id: Number(pair.service_entry_id) }, { id: Number(pair.location_term_id) })
      : entryKey({ id: Number(subjectId) })
  }
}

// A new place says which services are offered there.
function fieldsOfPlace({ services = [] }: ShownChange): PreviewEdit['fields'] {
  if (services.length === 0) return []
  const text = pendingTexts.names(services, services.length)
  return [{ label: pendingTexts.offeredThere, parts: [{ change: 'added', text }] }]
}

type Compared = Pick<PreviewEdit, 'fields'> & Partial<Pick<PreviewEdit, 'change'>>

async function describeFields(
  { locals, cookies, url }: Context,
  { subject, subjectId, ofSlug, draft }: ShownChange,
  finders: VersionedFinders,
): Promise<Compared> {
  const { db, config } = appOf({ locals })
  const params = { id: subjectId, type: ofSlug, slug: ofSlug }
  const versioned = await finders[subject]?.({ params, locals, cookies, url })
  if (!versioned) return { fields: [] }
  const isDraft = draft !== undefined
  const live = await findLive(db, versioned, { isDraft })
  if (subject === 'picture') return describePicture(versioned, live?.content)
  if (!live) return { fields: [] }
  const saved = isDraft ? await readDraft(db, versioned) : versioned.now
  const isService = subject === 'entry' && rulesOf(ofSlug ?? '').parts !== undefined
  const compared = { id: Number(subjectId), live: live.content, content: saved }
  const content = isService ? await withSeenOffers({ db, dataDir: config.dataDir }, compared) : saved
  const fields: PreviewEdit['fields'] = []
  for (const { label, before, after } of await versioned.describe(live.content, content))
    if (before !== after && !INTERNAL.has(label))
      fields.push({ label, parts: await partsOf(db, before, after) })
  return { fields }
}

async function readDraft(db: Db, { subject, now, contentToRestore }: Versioned): Promise<unknown> {
  const draft = await findDraft(db, subject)
  return draft ? (contentToRestore?.(draft) ?? draft.content) : now
}

// A new picture is only shown; its facts mean nothing to readers.
async function describePicture({ name, now, describe }: Versioned, live: unknown): Promise<Compared> {
  const shown = (content: unknown) => {
    const { sha256, alt } = content as PictureSnapshot
    return { sha256, alt: alt || name }
  }
  const isNew = live === undefined
  const isReplaced = isNew || shown(live).sha256 !== shown(now).sha256
  const file = {
    label: pictureTexts.versionParts.file,
    parts: [
      ...(isNew ? [] : [{ change: 'removed' as const, text: '', picture: shown(live) }]),
      { change: 'added' as const, text: '', picture: shown(now) },
    ],
  }
  const described = isNew ? [] : await describe(live, now)
  const fields = described
    .filter(({ label }) => label !== file.label)
    .map(({ label, before, after }) => ({ label, parts: shortParts(before, after) }))
  return { change: isNew ? 'added' : 'edited', fields: isReplaced ? [file, ...fields] : fields }
}

async function findLive(
  db: Db,
  { subject, now, findShown }: Versioned,
  { isDraft }: { isDraft: boolean },
): Promise<Pick<StoredVersion, 'content'> | undefined> {
  const shown = await findShown()
  // Everything saved is live beside the draft.
  if (isDraft && shown === 'all') return { content: now }
  const until = typeof shown === 'object' ? await findNewestSaved(db, subject, shown) : undefined
  return until && findVersion(db, subject, until.id)
}

async function partsOf(db: Db, before: string, after: string) {
  const texts = await readPictureTexts(db, { before: withoutMarks(before), after: withoutMarks(after) })
  return shortParts(texts.before, texts.after).flatMap(texts.toParts)
}

// The marks of headings mean nothing to readers.
function withoutMarks(text: string): string {
  return text.replaceAll(/^#{1,6} /gm, '')
}

function shortParts(before: string, after: string): TextPart[] {
  const parts = diffTexts(before, after)
  const same = (parts ?? []).filter(({ change }) => change === 'same').map(({ text }) => text.trim())
  // Texts with little in common are easier to read one after the other.
  const isAlike = same.join('').length > Math.max(before.length, after.length) * LEAST_IN_COMMON
  const shown: TextPart[] = (isAlike && parts) || [
    { change: 'removed', text: before },
    { change: 'added', text: after },
  ]
  return shown
    .filter(({ text }) => text !== '')
    .map((part, index, { length }) => ({
      ...part,
      text: shorten(part, { isFirst: index === 0, isLast: index === length - 1 }),
    }))
}

// Unchanged text is shown as far as the change needs it.
function shorten(
  { change, text }: TextPart,
  { isFirst, isLast }: { isFirst: boolean; isLast: boolean },
): string {
  if (change !== 'same') return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
  if (text.length <= 2 * SHOWN_AROUND) return text
  const start = isFirst ? '' : text.slice(0, SHOWN_AROUND).replace(/\S+$/, '')
  const end = isLast ? '' : text.slice(-SHOWN_AROUND).replace(/^\S+/, '')
  return `${start}…${end}`
}
