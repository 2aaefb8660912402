import { listLastEditors } from '../../auth/audit/audit-store.ts'
import type { Db } from '../../db/schema.ts'
import { listPicturesByName } from '../../pictures/picture-store.ts'
import { listLastSavers } from '../../versions/version-store.ts'
import type { ContentChange } from '../changes/change-store.ts'
import type { PendingSubject } from './describe-change.ts'

/** Subject types in the audit log. */
const AUDITED = {
  entry: 'entry',
  term: 'term',
  form: 'form',
  taxonomy: 'taxonomy',
  type: 'content_type',
  picture: 'picture',
  setting: 'settings',
} as const satisfies Record<PendingSubject, string>

const VERSIONED = ['entry', 'term', 'form'] as const

type Change = ContentChange & { subject: PendingSubject }

/** The last change of something, without an email for a content file. */
interface LastEdit {
  email: string | undefined
  /** UTC text. */
  at: string
}

/**
 * Finds who changed each of these subjects last. Versions also know who changed several at once, and the audit log
 * knows who deleted something.
 */
export async function findEditors(
  db: Db,
  changes: readonly Change[],
): Promise<(change: Change) => LastEdit | undefined> {
  const idOf = await auditedIds(db, changes)
  const audited = changes.map((change) => ({ type: AUDITED[change.subject], id: idOf(change) }))
  const editors = await listLastEditors(db, audited)
  const versioned = changes.flatMap(({ subject, subjectId }) => {
    const kind = VERSIONED.find((known) => known === subject)
    return kind ? [{ kind, id: Number(subjectId) }] : []
  })
  const savers = await listLastSavers(db, versioned)
  return (change) => {
    const editor = editors.get(`${AUDITED[change.subject]}:${idOf(change)}`)
    const saver = savers.get(`${change.subject}:${change.subjectId}`)
    return saver && (!editor || saver.at >= editor.at) ? saver : editor
  }
}

// The change log names a picture, and the audit log has its ID.
async function auditedIds(db: Db, changes: readonly Change[]): Promise<(change: Change) => string> {
  const names = changes.filter(({ subject }) => subject === 'picture').map(({ subjectId }) => subjectId)
  const pictures = await listPicturesByName(db, names)
  return ({ subject, subjectId }) =>
    subject === 'picture' ? String(pictures.get(subjectId)?.id ?? '') : subjectId
}
