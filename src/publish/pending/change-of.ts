import { isPublicAt } from '../../entries/is-public-at.ts'
import { placeOfKey } from '../../site/pages/page-key.ts'
import type { PendingSubject } from './describe-change.ts'
import type { LiveRecord } from './live-record.ts'
import type { LoggedSubject } from './logged-subject-store.ts'

/** The effect of the next publish on something. */
export type Change = 'added' | 'edited' | 'removed'

/** Returns the change that visitors would see; undefined if they wouldn't see any. */
export function changeOf(
  logged: LoggedSubject & { subject: PendingSubject },
  { live, now }: { live: LiveRecord; now: Date },
): Change | undefined {
  const { subject, subjectId, exists, isRestored } = logged
  if (subject === 'entry') return changeOfEntry(logged, { live, now })
  if (subject === 'setting') return isRestored ? undefined : 'edited'
  const isKnown = live.findName(`${subject}:${subjectId}`) !== undefined
  if (subject === 'picture') return isKnown ? 'edited' : 'added'
  return exists ? changeOfKept(logged, isKnown) : isKnown ? 'removed' : undefined
}

function changeOfKept({ subject, isRestored }: LoggedSubject, isKnown: boolean): Change | undefined {
  if (subject === 'term' && !isKnown) return 'added'
  return isRestored ? undefined : 'edited'
}

function changeOfEntry(
  { subjectId, entry, isTrashed, isRestored }: LoggedSubject,
  { live, now }: { live: LiveRecord; now: Date },
): Change | undefined {
  const id = Number(subjectId)
  const isLive = isEntryLive(live, id)
  if (!entry) return isLive && (isTrashed || !isLocalPage(live, id)) ? 'removed' : undefined
  const isShown = isPublicAt(entry, now)
  // A draft, a page generated from its service and place, or one that is as visitors see it.
  if ((!isShown && !isLive) || entry.isGenerated || (isRestored && isLive)) return undefined
  return !isLive ? 'added' : isShown ? 'edited' : 'removed'
}

// Without the trash, a deleted local page can't be told from one that was generated.
function isLocalPage(live: LiveRecord, id: number): boolean {
  return placeOfKey(live.findPage(id)?.key ?? '') !== undefined
}

// Visitors see it on its page, or, for services and reviews, on others.
function isEntryLive(live: LiveRecord, id: number): boolean {
  const sources = [`service:${id}`, `testimonial:${id}`]
  return live.findPage(id) !== undefined || sources.some((source) => live.findName(source) !== undefined)
}
