import type { APIContext } from 'astro'
import { appendAuditEntry } from '../../auth/audit/audit-chain.ts'
import { type ChangeAction, subjectOf, wakeAfter } from './changes.ts'

type Context = Pick<APIContext, 'locals'>

/** A change by an administrator, for the audit log. */
export interface Change {
  action: ChangeAction
  /** The row that was changed; missing for the whole site. */
  id?: number | string
  /** Subject type of the ID, if the action doesn't name it (changes.ts). */
  subjectType?: string
  /** One plain sentence without secrets. */
  summary: string
}

/** Records in the audit log who did what, after it was done, and wakes the affected workers (changes.ts). */
export async function recordChange({ locals }: Context, { id, ...change }: Change): Promise<void> {
  const { app, administrator, clientAddress } = locals
  const { action } = change
  await wakeAfter(app, action)
  const { id: userId, email: userEmail } = administrator
  const subject = id === undefined ? {} : { subjectType: subjectOf(action), subjectId: id }
  const entry = { ...subject, ...change, userId, userEmail, address: clientAddress }
  const hash = await appendAuditEntry(app.db, entry, { now: new Date() })
  // A hash stored elsewhere shows whether the log was cut or rewritten: npm run audit:verify -- --head HASH.
  app.log.info({ action, userId, auditHash: hash }, 'audit entry')
}
