import type { Db } from '../../db/schema.ts'
import { sha256Hex } from '../../lib/canonical-json.ts'
import {
  type AuditEntry,
  type ChainedEntry,
  findLastHash,
  insertChainedEntry,
  listChained,
  lockAuditLog,
  updateRedacted,
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

/**
 * Takes a person out of the texts of an entry, in a transaction, and appends one that says so. The entry keeps its hash,
 * so that those behind it stay right; `verifyAuditChain` accepts that only where the other entry follows.
 */
export async function redactAuditEntry(
  db: Db,
  { id, texts, entry }: { id: number; texts: { summary?: string; subject_id?: string }; entry: AuditEntry },
  { now }: { now: Date },
): Promise<void> {
  await appendAuditEntry(db, { ...entry, subjectType: REDACTED, subjectId: id }, { now })
  await updateRedacted(db, id, texts)
}

/** The subject of an entry that says which other one was redacted. */
const REDACTED = 'audit_entry'

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
  const check = createChainCheck(head)
  for (let after: number | undefined; ; ) {
    const chained = await listChained(db, { after, limit: BATCH })
    for (const entry of chained) if (!check.follows(entry)) return brokenAt(entry)
    after = chained.at(-1)?.id ?? after
    if (chained.length < BATCH) return check.end()
  }
}

function createChainCheck(head: string | undefined) {
  let previous = ''
  let entries = 0
  let isHeadFound = head === undefined
  // Until the entry comes that says so.
  const redacted = new Map<string, ChainedEntry>()
  return {
    /** Returns true if the next entry follows from those before. */
    follows(chained: ChainedEntry): boolean {
      const { id, chainHash, isRedacted, ...entry } = chained
      // Its hash covers the text that was taken out.
      previous = isRedacted && chainHash ? chainHash : hashEntry(entry, previous)
      if (isRedacted) redacted.set(String(id), chained)
      else if (entry.subjectType === REDACTED) redacted.delete(String(entry.subjectId))
      isHeadFound ||= previous === head
      entries += 1
      return chainHash === previous
    },
    end(): ChainState {
      const [unsaid] = redacted.values()
      if (unsaid) return brokenAt(unsaid)
      return isHeadFound ? { kind: 'intact', entries, head: previous } : { kind: 'head_missing' }
    },
  }
}

function brokenAt({ id, happenedAt }: ChainedEntry): ChainState {
  return { kind: 'broken', id, happenedAt }
}
