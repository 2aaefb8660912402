import type { Db } from '../../db/schema.ts'
import { sha256Hex } from '../../lib/canonical-json.ts'
import {
  type AuditEntry,
  findLastHash,
  insertChainedEntry,
  listChained,
  lockAuditLog,
} from './audit-store.ts'

const BATCH = 1_000

/** An entry with what its hash covers. Its administrator's ID is left out: it becomes null when the account is removed. */
interface HashedEntry extends Omit<AuditEntry, 'userId'> {
  happenedAt: string
}

/**
 * Appends an entry to the audit log and returns its hash, which covers the entry before. Appends wait for each other,
 * on several servers too; within a caller's transaction the entry is part of that.
 */
export function appendAuditEntry(db: Db, entry: AuditEntry, { now }: { now: Date }): Promise<string> {
  const append = async (trx: Db) => {
    await lockAuditLog(trx)
    const happenedAt = now.toISOString()
    const chainHash = hashEntry({ ...entry, happenedAt }, (await findLastHash(trx)) ?? '')
    await insertChainedEntry(trx, { ...entry, happenedAt, chainHash })
    return chainHash
  }
  return db.isTransaction ? append(db) : db.transaction().execute(append)
}

/** SHA-256 over the hash of the entry before and this one, as text; hex. */
function hashEntry(entry: HashedEntry, previous: string): string {
  const { happenedAt, userEmail, action, subjectType, subjectId, summary, address } = entry
  const subject = subjectId === undefined ? null : String(subjectId)
  const text = JSON.stringify([happenedAt, userEmail, action, subjectType ?? null, subject, summary, address])
  return sha256Hex(`${previous}\n${text}`)
}

/** `intact` with the hash of the newest entry, or `broken` with the first entry that does not follow from those before. */
export type ChainState =
  | { kind: 'intact'; entries: number; head: string }
  | { kind: 'broken'; id: number; happenedAt: string }
  | { kind: 'head_missing' }

/**
 * Checks the whole audit log. A `head` that was written down earlier must be in it: without one, a log that was cut
 * at its end or written anew as a whole looks intact.
 */
export async function verifyAuditChain(
  db: Db,
  { head }: { head?: string | undefined } = {},
): Promise<ChainState> {
  let previous = ''
  let entries = 0
  let isHeadFound = head === undefined
  for (let after: number | undefined; ; ) {
    const chained = await listChained(db, { after, limit: BATCH })
    for (const { id, chainHash, ...entry } of chained) {
      previous = hashEntry(entry, previous)
      if (chainHash !== previous) return { kind: 'broken', id, happenedAt: entry.happenedAt }
      isHeadFound ||= previous === head
      entries += 1
      after = id
    }
    if (chained.length < BATCH) break
  }
  return isHeadFound ? { kind: 'intact', entries, head: previous } : { kind: 'head_missing' }
}
