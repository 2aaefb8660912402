import type { AstroGlobal } from 'astro'
import type { Db } from '../../db/schema.ts'
import { meaningOf } from '../../entries/types/builtin/registry.ts'
import { SERVICES } from '../../entries/types/builtin/slugs.ts'
import { settingName } from '../../messages/admin/settings/setting-names.ts'
import type { PendingChange } from '../../publish/pending/pending-changes.ts'
import type { PreviewEdit } from '../../publish/previews/preview-edit.ts'
import { findNewestSaved, findVersion } from '../../versions/version-store.ts'
import { appOf } from '../kit/page-context.ts'
import { diffTexts, type TextPart } from '../versions/diff-texts.ts'
import type { Versioned } from '../versions/versioned.ts'
import { toPendingRow } from './pending-row.ts'

/** Finds what a screen's URL names, with its versions. */
type FindVersioned = (
  context: Pick<AstroGlobal, 'params' | 'locals' | 'url'>,
) => Promise<Versioned | undefined>

/** The finders of subjects with comparable versions. A form's emails are nothing for people with a preview link. */
export type VersionedFinders = Readonly<Partial<Record<PendingChange['subject'], FindVersioned>>>

/** Later changes are only named. */
const MOST_COMPARED = 50
/** Length of unchanged text before and after a change, and of a new or removed text. */
const SHOWN_AROUND = 80
const SHOWN = 2_000
const LEAST_IN_COMMON = 0.5
/** Settings that visitors never see. */
const INTERNAL = new Set(['stages', 'record_reading', 'attribution'].map((path) => settingName(path)))

/** The label of patterns, which mean nothing to clients. */
const PATTERNS = meaningOf(SERVICES, 'offered_in')?.label

type Context = Pick<AstroGlobal, 'locals' | 'url'>

/** Describes changes for people with a preview link: the fields that differ from the live version, with both texts. */
export async function describeEdits(
  context: Context,
  changes: readonly PendingChange[],
  finders: VersionedFinders,
): Promise<PreviewEdit[]> {
  const edits: PreviewEdit[] = []
  for (const [index, change] of changes.entries()) {
    const { name, kind } = toPendingRow(change)
    const isCompared = index < MOST_COMPARED && change.change === 'edited'
    const fields = isCompared ? await describeFields(context, change, finders) : []
    edits.push({ name, kind, change: change.change, fields })
  }
  return edits
}

async function describeFields(
  { locals, url }: Context,
  { subject, subjectId, ofSlug }: PendingChange,
  finders: VersionedFinders,
): Promise<PreviewEdit['fields']> {
  const params = { id: subjectId, type: ofSlug, slug: ofSlug }
  const versioned = await finders[subject]?.({ params, locals, url })
  const live = versioned && (await findLive(appOf({ locals }).db, versioned))
  if (!live) return []
  const described = await versioned.describe(live.content, versioned.now)
  return described
    .filter(({ label, before, after }) => before !== after && !INTERNAL.has(label))
    .map(({ label, before, after }) => ({ label, parts: label === PATTERNS ? [] : partsOf(before, after) }))
}

async function findLive(db: Db, { subject, findShown }: Versioned) {
  const shown = await findShown()
  const until = typeof shown === 'object' ? await findNewestSaved(db, subject, shown) : undefined
  return until && findVersion(db, subject, until.id)
}

function partsOf(before: string, after: string): TextPart[] {
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
  const start = isFirst ? '' : text.slice(0, SHOWN_AROUND)
  const end = isLast ? '' : text.slice(-SHOWN_AROUND)
  return text.length <= 2 * SHOWN_AROUND ? text : `${start}…${end}`
}
