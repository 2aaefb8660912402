import type { APIContext } from 'astro'
import { appendAuditEntry } from '../../auth/audit/audit-chain.ts'
import type { AuditEntry } from '../../auth/audit/audit-store.ts'
import { type ChangeAction, wakeAfter } from './changes.ts'

type Context = Pick<APIContext, 'locals'>

/** Records who did what in the audit log, after it was done, and wakes what it concerns (changes.ts). */
export async function recordChange(
  { locals }: Context,
  change: { action: ChangeAction } & Pick<AuditEntry, 'subjectType' | 'subjectId' | 'summary'>,
): Promise<void> {
  const { app, administrator, clientAddress } = locals
  await wakeAfter(app, change.action)
  const { id: userId, email: userEmail } = administrator
  const entry = { ...change, userId, userEmail, address: clientAddress }
  const hash = await appendAuditEntry(app.db, entry, { now: new Date() })
  // Kept elsewhere, a hash shows that the log was not cut or written anew: npm run audit:verify -- --head HASH.
  app.log.info({ action: entry.action, userId, auditHash: hash }, 'audit entry')
}
