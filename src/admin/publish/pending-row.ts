import { typeNoun } from '../../messages/admin/entries.ts'
import { pendingKinds, pendingTexts } from '../../messages/admin/history/pending.ts'
import { termNoun } from '../../messages/admin/terms.ts'
import type { ContentChange } from '../../publish/changes/change-store.ts'
import type { PendingChange } from '../../publish/pending/pending-changes.ts'
import type { WaitingDraft } from '../../publish/pending/waiting-draft-store.ts'
import type { SettingsArea } from '../../site/settings/settings-areas.ts'

/** A change in the list of unpublished ones. */
export interface PendingRow {
  /** Value that a form posts for it. */
  value: string
  name: string
  kind: string
  /** URL of its editor; undefined if it was deleted or has no screen. */
  href: string | undefined
  /** URL of its versions; undefined if it was just added or has none. */
  versions: string | undefined
}

/** Returns the row for a change. */
export function toPendingRow(change: PendingChange): PendingRow {
  return {
    value: changeKey(change),
    name: change.subject === 'setting' ? nameAreas(change.areas) : change.name,
    kind: kindOf(change),
    href: change.change === 'removed' ? undefined : hrefOf(change),
    versions: change.change === 'edited' ? versionsOf(change) : undefined,
  }
}

/** Names the settings by the screens of the parts that changed. */
export function nameAreas(areas: readonly SettingsArea[] = []): string {
  const [first, second] = areas
  if (!first) return pendingTexts.siteSettings
  return second ? pendingTexts.areas.both : pendingTexts.areas[first]
}

/** Returns the name of a draft's page; for the settings, the screens of the parts that it changes. */
export function nameOfDraft({
  subject,
  name,
  areas,
}: Pick<WaitingDraft, 'subject' | 'name' | 'areas'>): string {
  return subject === 'setting' ? nameAreas(areas) : name
}

function isOfHome({ subject, areas }: PendingChange): boolean {
  return subject === 'setting' && areas?.join() === 'home'
}

/** Returns the value that a form posts for a change: `entry:12`. */
export function changeKey({ subject, subjectId }: ContentChange): string {
  return `${subject}:${subjectId}`
}

function kindOf(change: PendingChange): string {
  const { subject, ofSlug, ofName = ofSlug ?? '' } = change
  if (isOfHome(change)) return pendingKinds.entry
  if (subject === 'entry' && ofSlug) return capitalize(typeNoun({ slug: ofSlug, name: ofName }))
  if (subject === 'term' && ofSlug) return capitalize(termNoun(ofSlug).one)
  return pendingKinds[subject]
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function versionsOf(change: PendingChange): string | undefined {
  const href = hrefOf(change)
  return href === undefined ? undefined : `${href}/versions`
}

function hrefOf(change: PendingChange): string | undefined {
  const { subject, subjectId, ofSlug } = change
  if (isOfHome(change)) return '/admin/home'
  if (subject === 'entry') return `/admin/entries/${ofSlug}/${subjectId}`
  if (subject === 'term') return `/admin/taxonomies/${ofSlug}/terms/${subjectId}`
  return subject === 'setting' ? '/admin/settings' : undefined
}
